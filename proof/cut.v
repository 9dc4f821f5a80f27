(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What certainly runs before an operator, what certainly does not, and sums that balance at each operator. *)
From Neap Require Import bytes graph.

Definition set := M.t unit.
Definition has (k : positive) (s : set) : bool := M.mem k s.

Lemma has_add k j s : has k (M.add j tt s) = true <-> k = j \/ has k s = true.
Proof.
  unfold has. rewrite !M.mem_find. destruct (Pos.eq_dec k j) as [->|ne]; [rewrite M.gss|rewrite M.gso by auto]; tauto.
Qed.

Lemma has_empty k : has k (M.empty unit) = false.
Proof. unfold has. rewrite M.mem_find, M.gempty. reflexivity. Qed.

(* ---------------------------------------------------------------- before and after *)

Definition pair := (positive * positive)%type.

(** One pass over what operators need; a set, and whether it has grown. *)
Definition grow (pick : pair -> pair) (state : set * bool) (need : pair) : set * bool :=
  let (from, found) := pick need in
  if has from (fst state) && negb (has found (fst state)) then (M.add found tt (fst state), true) else state.

Fixpoint grown (passes : nat) (pick : pair -> pair) (all : list pair) (s : set) : set :=
  match passes with
  | O => s
  | S passes => let (s, more) := fold_left (grow pick) all (s, false) in if more then grown passes pick all s else s
  end.

Lemma grown_inv (holds : positive -> Prop) pick all : (forall need, In need all -> holds (fst (pick need)) -> holds (snd (pick need))) ->
  forall passes s, (forall k, has k s = true -> holds k) -> forall k, has k (grown passes pick all s) = true -> holds k.
Proof.
  intros step. induction passes as [|passes ih]; cbn; intros s inv; [exact inv|].
  assert (pass : forall k, has k (fst (fold_left (grow pick) all (s, false))) = true -> holds k).
  { apply (fold_ok (fun state : set * bool => forall k, has k (fst state) = true -> holds k)); [|exact inv].
    intros state need i hs. specialize (step need i). unfold grow. destruct (pick need) as [from found]. cbn in step.
    destruct (_ && _) eqn:e; [|exact hs]. intros k h. apply has_add in h. destruct h as [->|h]; [apply step, hs; lia|auto]. }
  destruct (fold_left _ _ _) as [s' more]. cbn in pass. destruct more; [apply ih, pass|exact pass].
Qed.

Definition passes_most : nat := 100.
Definition swap (p : pair) : pair := (snd p, fst p).

(** What must run before k, with k, and what cannot run before k.  Needs come in the order of operators, so the second pass
    usually finds no more. *)
Definition past_of (all : list pair) (k : positive) : set :=
  grown passes_most (fun p => p) (rev all) (M.add k tt (M.empty unit)).
Definition rest_of (all : list pair) (k : positive) : set := grown passes_most swap all (M.add k tt (M.empty unit)).

Section Cut.
  Variable g : graph.
  Variable o : order.
  Variable all : list pair.
  Hypothesis kept : forall k j, In (k, j) all -> o j < o k.
  Variable cut : positive.

  Lemma in_cut k : has k (M.add cut tt (M.empty unit)) = true -> k = cut.
  Proof. rewrite has_add, has_empty. intros [->|h]; [reflexivity|discriminate]. Qed.

  Lemma past_before k : has k (past_of all cut) = true -> o k <= o cut.
  Proof.
    apply (grown_inv (fun k => o k <= o cut)); [|intros j ->%in_cut; lia].
    intros [a b] h. apply in_rev in h. specialize (kept a b h). cbn. lia.
  Qed.

  Lemma rest_after k : has k (rest_of all cut) = true -> o cut <= o k.
  Proof.
    apply (grown_inv (fun k => o cut <= o k)); [|intros j ->%in_cut; lia]. intros [a b] h. specialize (kept a b h). cbn. lia.
  Qed.
End Cut.

(* ---------------------------------------------------------------- sums by operator *)

Definition change := (positive * Z)%type.
Definition add_change (m : M.t Z) (c : change) : M.t Z := M.add (fst c) (snd c + get 0 m (fst c)) m.
Definition are_balanced (l : list change) : bool :=
  forallb (fun e => snd e =? 0) (M.elements (fold_left add_change l (M.empty Z))).

Definition at_operator (k : positive) (c : change) : Z := if Pos.eqb (fst c) k then snd c else 0.

Lemma find_changes k l : forall m, get 0 (fold_left add_change l m) k = get 0 m k + sum (at_operator k) l.
Proof.
  induction l as [|c l ih]; cbn; intros m; [lia|]. rewrite ih. unfold add_change, at_operator.
  rewrite get_add, Pos.eqb_sym. destruct (Pos.eqb_spec (fst c) k) as [->|ne]; lia.
Qed.

Lemma are_balanced_at k l : are_balanced l = true -> sum (at_operator k) l = 0.
Proof.
  unfold are_balanced. rewrite forallb_forall. intros h. pose proof (find_changes k l (M.empty Z)) as f.
  unfold get in f. rewrite M.gempty in f. cbn in f. rewrite <- f.
  destruct (M.find k _) as [n|] eqn:e; [|reflexivity].
  apply M.elements_correct in e. specialize (h _ e). apply Z.eqb_eq in h. exact h.
Qed.

Lemma balanced_part (inside : positive -> bool) l : (forall k, sum (at_operator k) l = 0) ->
  sum (fun c : change => if inside (fst c) then snd c else 0) l = 0.
Proof.
  intros h. pose (keys := nodup Pos.eq_dec (map fst l)).
  rewrite (sum_ext _ (fun c => sum (fun k => if inside k then at_operator k c else 0) keys)).
  - rewrite sum_swap. apply sum_0. intros k _. destruct (inside k); [apply h|apply sum_0; reflexivity].
  - intros c i. assert (ik : In (fst c) keys) by (apply nodup_In, in_map, i).
    pose proof (NoDup_nodup Pos.eq_dec (map fst l)) as once. fold keys in once. unfold at_operator.
    induction once as [|k ks out _ ih]; [destruct ik|]. cbn [sum]. destruct (Pos.eqb_spec (fst c) k) as [->|ne].
    + rewrite sum_0; [lia|]. intros j ij. destruct (Pos.eqb_spec k j) as [->|]; [contradiction|].
      destruct (inside j); reflexivity.
    + destruct ik as [e|ik]; [congruence|]. rewrite <- (ih ik). destruct (inside k); reflexivity.
Qed.
