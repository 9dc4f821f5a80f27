(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** While an operator runs, at least the bytes of its cut are alive: values that certainly are, and a flow through others. *)
From Neap Require Import bytes graph cut.
Opaque past_of rest_of.

(** Of a value's bytes, so many flow to a reader, or, with None, to the end. *)
Definition flow := (option positive * Z)%type.

(** Operator [cut_at], flows of each value in the order of values, and bytes that go on from an operator to one that it needs. *)
Record cut := { cut_at : positive; flows : list (list flow); carries : list (pair * Z) }.

Lemma combine_fst {A B} (l : list A) : forall m : list B, length l = length m -> map fst (combine l m) = l.
Proof. induction l as [|a l ih]; intros [|b m] [=]; cbn; f_equal; auto. Qed.

Section Checked.
  Variable past rest : set.
  Variable k : positive.

  Definition is_made_before (v : value) : bool := match maker v with Some m => has m past | None => true end.
  Definition is_kept (v : value) : bool := stays v || existsb (fun r => has r rest) (readers v).
  Definition is_certain (v : value) : bool := is_made_by k v || (is_made_before v && is_kept v).

  Definition is_flow (v : value) (f : flow) : bool :=
    (0 <=? snd f) && match fst f with Some r => existsb (Pos.eqb r) (readers v) | None => is_kept v end.

  Definition are_flows (e : value * list flow) : bool :=
    match snd e with
    | [] => true
    | fs => negb (is_certain (fst e)) && forallb (is_flow (fst e)) fs && (sum snd fs <=? bytes_of (fst e))
    end.

  Definition is_carry (all : list pair) (c : pair * Z) : bool :=
    (0 <=? snd c) && existsb (fun p => Pos.eqb (fst p) (fst (fst c)) && Pos.eqb (snd p) (snd (fst c))) all.

  Definition line := (value * flow)%type.
  Definition lines_of (e : value * list flow) : list line := map (fun f => (fst e, f)) (snd e).

  (** What a line takes from an operator, and gives to another. *)
  Definition changes_of (l : line) : list change :=
    match fst (snd l) with Some r => [(r, snd (snd l))] | None => [] end ++
    match maker (fst l) with Some m => if has m past then [] else [(m, - snd (snd l))] | None => [] end.
  Definition carried (c : pair * Z) : list change := [(fst (fst c), - snd c); (snd (fst c), snd c)].

  Definition to_end (l : line) : Z := match fst (snd l) with None => snd (snd l) | Some _ => 0 end.
End Checked.

(** A lower bound on the bytes alive while the operator runs, if all the needs in [all] hold; None if something is wrong. *)
Definition bytes_of_cut (g : graph) (all : list pair) (c : cut) : option Z :=
  let k := cut_at c in
  let past := past_of all k in
  let rest := rest_of all k in
  let vs := combine (values g) (flows c) in
  let lines := flat_map lines_of vs in
  if (length (values g) =? length (flows c))%nat && forallb (are_flows past rest k) vs && forallb (is_carry all) (carries c) &&
     are_balanced (flat_map (changes_of past) lines ++ flat_map carried (carries c))
  then Some (sum (fun v => if is_certain past rest k v then bytes_of v else 0) (values g) + sum to_end lines)
  else None.

Section Sound.
  Variable g : graph.
  Variable o : order.
  Variable all : list pair.
  Hypothesis kept : forall k j, In (k, j) all -> o j < o k.
  Hypothesis sizes : forall v, In v (values g) -> 0 <= bytes_of v.
  Variable c : cut.
  Let k := cut_at c.
  Let past := past_of all k.
  Let rest := rest_of all k.

  Definition has_run (j : positive) : bool := o j <? o k.

  (** The bytes of a line that are alive when the operator runs: their maker has run, their reader has not. *)
  Definition is_crossing (l : line) : bool :=
    match maker (fst l) with Some m => has m past || has_run m | None => true end &&
    match fst (snd l) with Some r => negb (has_run r) | None => true end.
  Definition crossing (l : line) : Z := if is_crossing l then snd (snd l) else 0.

  Lemma kept_wanted v : is_kept rest v = true -> stays v || existsb (fun r => o k <=? o r) (readers v) = true.
  Proof.
    unfold is_kept. rewrite !orb_true_iff, !existsb_exists. intros [h|[r [i h]]]; [auto|]. right. exists r. split; [exact i|].
    apply Z.leb_le, (rest_after o all kept), h.
  Qed.

  Lemma certain_alive v : is_certain past rest k v = true -> is_alive g o k v = true.
  Proof.
    pose proof (kept_wanted v) as w. unfold is_certain, is_alive, is_made_by, is_made_before. destruct (maker v) as [m|]; cbn.
    - pose proof (past_before o all kept k m : has m past = true -> _). destruct (Pos.eqb_spec m k) as [->|ne]; lia.
    - intros h. rewrite (w h). reflexivity.
  Qed.

  Lemma crossing_alive v f : is_flow rest v f = true -> is_crossing (v, f) = true -> is_alive g o k v = true.
  Proof.
    pose proof (kept_wanted v). unfold is_flow, is_crossing, is_alive, has_run. cbn [fst snd]. rewrite !andb_true_iff.
    intros [_ h] [m r]. split.
    - destruct (maker v) as [j|]; [|reflexivity]. pose proof (past_before o all kept k j : has j past = true -> _). lia.
    - destruct (fst f) as [j|]; [|rewrite H by exact h; reflexivity]. apply existsb_exists in h. destruct h as [j' [i e]].
      replace (existsb _ (readers v)) with true; [rewrite orb_true_r; reflexivity|]. symmetry. apply existsb_exists. exists j'.
      split; [exact i|]. apply Pos.eqb_eq in e. subst. lia.
  Qed.

  Lemma value_alive e : In (fst e) (values g) -> are_flows past rest k e = true ->
    (if is_certain past rest k (fst e) then bytes_of (fst e) else 0) + sum crossing (lines_of e)
    <= if is_alive g o k (fst e) then bytes_of (fst e) else 0.
  Proof.
    destruct e as [v fs]. cbn [fst snd]. intros i h. specialize (sizes v i). unfold lines_of. cbn [fst snd]. rewrite sum_map.
    cbv beta. unfold are_flows in h. cbn [fst snd] in h. destruct fs as [|f fs].
    { pose proof (certain_alive v). cbn [sum]. destruct (is_certain past rest k v), (is_alive g o k v); lia. }
    set (l := f :: fs) in *. rewrite !andb_true_iff, negb_true_iff, forallb_forall in h. destruct h as [[-> ok] most].
    destruct (is_alive g o k v) eqn:a.
    - assert (sum (fun f => crossing (v, f)) l <= sum snd l); [|lia].
      apply sum_le. intros b ib. specialize (ok b ib). unfold is_flow in ok. unfold crossing. cbn [snd].
      destruct (is_crossing _); lia.
    - rewrite sum_0; [lia|]. intros b ib. unfold crossing. pose proof (crossing_alive v b (ok b ib)).
      destruct (is_crossing (v, b)); [specialize (H eq_refl); congruence|reflexivity].
  Qed.

  Definition inside (in_ : positive -> bool) (ch : change) : Z := if in_ (fst ch) then snd ch else 0.

  Lemma line_balance l : 0 <= snd (snd l) ->
    to_end l + sum (inside (fun _ => true)) (changes_of past l) - sum (inside has_run) (changes_of past l) <= crossing l.
  Proof.
    destruct l as [v [r b]]. cbn [fst snd]. intros pos. unfold to_end, changes_of, crossing, is_crossing. cbn [fst snd].
    destruct (maker v) as [m|]; [destruct (has m past)|]; destruct r as [r|]; unfold inside; cbn;
      try destruct (has_run m); try destruct (has_run r); cbn; lia.
  Qed.

  Lemma carry_balance e : is_carry all e = true ->
    sum (inside (fun _ => true)) (carried e) = 0 /\ 0 <= sum (inside has_run) (carried e).
  Proof.
    destruct e as [[user needed] b]. unfold is_carry. cbn [fst snd]. rewrite andb_true_iff, Z.leb_le. intros [pos h].
    apply existsb_exists in h. destruct h as [[u n] [i h]]. cbn in h. rewrite andb_true_iff, !Pos.eqb_eq in h.
    destruct h as [-> ->]. specialize (kept _ _ i). unfold inside, carried, has_run. cbn.
    destruct (o user <? o k) eqn:e, (o needed <? o k) eqn:f; lia.
  Qed.

  Theorem bytes_of_cut_sound n : bytes_of_cut g all c = Some n -> n <= alive_at g o k.
  Proof.
    unfold bytes_of_cut. fold k past rest. set (vs := combine (values g) (flows c)). set (lines := flat_map lines_of vs).
    destruct (_ && _) eqn:ok; [|discriminate]. intros [= <-].
    rewrite !andb_true_iff, !forallb_forall in ok. destruct ok as [[[same fine] carry] balanced].
    assert (alls : values g = map fst vs) by (symmetry; apply combine_fst, Nat.eqb_eq, same).
    assert (of_values : forall e, In e vs -> In (fst e) (values g)) by (intros e i; rewrite alls; apply in_map, i).
    assert (pos : forall l, In l lines -> 0 <= snd (snd l)).
    { intros l i. apply in_flat_map in i. destruct i as [[v fs] [iv i]]. unfold lines_of in i. cbn [fst snd] in i.
      apply in_map_iff in i. destruct i as [f [<- i]]. specialize (fine _ iv). unfold are_flows in fine. cbn [fst snd] in fine.
      destruct fs as [|f' fs]; [destruct i|]. rewrite !andb_true_iff, forallb_forall in fine. destruct fine as [[_ ok] _].
      specialize (ok f i). unfold is_flow in ok. cbn. lia. }
    assert (enough_crosses : sum to_end lines <= sum crossing lines).
    { set (ch := flat_map (changes_of past) lines ++ flat_map carried (carries c)) in *.
      assert (zero : forall in_, sum (inside in_) ch = 0).
      { intros in_. apply (balanced_part in_). intros j. apply are_balanced_at, balanced. }
      pose proof (zero (fun _ => true)) as za. pose proof (zero has_run) as zs. unfold ch in za, zs.
      rewrite sum_app, !sum_flat_map in za, zs.
      rewrite (sum_0 _ (carries c)) in za by (intros a i; apply carry_balance, carry, i).
      assert (cs : 0 <= sum (fun a => sum (inside has_run) (carried a)) (carries c)).
      { apply sum_nonneg. intros a i. apply carry_balance, carry, i. }
      assert (le : sum (fun l => to_end l + sum (inside (fun _ => true)) (changes_of past l)) lines
                   <= sum (fun l => crossing l + sum (inside has_run) (changes_of past l)) lines).
      { apply sum_le. intros l i. specialize (line_balance l (pos l i)). lia. }
      rewrite !sum_plus in le. lia. }
    transitivity (sum (fun e => (if is_certain past rest k (fst e) then bytes_of (fst e) else 0) + sum crossing (lines_of e)) vs).
    - rewrite sum_plus. rewrite alls at 1. rewrite sum_map. unfold lines in *. rewrite sum_flat_map in enough_crosses.
      rewrite (sum_flat_map crossing) in enough_crosses. rewrite sum_flat_map. lia.
    - unfold alive_at. rewrite alls at 1. rewrite sum_map. apply sum_le. intros e i. apply value_alive; [apply of_values, i|].
      apply fine, i.
  Qed.
End Sound.
