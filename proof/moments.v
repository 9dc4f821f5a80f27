(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What is alive after a set of operators, and while one more runs. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import bytes graph.
Import ListNotations.
Open Scope Z_scope.

(** Whether an operator is in a set. *)
Definition ops := positive -> bool.

Definition is_there (ran : ops) (v : value) : bool := match maker v with Some m => ran m | None => true end.
Definition is_wanted (ran : ops) (v : value) : bool := stays v || existsb (fun r => negb (ran r)) (readers v).
Definition is_live (ran : ops) (v : value) : bool := is_there ran v && is_wanted ran v.

(** While k runs after a set; [lead]: the set is empty. *)
Definition is_live_with (lead : bool) (ran : ops) (k : positive) (v : value) : bool :=
  (is_there ran v || is_made_by k v) &&
  (is_wanted ran v || is_made_by k v || match maker v, readers v with None, [] => lead | _, _ => false end).

Definition counted (f : value -> bool) (g : graph) : Z := sum (fun v => if f v then bytes_of v else 0) (values g).
Definition live (g : graph) (ran : ops) : Z := counted (is_live ran) g.
Definition is_lead (g : graph) (ran : ops) : bool := forallb (fun a => negb (ran a)) (operators g).
Definition moment (g : graph) (ran : ops) (k : positive) : Z := counted (is_live_with (is_lead g ran) ran k) g.

Definition is_in (k : positive) (l : list positive) : bool := existsb (Pos.eqb k) l.

Lemma is_in_true k l : is_in k l = true <-> In k l.
Proof.
  unfold is_in. rewrite existsb_exists. split; [intros [j [i e]]; apply Pos.eqb_eq in e; subst; exact i|].
  intros i. exists k. split; [exact i|apply Pos.eqb_refl].
Qed.

Definition is_operator (g : graph) (k : positive) : bool := is_in k (operators g).

Lemma is_operator_true g k : is_operator g k = true <-> In k (operators g).
Proof. apply is_in_true. Qed.

(** All that values and needs name are operators, and no size is negative. *)
Definition is_sound_value (g : graph) (v : value) : bool :=
  (0 <=? bytes_of v) && match maker v with Some m => is_operator g m | None => true end && forallb (is_operator g) (readers v).
Definition is_sound (g : graph) : bool :=
  forallb (is_sound_value g) (values g) && forallb (fun p => is_operator g (fst p) && is_operator g (snd p)) (needs g).

Definition ran_before (o : order) (k : positive) : ops := fun a => o a <? o k.

Lemma existsb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> existsb f l = existsb h l.
Proof.
  induction l as [|a l ih]; cbn; intros e; [reflexivity|]. rewrite (e a (or_introl eq_refl)), ih; [reflexivity|].
  intros b i. apply e. right. exact i.
Qed.

Lemma forallb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> forallb f l = forallb h l.
Proof.
  induction l as [|a l ih]; cbn; intros e; [reflexivity|]. rewrite (e a (or_introl eq_refl)), ih; [reflexivity|].
  intros b i. apply e. right. exact i.
Qed.

Lemma counted_ext f h g : (forall v, In v (values g) -> f v = h v) -> counted f g = counted h g.
Proof.
  unfold counted. intros e. induction (values g) as [|v vs ih]; cbn [sum]; [reflexivity|].
  rewrite (e v (or_introl eq_refl)), ih; [reflexivity|]. intros w i. apply e. right. exact i.
Qed.

Section Sound.
  Variable g : graph.
  Hypothesis sound : is_sound g = true.

  Lemma sound_value v : In v (values g) -> 0 <= bytes_of v /\ (forall m, maker v = Some m -> In m (operators g)) /\
    (forall r, In r (readers v) -> In r (operators g)).
  Proof.
    intros i. unfold is_sound in sound. apply andb_true_iff in sound. destruct sound as [s _]. rewrite forallb_forall in s.
    specialize (s v i). unfold is_sound_value in s. rewrite !andb_true_iff, Z.leb_le, forallb_forall in s. destruct s as [[s m] r].
    repeat split; [exact s| |].
    - intros k e. rewrite e in m. apply is_operator_true, m.
    - intros k ir. apply is_operator_true, r, ir.
  Qed.

  Lemma sound_need k j : In (k, j) (needs g) -> In k (operators g) /\ In j (operators g).
  Proof.
    intros i. unfold is_sound in sound. apply andb_true_iff in sound. destruct sound as [_ s]. rewrite forallb_forall in s.
    specialize (s _ i). cbn in s. rewrite andb_true_iff, !is_operator_true in s. exact s.
  Qed.

  Lemma is_there_ext p q v : In v (values g) -> (forall a, In a (operators g) -> p a = q a) -> is_there p v = is_there q v.
  Proof.
    intros i e. destruct (sound_value v i) as [_ [m _]]. unfold is_there. destruct (maker v) as [k|]; [|reflexivity].
    apply e, m. reflexivity.
  Qed.

  Lemma is_wanted_ext p q v : In v (values g) -> (forall a, In a (operators g) -> p a = q a) -> is_wanted p v = is_wanted q v.
  Proof.
    intros i e. destruct (sound_value v i) as [_ [_ r]]. unfold is_wanted. f_equal. apply existsb_ext. intros a ia.
    rewrite (e a (r a ia)). reflexivity.
  Qed.

  Lemma live_ext p q : (forall a, In a (operators g) -> p a = q a) -> live g p = live g q.
  Proof.
    intros e. apply counted_ext. intros v i. unfold is_live. rewrite (is_there_ext p q v i e), (is_wanted_ext p q v i e). reflexivity.
  Qed.

  Lemma moment_ext p q k : (forall a, In a (operators g) -> p a = q a) -> moment g p k = moment g q k.
  Proof.
    intros e. unfold moment. replace (is_lead g p) with (is_lead g q).
    - apply counted_ext. intros v i. unfold is_live_with. rewrite (is_there_ext p q v i e), (is_wanted_ext p q v i e). reflexivity.
    - unfold is_lead. apply forallb_ext. intros a i. rewrite (e a i). reflexivity.
  Qed.

  Lemma alive_at_moment o k : (forall a b, In a (operators g) -> In b (operators g) -> o a = o b -> a = b) ->
    In k (operators g) -> alive_at g o k = moment g (ran_before o k) k.
  Proof.
    intros different ik. apply counted_ext. intros v i. destruct (sound_value v i) as [_ [m r]].
    unfold is_alive, is_live_with, is_there, is_wanted, is_made_by, is_lead, ran_before.
    assert (er : existsb (fun r => o k <=? o r) (readers v) = existsb (fun r => negb (o r <? o k)) (readers v)).
    { apply existsb_ext. intros a _. rewrite Z.ltb_antisym, negb_involutive. reflexivity. }
    assert (el : forallb (fun a => o k <=? o a) (operators g) = forallb (fun a => negb (o a <? o k)) (operators g)).
    { apply forallb_ext. intros a _. rewrite Z.ltb_antisym, negb_involutive. reflexivity. }
    rewrite er, el. destruct (maker v) as [j|]; [|reflexivity]. specialize (m j eq_refl).
    replace (o j <=? o k) with ((o j <? o k) || Pos.eqb j k); [reflexivity|].
    destruct (Pos.eqb_spec j k) as [->|ne]; [rewrite orb_true_r; symmetry; apply Z.leb_refl|].
    rewrite orb_false_r. assert (o j <> o k) by (intros e; apply ne, different; assumption).
    destruct (o j <? o k) eqn:a, (o j <=? o k) eqn:b; rewrite ?Z.ltb_lt, ?Z.ltb_ge, ?Z.leb_le, ?Z.leb_gt in *; lia || reflexivity.
  Qed.
End Sound.
