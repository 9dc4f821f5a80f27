(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Compares each two buffers that are alive together. *)
From Coq Require Import ZArith List Lia Bool Sorting Mergesort Orders Permutation.
From Neap Require Import problem load place.
Import ListNotations.
Open Scope Z_scope.

(** A buffer during one of its lifetimes. *)
Definition event := (lifetime * placed)%type.

Definition events_of (e : placed) : list event :=
  if 0 <? size (fst e) then map (fun l => (l, e)) (lives (fst e)) else [].

Module EventOrder <: TotalLeBool.
  Definition t := event.
  Definition leb (a b : event) := start (fst a) <=? start (fst b).
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !Z.leb_le. lia. Qed.
End EventOrder.
Module EventSort := Sort EventOrder.

Section Sweep.
  Variable suits : placed -> placed -> bool.

  Definition is_alive_at (t : Z) (e : event) : bool := t <? stop (fst e).

  (** Compares each buffer with those that are still alive when it starts, for events in the order of time. *)
  Fixpoint sweep (active : list event) (events : list event) : bool :=
    match events with
    | [] => true
    | e :: events =>
        let active := filter (is_alive_at (start (fst e))) active in
        if forallb (fun other => suits (snd e) (snd other)) active then sweep (e :: active) events else false
    end.

  Definition suit_at (a b : event) :=
    forall t, within t (fst a) -> within t (fst b) -> suits (snd b) (snd a) = true.

  Lemma sweep_true events : forall active, LocallySorted (fun a b => is_true (EventOrder.leb a b)) events ->
    sweep active events = true ->
    (forall a b, In a active -> In b events -> suit_at a b) /\ ForallOrdPairs suit_at events.
  Proof.
    intros active sorted. apply Sorted_LocallySorted_iff in sorted. apply Sorted_StronglySorted in sorted.
    2: { intros a b c. unfold is_true, EventOrder.leb. rewrite !Z.leb_le. lia. }
    revert active. induction events as [|e events ih]; cbn [sweep]; intros active.
    - intros _. split; [intros a b _ []|constructor].
    - inversion_clear sorted as [|? ? sorted' first]. rewrite Forall_forall in first.
      destruct (forallb _ _) eqn:now; [|discriminate]. intros h. apply ih in h; [|exact sorted'].
      destruct h as [from rest]. rewrite forallb_forall in now. split.
      + intros a b ha [<-|hb] t wa wb; unfold within in wa, wb.
        * apply now. apply filter_In. split; [exact ha|]. unfold is_alive_at. apply Z.ltb_lt. lia.
        * assert (start (fst e) <= start (fst b)) by (apply Z.leb_le, first, hb).
          apply (from a b) with (t := t); [|exact hb|exact wa|exact wb].
          right. apply filter_In. split; [exact ha|]. unfold is_alive_at. apply Z.ltb_lt. lia.
      + constructor; [|exact rest]. apply Forall_forall. intros b hb. apply from; [left; reflexivity|exact hb].
  Qed.
End Sweep.
