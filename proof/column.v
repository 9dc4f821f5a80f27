(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [column]: buffers that share no byte pairwise, or one, whose stack reaches the claim. *)
From Neap Require Import problem bytes load place grid lowest.

(** A buffer, and the lowest offset that it can have. *)
Definition item := (buffer * Z)%type.

(** A spacing (m, s) is m units long, of which s make a byte. *)
Definition spacing := (Z * Z)%type.
Fixpoint insert (a : Z) (l : list Z) : list Z :=
  match l with [] => [a] | c :: m => if a =? c then l else if c <? a then a :: l else c :: insert a m end.
Definition part_spacings (least a : Z) : list spacing :=
  flat_map (fun s => if least <? a / s then [(a / Z.gcd a s, s / Z.gcd a s)] else []) [1; 2; 3; 4; 8; 16; 32; 64].
(** Of a list of alignments, highest first. *)
Definition spacings (alignments : list Z) : list spacing :=
  let least := fold_right Z.gcd 0 alignments in
  (1, 1) :: (if 1 <? least then [(least, 1)] else []) ++ flat_map (part_spacings least) (firstn 8 alignments).

Definition reaches_claim (claim : Z) (g : spacing) (items : list item) (l : Z) : bool :=
  let '(m, s) := g in
  let part := map fst (filter (fun e : item => l <=? snd e) items) in
  (0 <? m) && (0 <? s) && match part with [] => false | _ => true end &&
  (s * (claim - 1) <? up (s * l) m + sum (weight m s) part - worst m s part).
(** The stack may begin at the lowest offset of any item, lowest first. *)
Definition is_full (claim : Z) (items : list item) : bool :=
  let g := spacings (fold_right insert [] (map (fun e => alignment (fst e)) items)) in
  let lows := rev (fold_right insert [] (map snd items)) in
  existsb (fun g => existsb (reaches_claim claim g items) lows) g.

(** One buffer by itself may also have no bytes. *)
Definition are_stacked (p : problem) (a b : buffer) : bool :=
  (0 <? size a) && (0 <? size b) && is_strict p a b.
Definition is_column (p : problem) (claim : Z) (listed : list Z) : bool :=
  let l := listed_buffers p listed in
  is_each (are_stacked p) l && is_full claim (map (fun b => (b, lowest p b 0)) l).

Lemma strict_apart p x a b : valid p x -> In a (buffers p) -> In b (buffers p) -> 0 < size a -> 0 < size b ->
  is_strict p a b = true -> x (number a) + size a <= x (number b) \/ x (number b) + size b <= x (number a).
Proof.
  intros [_ [pairs _]] ia ib pa pb s. apply is_strict_true in s. destruct s as [c [g1 g2]].
  destruct (pairs a b ia ib (conflicts_conflict p a b pa pb c)) as [h|h]; apply below_gap in h; lia.
Qed.

Theorem is_column_least p claim listed : NoDup (map number (buffers p)) -> is_column p claim listed = true -> least p claim.
Proof.
  intros distinct h x v. pose proof v as [own _]. unfold is_column in h. set (l := listed_buffers p listed) in *.
  apply andb_true_iff in h. destruct h as [strict full]. unfold is_full in full. apply existsb_exists in full.
  destruct full as [[m q] [_ full]]. apply existsb_exists in full. destruct full as [low_ [_ high]].
  set (items := map (fun b => (b, lowest p b 0)) l) in *.
  unfold reaches_claim in high. set (part := filter (fun e : item => low_ <=? snd e) items) in *.
  rewrite !andb_true_iff, !Z.ltb_lt in high. destruct high as [[[mp qp] some] high].
  change (q * (claim - 1) < up (q * low_) m + sum (weight m q) (map fst part) - worst m q (map fst part)) in high.
  assert (nodup : NoDup (map (fun e : item => number (fst e)) items)).
  { unfold items. rewrite map_map. apply NoDup_map_filter, distinct. }
  assert (in_part : forall e, In e part -> In (fst e) l /\ In (fst e) (buffers p) /\ low_ <= x (number (fst e))).
  { intros e i. apply filter_In in i. destruct i as [i le]. apply Z.leb_le in le.
    apply in_map_iff in i. destruct i as [b [<- i]]. cbn [fst snd] in *. split; [exact i|]. apply filter_In in i.
    destruct i as [i _]. split; [exact i|]. destruct (own b i) as [pos may]. pose proof (lowest_le p b _ may 0 pos). lia. }
  assert (stack : stacked x (map fst part)).
  { split; [rewrite map_map; apply NoDup_map_filter, nodup|]. intros a b ia ib ne. apply in_map_iff in ia, ib.
    destruct ia as [e [<- ie]], ib as [f [<- jf]]. destruct (in_part e ie) as [ke [je _]], (in_part f jf) as [kf [jf' _]].
    apply (is_each_true _ _ strict _ _ ke kf) in ne. unfold are_stacked in ne. rewrite !andb_true_iff, !Z.ltb_lt in ne.
    destruct ne as [[pa pb] s]. split; [exact pa|]. exact (strict_apart p x _ _ v je jf' pa pb s). }
  assert (some_ : map fst part <> []) by (intros e; fold part in some; rewrite e in some; discriminate).
  assert (each : forall b, In b (map fst part) -> is_own b (x (number b)) /\ low_ <= x (number b)).
  { intros b i. apply in_map_iff in i. destruct i as [e [<- i]]. destruct (in_part e i) as [_ [j le]]. split; [|exact le].
    destruct (own _ j) as [_ [_ [d [f _]]]]. split; assumption. }
  destruct (stack_end m q mp qp x (map fst part) low_ some_ stack each) as [t [it top_]]. apply in_map_iff in it.
  destruct it as [e [<- ie]]. destruct (in_part e ie) as [_ [j _]]. unfold top_of in top_. right. exists (fst e).
  split; [exact j|]. destruct (Z_le_gt_dec claim (x (number (fst e)) + size (fst e))) as [le|gt]; [exact le|]. nia.
Qed.
