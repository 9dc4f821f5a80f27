(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The part [order] with [cut] and [before]: no order of the operators has a bound below a given one. *)
From Neap Require Import bytes graph moments cut flow.

(** With a rule (i, j), the cut is as if i had to wait for j, and reaches the bound; so in orders below it, i runs before j. *)
Record step := { rule : option pair; way : cut }.

Definition reaches_bound (g : graph) (all : list pair) (bound : Z) (c : cut) : bool :=
  is_operator g (cut_at c) && match bytes_of_cut g all c with Some n => bound <=? n | None => false end.

(** [all]: the needs of the operators, and what the earlier rules imply for orders below the bound. *)
Fixpoint are_steps (g : graph) (all : list pair) (bound : Z) (steps : list step) : bool :=
  match steps with
  | [] => false
  | s :: steps =>
      match rule s with
      | None => reaches_bound g all bound (way s)
      | Some (i, j) =>
          negb (Pos.eqb i j) && is_operator g i && is_operator g j &&
          reaches_bound g ((i, j) :: all) bound (way s) && are_steps g ((j, i) :: all) bound steps
      end
  end.

(** [order B 0]. *)
Definition accepts_order (g : graph) (bound : Z) (steps : list step) : bool :=
  forallb (fun v => 0 <=? bytes_of v) (values g) && are_steps g (needs g) bound steps.

Section Sound.
  Variable g : graph.
  Variable o : order.
  Variable bound : Z.
  Hypothesis different : forall a b, In a (operators g) -> In b (operators g) -> o a = o b -> a = b.
  Hypothesis sizes : forall v, In v (values g) -> 0 <= bytes_of v.

  Lemma reaches_bound_true all c : (forall k j, In (k, j) all -> o j < o k) -> reaches_bound g all bound c = true ->
    exists k, In k (operators g) /\ bound <= alive_at g o k.
  Proof.
    intros kept h. unfold reaches_bound in h. apply andb_true_iff in h. destruct h as [i h]. apply is_in_true in i.
    destruct (bytes_of_cut g all c) as [n|] eqn:e; [|discriminate]. apply Z.leb_le in h.
    exists (cut_at c). split; [exact i|]. pose proof (bytes_of_cut_sound g o all kept sizes c n e). lia.
  Qed.

  Lemma are_steps_true steps : forall all, (forall k j, In (k, j) all -> o j < o k) -> are_steps g all bound steps = true ->
    exists k, In k (operators g) /\ bound <= alive_at g o k.
  Proof.
    induction steps as [|s steps ih]; cbn; [discriminate|]. intros all kept.
    destruct (rule s) as [[i j]|]; [|apply reaches_bound_true, kept].
    rewrite !andb_true_iff, negb_true_iff, Pos.eqb_neq. intros [[[[ne oi] oj] now] later].
    apply is_in_true in oi. apply is_in_true in oj.
    destruct (Z_lt_le_dec (o j) (o i)) as [lt|le].
    - apply (reaches_bound_true ((i, j) :: all) (way s)); [|exact now]. intros a b [[= <- <-]|h]; auto.
    - apply (ih ((j, i) :: all)); [|exact later]. intros a b [[= <- <-]|h]; [|auto].
      assert (o i <> o j) by (intros e; apply ne, different; assumption). lia.
  Qed.
End Sound.

Theorem accepts_order_sound g bound steps : accepts_order g bound steps = true -> least_order g bound.
Proof.
  unfold accepts_order. rewrite andb_true_iff, forallb_forall. intros [sizes ok] o [different kept].
  apply (are_steps_true g o bound different) with (steps := steps) (all := needs g); [|exact kept|exact ok].
  intros v i. apply Z.leb_le, sizes, i.
Qed.
