(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** States of buffers with lowest offsets, and why no layout below the claim is left in one. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Neap Require Import problem bytes load place grid lowest.
Import ListNotations.
Open Scope Z_scope.

(** A buffer that is left, and the lowest offset that it can still have. *)
Definition item := (buffer * Z)%type.
Definition state := list item.

Definition do_meet (a b : buffer) : bool := existsb (fun l => existsb (are_together l) (lives b)) (lives a).
Definition conflicts (p : problem) (a b : buffer) : bool :=
  negb (number a =? number b) &&
  (is_named (number a) (number b) (separations p) ||
   (do_meet a b && negb (is_named (number a) (number b) (exclusions p)))).
Definition is_strict (p : problem) (a b : buffer) : bool :=
  conflicts p a b && (gap p a b =? size a) && (gap p b a =? size b).

Lemma conflicts_sym p a b : conflicts p a b = conflicts p b a.
Proof.
  assert (meets : do_meet a b = do_meet b a).
  { apply eq_true_iff_eq. unfold do_meet. rewrite !existsb_exists. split; intros [l [il h]]; apply existsb_exists in h;
      destruct h as [m [im h]]; exists m; (split; [exact im|]); apply existsb_exists; exists l; (split; [exact il|]);
      unfold are_together in *; rewrite Z.max_comm, Z.min_comm; exact h. }
  unfold conflicts. rewrite (Z.eqb_sym (number a)), !(is_named_sym (number a)), meets. reflexivity.
Qed.

Lemma is_strict_true p a b : is_strict p a b = true <-> conflicts p a b = true /\ gap p a b = size a /\ gap p b a = size b.
Proof. unfold is_strict. rewrite !andb_true_iff, !Z.eqb_eq. tauto. Qed.

Lemma conflicts_conflict p a b : 0 < size a -> 0 < size b -> conflicts p a b = true -> conflict p a b.
Proof.
  intros pa pb. unfold conflicts, conflict. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq, orb_true_iff, andb_true_iff, negb_true_iff.
  intros [ne h]. repeat split; auto. destruct h as [h|[m n]].
  - left. apply is_named_true, h.
  - right. split; [|intros h; apply is_named_true in h; congruence].
    unfold do_meet in m. apply existsb_exists in m. destruct m as [l [il m]]. apply existsb_exists in m. destruct m as [m [im h]].
    unfold are_together in h. apply Z.ltb_lt in h. exists (Z.max (start l) (start m)).
    split; [exists l|exists m]; (split; [assumption|unfold within; lia]).
Qed.

Section Way.
  Variable p : problem.
  Variable claim : Z.

  (** Offsets for the buffers left, all below the claim. *)
  Definition way (x : layout) (s : state) : Prop :=
    (forall e, In e s -> 0 <= x (number (fst e)) /\ snd e <= x (number (fst e)) /\ x (number (fst e)) + size (fst e) < claim /\
       may_be_at p (fst e) (x (number (fst e)))) /\
    (forall a b, In a s -> In b s -> conflicts p (fst a) (fst b) = true ->
       x (number (fst a)) + gap p (fst a) (fst b) <= x (number (fst b)) \/
       x (number (fst b)) + gap p (fst b) (fst a) <= x (number (fst a))).

  Definition refuted (s : state) : Prop := forall x, ~ way x s.

  Lemma way_lowest x s e from : way x s -> In e s -> from <= x (number (fst e)) -> lowest p (fst e) from <= x (number (fst e)).
  Proof. intros w ie le. apply lowest_le; [apply (proj1 w e ie)|exact le]. Qed.

  Definition sane (s : state) : Prop :=
    NoDup (map (fun e : item => number (fst e)) s) /\ forall e, In e s -> In (fst e) (buffers p) /\ 0 < size (fst e).

  Lemma same_item s a b : sane s -> In a s -> In b s -> number (fst a) = number (fst b) -> a = b.
  Proof. intros [nodup _]. exact (NoDup_map_inj (fun e : item => number (fst e)) s a b nodup). Qed.

  Lemma way_incl x s t : (forall e, In e t -> exists l, In (fst e, l) s /\ snd e <= l) -> way x s -> way x t.
  Proof.
    intros sub [own pairs]. split.
    - intros e i. destruct (sub e i) as [l [j le]]. specialize (own _ j). cbn in own. intuition lia.
    - intros a b ia ib c. destruct (sub a ia) as [l [ja _]], (sub b ib) as [m [jb _]]. exact (pairs _ _ ja jb c).
  Qed.

  (* ---------------------------------------------------------------- full *)

  Definition is_of (k : list Z) (e : item) : bool := existsb (Z.eqb (number (fst e))) k.
  Definition with_numbers (k : list Z) (s : state) : state := filter (is_of k) s.
  Definition is_clique (s : state) : bool :=
    forallb (fun a => forallb (fun b => (number (fst a) =? number (fst b)) || is_strict p (fst a) (fst b)) s) s.

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

  Definition reaches_claim (g : spacing) (items : state) (l : Z) : bool :=
    let '(m, s) := g in
    let part := map fst (filter (fun e : item => l <=? snd e) items) in
    (0 <? m) && (0 <? s) && (s * (claim - 1) <? up (s * l) m + sum (weight m s) part - worst m s part).
  (** From each item on. *)
  Fixpoint does_reach (g : spacing) (items : state) : bool :=
    match items with [] => false | e :: rest => reaches_claim g items (snd e) || does_reach g rest end.
  (** Inserts by offset, lowest first and after equal ones; a stack may begin with any tail of the list. *)
  Fixpoint insert_item (e : item) (l : state) : state :=
    match l with [] => [e] | c :: m => if snd c <=? snd e then c :: insert_item e m else e :: l end.
  Definition is_full (items : state) : bool :=
    let g := spacings (fold_right insert [] (map (fun e => alignment (fst e)) items)) in
    let sorted := fold_right insert_item [] items in
    existsb (fun g => does_reach g sorted) g.

  Lemma sorted_perm items : Permutation items (fold_right insert_item [] items).
  Proof.
    assert (one_more : forall e l, Permutation (e :: l) (insert_item e l)).
    { intros e l. induction l as [|c l ih]; cbn; [reflexivity|]. destruct (snd c <=? snd e); [|reflexivity].
      transitivity (c :: e :: l); [apply perm_swap|apply perm_skip, ih]. }
    induction items as [|e l ih]; cbn [fold_right]; [reflexivity|]. transitivity (e :: fold_right insert_item [] l); [apply perm_skip, ih|apply one_more].
  Qed.

  Lemma does_reach_from g items : does_reach g items = true ->
    exists before e rest, items = before ++ e :: rest /\ reaches_claim g (e :: rest) (snd e) = true.
  Proof.
    induction items as [|e l ih]; cbn [does_reach]; [discriminate|]. rewrite orb_true_iff. intros [h|h].
    - exists [], e, l. auto.
    - destruct (ih h) as [before [c [rest [-> r]]]]. exists (e :: before), c, rest. auto.
  Qed.

  Lemma full_refuted k s : sane s -> is_clique (with_numbers k s) = true -> is_full (with_numbers k s) = true -> refuted s.
  Proof.
    intros [nodup pos] clique full x [own pairs]. unfold is_full in full. apply existsb_exists in full. destruct full as [[m q] [_ full]].
    apply does_reach_from in full. destruct full as [before [[c l] [rest [of_k high]]]]. cbn [snd] in high. unfold reaches_claim in high.
    pose proof (sorted_perm (with_numbers k s)) as perm. rewrite of_k in perm. set (items := (c, l) :: rest) in *.
    set (part := filter (fun e : item => l <=? snd e) items) in *. rewrite !andb_true_iff, !Z.ltb_lt in high. destruct high as [[mp qp] high].
    change (q * (claim - 1) < up (q * l) m + sum (weight m q) (map fst part) - worst m q (map fst part)) in high.
    assert (nodup_items : NoDup (map (fun e : item => number (fst e)) items)).
    { assert (h : NoDup (map (fun e : item => number (fst e)) (before ++ items))).
      { apply (Permutation_NoDup (Permutation_map _ perm)), NoDup_map_filter, nodup. }
      clear - h. induction before as [|b before ih]; [exact h|]. inversion h. auto. }
    assert (in_items : forall e, In e items -> In e (with_numbers k s)).
    { intros e i. apply (Permutation_in _ (Permutation_sym perm)), in_or_app. right. exact i. }
    assert (in_part : forall e, In e part -> In e s /\ In e (with_numbers k s) /\ l <= snd e).
    { intros e i. apply filter_In in i. destruct i as [i h]. apply Z.leb_le in h. apply in_items in i. repeat split; auto.
      apply filter_In in i. apply i. }
    assert (stack : stacked x (map fst part)).
    { split; [rewrite map_map; apply NoDup_map_filter, nodup_items|]. intros a b ia ib ne. apply in_map_iff in ia, ib.
      destruct ia as [e [<- ie]], ib as [f [<- jf]]. destruct (in_part e ie) as [je [ke _]], (in_part f jf) as [jf' [kf _]].
      unfold is_clique in clique. rewrite forallb_forall in clique. specialize (clique e ke). rewrite forallb_forall in clique.
      specialize (clique f kf). apply orb_true_iff in clique. destruct clique as [h|h]; [apply Z.eqb_eq in h; contradiction|].
      apply is_strict_true in h. destruct h as [co [g1 g2]]. split; [apply pos, je|]. unfold top_of.
      destruct (pairs e f je jf' co); lia. }
    assert (some : map fst part <> []).
    { assert (In (c, l) part) as i by (apply filter_In; split; [left; reflexivity|apply Z.leb_refl]). intros h. apply (in_map fst) in i. rewrite h in i. destruct i. }
    assert (each : forall b, In b (map fst part) -> is_own b (x (number b)) /\ l <= x (number b)).
    { intros b i. apply in_map_iff in i. destruct i as [e [<- i]]. destruct (in_part e i) as [j [_ le]]. specialize (own e j).
      destruct own as [_ [low_ [_ may]]]. split; [|lia]. split; [apply may|]. intros f h. destruct may as [_ [_ [fx _]]]. exact (fx f h). }
    destruct (stack_end m q mp qp x (map fst part) l some stack each) as [t [it top_]]. apply in_map_iff in it.
    destruct it as [e [<- ie]]. destruct (in_part e ie) as [j _]. destruct (own e j) as [_ [_ [end_ _]]]. unfold top_of in top_.
    pose proof (proj2 (Z.mul_lt_mono_pos_l q (claim - 1) (x (number (fst e)) + size (fst e)) qp) ltac:(lia)). lia.
  Qed.

  (* ---------------------------------------------------------------- a buffer at its low *)

  Definition put_item (i e : item) : item :=
    if conflicts p (fst e) (fst i) && (snd e <? snd i + gap p (fst i) (fst e)) && (snd i <? snd e + gap p (fst e) (fst i))
    then (fst e, lowest p (fst e) (snd i + gap p (fst i) (fst e))) else e.
  Definition put (s : state) (i : item) : state :=
    map (put_item i) (filter (fun e => negb (number (fst e) =? number (fst i))) s).

  Lemma put_way x s i : In i s -> way x s -> x (number (fst i)) = snd i -> way x (put s i).
  Proof.
    intros ii w at_low. pose proof w as [own pairs]. unfold put.
    assert (low_ok : forall e, In e s -> snd (put_item i e) <= x (number (fst e))).
    { intros e ie. unfold put_item. destruct (_ && _) eqn:h; [|apply own, ie]. cbn [snd].
      rewrite !andb_true_iff, !Z.ltb_lt in h. destruct h as [[c _] above]. destruct (own e ie) as [_ [le _]].
      apply (way_lowest x s); [exact w|exact ie|]. destruct (pairs e i ie ii c) as [b|b]; lia. }
    assert (same : forall e, fst (put_item i e) = fst e) by (intros e; unfold put_item; destruct (_ && _); reflexivity).
    split.
    - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. apply filter_In in ie. destruct ie as [ie _].
      rewrite same. specialize (own e' ie). specialize (low_ok e' ie). tauto.
    - intros a b ia ib c. apply in_map_iff in ia, ib. destruct ia as [a' [<- ia]], ib as [b' [<- ib]].
      apply filter_In in ia, ib. rewrite !same in *. apply pairs; tauto.
  Qed.

  Lemma put_sane s i : sane s -> sane (put s i).
  Proof.
    intros [nodup pos]. assert (same : forall e, fst (put_item i e) = fst e) by (intros e; unfold put_item; destruct (_ && _); reflexivity).
    split.
    - unfold put. rewrite map_map. erewrite map_ext; [|intros e; rewrite same; reflexivity]. apply NoDup_map_filter, nodup.
    - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. apply filter_In in ie. rewrite same. apply pos, ie.
  Qed.
End Way.
