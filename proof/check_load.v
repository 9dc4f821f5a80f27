(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [load]: what is alive at a moment needs its bytes, less what overlap allowances let it share. *)
From Neap Require Import problem bytes load.

Definition is_within (t : Z) (l : lifetime) : bool := (start l <=? t) && (t <? stop l).
Definition is_in_load (t : Z) (b : buffer) : bool := (0 <? size b) && existsb (is_within t) (lives b).
Definition load_at (p : problem) (t : Z) : list buffer := filter (is_in_load t) (buffers p).

Definition has_allowance (p : problem) (b : buffer) : bool := existsb (mentions (number b)) (overlaps p).

(** Of two buffers, the output enters: the first in [overlap], or, if each is, the one with the smaller number. *)
Definition output_enters (p : problem) (a b : buffer) : bool :=
  if number a <? number b then gap p a b <? size a else negb (gap p b a <? size b).
Definition input_enters (p : problem) (a b : buffer) : bool := output_enters p b a.

Definition shared (p : problem) (enters : buffer -> buffer -> bool) (set : list buffer) : Z :=
  sum (let_in_at_most number size set enters (shareable p)) set.

Definition is_pair_in (set : list buffer) (pair : Z * Z) : bool :=
  existsb (fun b => number b =? fst pair) set && existsb (fun b => number b =? snd pair) set.

(** The bytes that all layouts need because of the buffers alive at t, or 0. *)
Definition need_of_load (p : problem) (t : Z) : Z :=
  let set := load_at p t in
  if existsb (is_pair_in set) (exclusions p) || (1 <? Z.of_nat (length (filter (is_tied p) set))) then 0
  else
    let part := filter (has_allowance p) set in
    sum size set - Z.min (shared p (output_enters p) part) (shared p (input_enters p) part).

Lemma output_enters_one p a b : number a <> number b -> output_enters p a b = true \/ output_enters p b a = true.
Proof.
  unfold output_enters. intros h. destruct (number a <? number b) eqn:e, (number b <? number a) eqn:f; lia.
Qed.

Lemma no_gap p a b : has_allowance p a = false \/ has_allowance p b = false -> gap p a b = size a.
Proof.
  unfold has_allowance, gap. induction (overlaps p) as [|[[i j] d] l ih]; cbn; [reflexivity|].
  unfold mentions in *. cbn. intros h.
  destruct (_ && _) eqn:e; [lia|apply ih; lia].
Qed.

Lemma shareable_0 p a b : 0 <= size a -> 0 <= size b -> has_allowance p a = false \/ has_allowance p b = false ->
  shareable p a b = 0.
Proof. intros pa pb h. unfold shareable. rewrite !no_gap by tauto. lia. Qed.

Lemma shared_filter p enters set : (forall b, In b set -> 0 <= size b) ->
  shared p enters set = shared p enters (filter (has_allowance p) set).
Proof.
  intros pos. unfold shared. rewrite (sum_filter _ (has_allowance p)).
  - apply sum_ext. intros a ha. apply filter_In in ha. destruct ha as [ha _]. unfold let_in_at_most. f_equal.
    apply sum_filter. intros b hb e. rewrite shareable_0; auto. destruct (_ && _); reflexivity.
  - intros a ha e. unfold let_in_at_most.
    rewrite sum_0; [specialize (pos a ha); lia|]. intros b hb. rewrite shareable_0; auto. destruct (_ && _); reflexivity.
Qed.

Theorem need_of_load_least p t : NoDup (map number (buffers p)) -> least p (need_of_load p t).
Proof.
  intros nodup x [own [pairs _]]. destruct (reaches_or p x (need_of_load p t)) as [?|[pos ends]]; [assumption|]. exfalso.
  unfold need_of_load in *. destruct (existsb _ (exclusions p) || _) eqn:excluded; [lia|].
  apply orb_false_iff in excluded. destruct excluded as [excluded single]. set (set := load_at p t) in *.
  set (need := sum size set - _) in *.
  assert (in_set : forall b, In b set -> In b (buffers p) /\ 0 < size b /\ alive b t).
  { intros b i. apply filter_In in i. destruct i as [i h]. unfold is_in_load in h. apply andb_true_iff in h. destruct h as [h l].
    apply existsb_exists in l. destruct l as [l [il wl]]. unfold is_within in wl. repeat split; [exact i|lia|].
    exists l. split; [exact il|unfold within; lia]. }
  assert (distinct : NoDup (map number set)) by (apply NoDup_map_filter, nodup).
  assert (nonneg : forall a, In a set -> 0 <= size a /\ 0 <= x (number a)).
  { intros a i. destruct (in_set a i) as [j [h _]]. destruct (own a j). lia. }
  assert (ordered : forall a b, In a set -> In b set -> number a <> number b -> below p x a b \/ below p x b a).
  { intros a b ia ib ne. destruct (in_set a ia) as [ja [pa la]], (in_set b ib) as [jb [pb lb]].
    apply pairs; [exact ja|exact jb|]. repeat split; [exact ne|exact pa|exact pb|]. right. split; [exists t; tauto|].
    split; intros n.
    2: { apply colocated_tied in n; [|exact ne]. destruct n as [ta tb]. pose proof (conj ia ta) as fa. pose proof (conj ib tb) as fb.
      rewrite <- filter_In in fa, fb. destruct (filter (is_tied p) set) as [|c [|]]; cbn in *; [tauto| |lia]. intuition congruence. }
    apply not_true_iff_false in excluded. apply excluded, existsb_exists. destruct n as [n|n]; (eexists; split; [exact n|]); unfold is_pair_in; rewrite andb_true_iff, !existsb_exists;
      split; eexists; (split; [|apply Z.eqb_refl]); assumption. }
  assert (sizes : forall b, In b set -> 0 <= size b) by (intros b i; apply nonneg in i; lia).
  assert (shares : forall enters : buffer -> buffer -> bool, forall a b, In a set -> In b set -> number a <> number b -> enters a b = true ->
    0 <= shareable p a b /\ Z.min (x (number a) + size a) (x (number b) + size b) - Z.max (x (number a)) (x (number b)) <= shareable p a b).
  { intros enters a b ia ib ne _. split; [unfold shareable; lia|]. apply overlap_shareable, ordered; assumption. }
  pose proof (fun enters o => load number (fun b => x (number b)) size set distinct nonneg enters o (shareable p) (shares enters) (need - 1)
    (fun b i => ends b (proj1 (in_set b i))) ltac:(lia)) as loads.
  pose proof (loads _ (output_enters_one p)) as out.
  pose proof (loads (input_enters p) (fun a b ne => output_enters_one p b a (not_eq_sym ne))) as inp.
  pose proof (shared_filter p (output_enters p) set sizes) as s. pose proof (shared_filter p (input_enters p) set sizes) as s'.
  unfold shared in s, s'. subst need. unfold shared in *. lia.
Qed.
