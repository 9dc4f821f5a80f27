(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Whether a layout keeps all constraints. *)
From Neap Require Import problem bytes load place tree.

Definition suits_together (p : problem) (a b : placed) : bool :=
  is_apart p a b || (number (fst a) =? number (fst b)) || is_named (number (fst a)) (number (fst b)) (exclusions p).

Definition with_number (n : Z) (l : list placed) : list placed := filter (fun e => number (fst e) =? n) l.

(** Whether buffers of these numbers that have bytes pass a test. *)
Definition is_passed (test : placed -> placed -> bool) (l : list placed) (pair : Z * Z) : bool :=
  forallb (fun a => forallb (fun b => (size (fst a) <=? 0) || (size (fst b) <=? 0) || test a b)
    (with_number (snd pair) l)) (with_number (fst pair) l).

Definition ends_in_bank (d : Z) (e : placed) : Z := (snd e + size (fst e) - 1) / d.
Definition are_in_different_banks (d : Z) (a b : placed) : bool :=
  (ends_in_bank d a <? snd b / d) || (ends_in_bank d b <? snd a / d).
Definition is_bank_separated (l : list placed) (triple : Z * Z * Z) : bool :=
  (0 <? snd triple) && is_passed (are_in_different_banks (snd triple)) l (fst triple).

(** Whether the layout keeps all constraints, and no two buffers have the same number. *)
Definition is_valid (p : problem) (l : list placed) : bool :=
  forallb (fun e => is_own_place p (fst e) (snd e)) l &&
  forallb (is_passed (is_apart p) l) (separations p) && forallb (is_bank_separated l) (bank_separations p) &&
  are_suited (suits_together p) l.

Lemma with_own_number e l : In e l -> In e (with_number (number (fst e)) l).
Proof. intros i. apply filter_In. split; [exact i|apply Z.eqb_refl]. Qed.

Lemma is_apart_sym p a b : is_apart p a b = is_apart p b a.
Proof. unfold is_apart. apply orb_comm. Qed.

Lemma apart_suit p a b : end_of a <= snd b \/ end_of b <= snd a -> suits_together p a b = true.
Proof.
  unfold suits_together, is_apart, is_below, end_of. intros [->%Z.leb_le | ->%Z.leb_le]; rewrite ?orb_true_r; reflexivity.
Qed.

Lemma is_passed_true test l a b : In a l -> In b l -> 0 < size (fst a) -> 0 < size (fst b) ->
  is_passed test l (number (fst a), number (fst b)) = true -> test a b = true.
Proof.
  intros ia ib pa pb s. unfold is_passed in s. rewrite forallb_forall in s. cbn [fst snd] in s.
  specialize (s a (with_own_number a l ia)). rewrite forallb_forall in s. specialize (s b (with_own_number b l ib)).
  lia.
Qed.

Lemma uses_within x e d k : 0 < d -> x (number (fst e)) = snd e -> uses x (fst e) d k ->
  0 < size (fst e) /\ snd e / d <= k <= ends_in_bank d e.
Proof.
  intros pos at_ [y [within_ <-]]. rewrite at_ in within_. split; [lia|]. unfold ends_in_bank. split; apply Z.div_le_mono; lia.
Qed.

Lemma is_bank_separated_true x l a b d k : In a l -> In b l -> x (number (fst a)) = snd a -> x (number (fst b)) = snd b ->
  is_bank_separated l (number (fst a), number (fst b), d) = true -> ~ (uses x (fst a) d k /\ uses x (fst b) d k).
Proof.
  intros ia ib ea eb. unfold is_bank_separated. cbn. rewrite andb_true_iff, Z.ltb_lt. intros [pos h] [ua ub].
  apply uses_within in ua, ub; try assumption. apply is_passed_true in h; try tauto. unfold are_in_different_banks in h. lia.
Qed.

Theorem is_valid_true p l : buffers p = map fst l -> NoDup (map number (buffers p)) -> is_valid p l = true ->
  valid p (offsets l).
Proof.
  intros of_p nodup. rewrite of_p, map_map in nodup. unfold is_valid. rewrite !andb_true_iff, !forallb_forall.
  intros [[[own separated] banks] suited].
  assert (at_ : forall b, In b (map fst l) -> exists o, In (b, o) l /\ offsets l (number b) = o).
  { intros b h. apply in_map_iff in h. destruct h as [[c o] [<- h]]. exists o. split; [exact h|]. apply offsets_in; assumption. }
  split; [|split].
  - intros b h. destruct (at_ b) as [o [i ->]]; [rewrite of_p in h; exact h|].
    apply is_own_place_true. apply (own (b, o) i).
  - intros a b ha hb [different [pa [pb c]]]. rewrite of_p in ha, hb.
    destruct (at_ a ha) as [o [ia ea]], (at_ b hb) as [u [ib eb]].
    enough (h : is_apart p (a, o) (b, u) = true).
    { unfold is_apart in h. apply orb_true_iff in h.
      destruct h as [h|h]; apply (is_below_true p (offsets l)) in h; auto. }
    destruct c as [[c|c]|[[t [[la [ila wa]] [lb [ilb wb]]]] not_excluded]].
    + apply (is_passed_true (is_apart p) l (a, o) (b, u)); auto.
    + rewrite is_apart_sym. apply (is_passed_true (is_apart p) l (b, u) (a, o)); auto.
    + pose proof (are_suited_true _ (apart_suit p) l suited (a, o) (b, u) la lb t ia ib) as s. specialize (s ltac:(congruence)).
      specialize (s pa pb ila ilb wa wb).
      unfold suits_together in s. rewrite (is_apart_sym p (b, u)) in s. destruct (is_apart p (a, o) (b, u)); [reflexivity|].
      cbn [fst orb] in s. rewrite !orb_true_iff, !Z.eqb_eq, !is_named_true in s. unfold named in *. intuition congruence.
  - intros a b d k ha hb i. rewrite of_p in ha, hb.
    destruct (at_ a ha) as [o [ia ea]], (at_ b hb) as [u [ib eb]].
    apply (is_bank_separated_true (offsets l) l (a, o) (b, u)); auto.
Qed.
