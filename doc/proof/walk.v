(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** States of buffers with lowest offsets, and why no layout below the claim is left in one. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import problem bytes load place.
Import ListNotations.
Open Scope Z_scope.

(** A buffer that is left, and the lowest offset that it can still have. *)
Definition item := (buffer * Z)%type.
Definition state := list item.

Definition are_together (l m : lifetime) : bool := Z.max (start l) (start m) <? Z.min (stop l) (stop m).
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
    (forall e, In e s -> 0 <= x (number (fst e)) /\ snd e <= x (number (fst e)) /\ x (number (fst e)) + size (fst e) < claim) /\
    (forall a b, In a s -> In b s -> conflicts p (fst a) (fst b) = true ->
       x (number (fst a)) + gap p (fst a) (fst b) <= x (number (fst b)) \/
       x (number (fst b)) + gap p (fst b) (fst a) <= x (number (fst a))).

  Definition refuted (s : state) : Prop := forall x, ~ way x s.

  Definition sane (s : state) : Prop :=
    NoDup (map (fun e : item => number (fst e)) s) /\ forall e, In e s -> In (fst e) (buffers p) /\ 0 < size (fst e).

  Lemma same_item s a b : sane s -> In a s -> In b s -> number (fst a) = number (fst b) -> a = b.
  Proof. intros [nodup _]. exact (NoDup_map_inj (fun e : item => number (fst e)) s a b nodup). Qed.

  Lemma way_incl x s t : (forall e, In e t -> exists l, In (fst e, l) s /\ snd e <= l) -> way x s -> way x t.
  Proof.
    intros sub [own pairs]. split.
    - intros e i. destruct (sub e i) as [l [j le]]. specialize (own _ j). cbn in own. lia.
    - intros a b ia ib c. destruct (sub a ia) as [l [ja _]], (sub b ib) as [m [jb _]]. exact (pairs _ _ ja jb c).
  Qed.

  (* ---------------------------------------------------------------- full *)

  Definition is_of (k : list Z) (e : item) : bool := existsb (Z.eqb (number (fst e))) k.
  Definition with_numbers (k : list Z) (s : state) : state := filter (is_of k) s.
  Definition is_clique (s : state) : bool :=
    forallb (fun a => forallb (fun b => (number (fst a) =? number (fst b)) || is_strict p (fst a) (fst b)) s) s.
  Definition height_from (l : Z) (s : state) : Z := l + sum (fun e : item => size (fst e)) (filter (fun e => l <=? snd e) s).
  Definition is_full (s : state) : bool := existsb (fun e => claim <=? height_from (snd e) s) s.

  Lemma full_refuted k s : sane s -> is_clique (with_numbers k s) = true -> is_full (with_numbers k s) = true -> refuted s.
  Proof.
    intros sane_s clique full x [own pairs]. unfold is_full in full. apply existsb_exists in full. destruct full as [[c l] [ic high]].
    apply Z.leb_le in high. unfold height_from in high. cbn [snd] in high.
    set (part := filter (fun e : item => l <=? snd e) (with_numbers k s)) in *.
    assert (in_part : forall e, In e part -> In e s /\ In e (with_numbers k s) /\ l <= snd e).
    { intros e i. apply filter_In in i. destruct i as [i h]. apply Z.leb_le in h. repeat split; auto. apply filter_In in i. apply i. }
    assert (strict : forall a b, In a part -> In b part -> number (fst a) <> number (fst b) -> is_strict p (fst a) (fst b) = true).
    { intros a b ia ib ne. unfold is_clique in clique. rewrite forallb_forall in clique. specialize (clique a (proj1 (proj2 (in_part a ia)))).
      rewrite forallb_forall in clique. specialize (clique b (proj1 (proj2 (in_part b ib)))). apply orb_true_iff in clique.
      destruct clique as [h|h]; [apply Z.eqb_eq in h; contradiction|exact h]. }
    pose (y := fun n => x n - l).
    assert (nodup : NoDup (map number (map fst part))).
    { rewrite map_map. apply NoDup_map_filter, NoDup_map_filter, sane_s. }
    assert (nonneg : forall a, In a (map fst part) -> 0 <= size a /\ 0 <= y (number a)).
    { intros a i. apply in_map_iff in i. destruct i as [e [<- i]]. destruct (in_part e i) as [j [_ le]].
      specialize (own e j). destruct sane_s as [_ pos]. specialize (pos e j). unfold y. lia. }
    assert (ordered : forall a b, In a (map fst part) -> In b (map fst part) -> number a <> number b -> below p y a b \/ below p y b a).
    { intros a b i j ne. apply in_map_iff in i, j. destruct i as [e [<- i]], j as [f [<- j]].
      pose proof (strict e f i j ne) as st. apply is_strict_true in st. destruct st as [c' _].
      destruct (pairs e f (proj1 (in_part e i)) (proj1 (in_part f j)) c') as [h|h]; [left|right]; apply below_gap; unfold y; lia. }
    pose (enters := fun a b => number a <? number b).
    assert (one_enters : forall a b, number a <> number b -> enters a b = true \/ enters b a = true).
    { intros a b ne. unfold enters. rewrite !Z.ltb_lt. lia. }
    assert (none : sum (let_in_at_most p (map fst part) enters) (map fst part) <= 0).
    { assert (forall m, incl m (map fst part) -> sum (let_in_at_most p (map fst part) enters) m <= 0) as h; [|apply h, incl_refl].
      induction m as [|a m ih]; intros sub; cbn [sum]; [lia|]. specialize (ih (fun z i => sub z (or_intror i))).
      enough (let_in_at_most p (map fst part) enters a <= 0) by lia. unfold let_in_at_most.
      pose proof (sub a (or_introl eq_refl)) as ia.
      enough (sum (fun b => if negb (number a =? number b) && enters a b then shareable p a b else 0) (map fst part) <= 0) by lia.
      assert (forall m, incl m (map fst part) ->
        sum (fun b => if negb (number a =? number b) && enters a b then shareable p a b else 0) m <= 0) as h; [|apply h, incl_refl].
      clear ih. clear m sub. induction m as [|b m ih]; intros sub; cbn [sum]; [lia|]. specialize (ih (fun z i => sub z (or_intror i))).
      destruct (negb (number a =? number b)) eqn:ne; cbn [andb]; [|lia]. apply negb_true_iff, Z.eqb_neq in ne.
      destruct (enters a b); [|lia]. pose proof (sub b (or_introl eq_refl)) as ib. pose proof (nonneg a ia). pose proof (nonneg b ib).
      apply in_map_iff in ia, ib. destruct ia as [e [<- ia]], ib as [f [<- ib]].
      pose proof (strict e f ia ib ne) as st. apply is_strict_true in st. destruct st as [_ [g1 g2]].
      assert (shareable p (fst e) (fst f) = 0) by (unfold shareable; rewrite g1, g2; lia). lia. }
    assert (ic' : In (c, l) s) by (apply filter_In in ic; apply ic).
    pose proof (own _ ic') as oc. destruct sane_s as [_ pos]. specialize (pos _ ic'). cbn [fst snd] in *.
    pose proof (load p y (map fst part) nodup nonneg ordered enters one_enters (claim - 1 - l)) as bound.
    assert (ends : forall a, In a (map fst part) -> y (number a) + size a <= claim - 1 - l).
    { intros a i. apply in_map_iff in i. destruct i as [e [<- i]]. specialize (own e (proj1 (in_part e i))). unfold y. lia. }
    specialize (bound ends ltac:(lia)).
    assert (same : sum size (map fst part) = sum (fun e : item => size (fst e)) part).
    { clear. induction part as [|e m ih]; cbn; [reflexivity|]. rewrite ih. reflexivity. }
    assert (claim <= l + sum (fun e : item => size (fst e)) part) by exact high. lia.
  Qed.

  (* ---------------------------------------------------------------- a buffer at its low *)

  Definition put_item (i e : item) : item :=
    if conflicts p (fst e) (fst i) && (snd e <? snd i + gap p (fst i) (fst e)) && (snd i <? snd e + gap p (fst e) (fst i))
    then (fst e, snd i + gap p (fst i) (fst e)) else e.
  Definition put (s : state) (i : item) : state :=
    map (put_item i) (filter (fun e => negb (number (fst e) =? number (fst i))) s).

  Lemma put_way x s i : In i s -> way x s -> x (number (fst i)) = snd i -> way x (put s i).
  Proof.
    intros ii w at_low. pose proof w as [own pairs]. unfold put.
    assert (low_ok : forall e, In e s -> snd (put_item i e) <= x (number (fst e))).
    { intros e ie. unfold put_item. destruct (_ && _) eqn:h; [|apply own, ie]. cbn [snd].
      rewrite !andb_true_iff, !Z.ltb_lt in h. destruct h as [[c _] above]. destruct (own e ie) as [_ [le _]].
      destruct (pairs e i ie ii c) as [b|b]; lia. }
    assert (same : forall e, fst (put_item i e) = fst e) by (intros e; unfold put_item; destruct (_ && _); reflexivity).
    split.
    - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. apply filter_In in ie. destruct ie as [ie _].
      rewrite same. specialize (own e' ie). specialize (low_ok e' ie). lia.
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
