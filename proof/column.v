(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [column]: buffers that share no byte pairwise, or one, whose stack reaches the claim. *)
From Coq Require Import Permutation.
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
  (0 <? m) && (0 <? s) && (s * (claim - 1) <? up (s * l) m + sum (weight m s) part - worst m s part).
(** From each item on. *)
Fixpoint does_reach (claim : Z) (g : spacing) (items : list item) : bool :=
  match items with [] => false | e :: rest => reaches_claim claim g items (snd e) || does_reach claim g rest end.
(** Inserts by offset, lowest first and after equal ones; a stack may begin with any tail of the list. *)
Fixpoint insert_item (e : item) (l : list item) : list item :=
  match l with [] => [e] | c :: m => if snd c <=? snd e then c :: insert_item e m else e :: l end.
Definition is_full (claim : Z) (items : list item) : bool :=
  let g := spacings (fold_right insert [] (map (fun e => alignment (fst e)) items)) in
  let sorted := fold_right insert_item [] items in
  existsb (fun g => does_reach claim g sorted) g.

(** One buffer by itself may also have no bytes. *)
Definition are_stacked (p : problem) (a b : buffer) : bool :=
  (number a =? number b) || (0 <? size a) && (0 <? size b) && is_strict p a b.
Definition is_column (p : problem) (claim : Z) (listed : list Z) : bool :=
  let l := listed_buffers p listed in
  forallb (fun a => forallb (are_stacked p a) l) l && is_full claim (map (fun b => (b, lowest p b 0)) l).

Lemma strict_apart p x a b : valid p x -> In a (buffers p) -> In b (buffers p) -> 0 < size a -> 0 < size b ->
  is_strict p a b = true -> x (number a) + size a <= x (number b) \/ x (number b) + size b <= x (number a).
Proof.
  intros [_ [pairs _]] ia ib pa pb s. apply is_strict_true in s. destruct s as [c [g1 g2]].
  destruct (pairs a b ia ib (conflicts_conflict p a b pa pb c)) as [h|h]; apply below_gap in h; lia.
Qed.

Lemma may_be_own p b y : may_be_at p b y -> is_own b y.
Proof. intros [_ [d [f _]]]. split; assumption. Qed.

Lemma sorted_perm items : Permutation items (fold_right insert_item [] items).
Proof.
  assert (one_more : forall e l, Permutation (e :: l) (insert_item e l)).
  { intros e l. induction l as [|c l ih]; cbn; [reflexivity|]. destruct (snd c <=? snd e); [|reflexivity].
    transitivity (c :: e :: l); [apply perm_swap|apply perm_skip, ih]. }
  induction items as [|e l ih]; cbn [fold_right]; [reflexivity|].
  transitivity (e :: fold_right insert_item [] l); [apply perm_skip, ih|apply one_more].
Qed.

Lemma does_reach_from claim g items : does_reach claim g items = true ->
  exists before e rest, items = before ++ e :: rest /\ reaches_claim claim g (e :: rest) (snd e) = true.
Proof.
  induction items as [|e l ih]; cbn [does_reach]; [discriminate|]. rewrite orb_true_iff. intros [h|h].
  - exists [], e, l. auto.
  - destruct (ih h) as [before [c [rest [-> r]]]]. exists (e :: before), c, rest. auto.
Qed.

Theorem is_column_least p claim listed : NoDup (map number (buffers p)) -> is_column p claim listed = true -> least p claim.
Proof.
  intros distinct h x v. pose proof v as [own _]. unfold is_column in h. set (l := listed_buffers p listed) in *.
  apply andb_true_iff in h. destruct h as [strict full]. unfold is_full in full. apply existsb_exists in full.
  destruct full as [[m q] [_ full]]. apply does_reach_from in full. destruct full as [before [[c low_] [rest [sorted high]]]].
  pose proof (sorted_perm (map (fun b => (b, lowest p b 0)) l)) as perm. rewrite sorted in perm.
  set (items := (c, low_) :: rest) in *.
  cbn [snd] in high. unfold reaches_claim in high. set (part := filter (fun e : item => low_ <=? snd e) items) in *.
  rewrite !andb_true_iff, !Z.ltb_lt in high. destruct high as [[mp qp] high].
  change (q * (claim - 1) < up (q * low_) m + sum (weight m q) (map fst part) - worst m q (map fst part)) in high.
  assert (nodup : NoDup (map (fun e : item => number (fst e)) items)).
  { assert (h : NoDup (map (fun e : item => number (fst e)) (before ++ items))).
    { apply (Permutation_NoDup (Permutation_map _ perm)). rewrite map_map. apply NoDup_map_filter, distinct. }
    clear - h. induction before as [|b before ih]; [exact h|]. inversion h. auto. }
  assert (in_part : forall e, In e part -> In (fst e) l /\ In (fst e) (buffers p) /\ low_ <= x (number (fst e))).
  { intros e i. apply filter_In in i. destruct i as [i le]. apply Z.leb_le in le.
    assert (j : In e (map (fun b => (b, lowest p b 0)) l)).
    { apply (Permutation_in _ (Permutation_sym perm)), in_or_app. right. exact i. }
    apply in_map_iff in j. destruct j as [b [<- j]]. cbn [fst snd] in *. split; [exact j|]. apply filter_In in j.
    destruct j as [j _]. split; [exact j|]. destruct (own b j) as [pos may]. pose proof (lowest_le p b _ may 0 pos). lia. }
  assert (stack : stacked x (map fst part)).
  { split; [rewrite map_map; apply NoDup_map_filter, nodup|]. intros a b ia ib ne. apply in_map_iff in ia, ib.
    destruct ia as [e [<- ie]], ib as [f [<- jf]]. destruct (in_part e ie) as [ke [je _]], (in_part f jf) as [kf [jf' _]].
    rewrite forallb_forall in strict. specialize (strict _ ke). rewrite forallb_forall in strict. specialize (strict _ kf).
    unfold are_stacked in strict. rewrite orb_true_iff, !andb_true_iff, !Z.ltb_lt, Z.eqb_eq in strict.
    destruct strict as [?|[[pa pb] s]]; [contradiction|]. split; [exact pa|]. exact (strict_apart p x _ _ v je jf' pa pb s). }
  assert (some : map fst part <> []).
  { assert (In (c, low_) part) as i by (apply filter_In; split; [left; reflexivity|apply Z.leb_refl]).
    intros h. apply (in_map fst) in i. rewrite h in i. destruct i. }
  assert (each : forall b, In b (map fst part) -> is_own b (x (number b)) /\ low_ <= x (number b)).
  { intros b i. apply in_map_iff in i. destruct i as [e [<- i]]. destruct (in_part e i) as [_ [j le]]. split; [|exact le].
    exact (may_be_own p _ _ (proj2 (own _ j))). }
  destruct (stack_end m q mp qp x (map fst part) low_ some stack each) as [t [it top_]]. apply in_map_iff in it.
  destruct it as [e [<- ie]]. destruct (in_part e ie) as [_ [j _]]. unfold top_of in top_. right. exists (fst e).
  split; [exact j|]. destruct (Z_le_gt_dec claim (x (number (fst e)) + size (fst e))) as [le|gt]; [exact le|]. nia.
Qed.
