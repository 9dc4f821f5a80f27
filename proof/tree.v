(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Buffers that are alive together: every two are compared, or, if none share a byte, all are in a tree by offset, in
    near-linear time. *)
From Coq Require Import Sorting Mergesort Orders Permutation.
From Neap Require Import problem bytes load place.

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

Inductive tree := Leaf | Node (l : tree) (e : event) (r : tree).

Definition bottom_of (e : event) : Z := snd (snd e).
Definition end_of (e : event) : Z := snd (snd e) + size (fst (snd e)).
Definition has_bytes (e : event) : Prop := 0 < size (fst (snd e)).
Definition are_apart (a b : event) : Prop := end_of a <= bottom_of b \/ end_of b <= bottom_of a.

Fixpoint contains (t : tree) (e : event) : Prop :=
  match t with Leaf => False | Node l f r => contains l e \/ f = e \/ contains r e end.

Fixpoint ordered (t : tree) : Prop :=
  match t with
  | Leaf => True
  | Node l f r => has_bytes f /\ (forall g, contains l g -> end_of g <= bottom_of f) /\
      (forall g, contains r g -> end_of f <= bottom_of g) /\ ordered l /\ ordered r
  end.

(** None if the event shares bytes with one in the tree. *)
Fixpoint insert (e : event) (t : tree) : option tree :=
  match t with
  | Leaf => Some (Node Leaf e Leaf)
  | Node l f r =>
      if end_of e <=? bottom_of f then option_map (fun l => Node l f r) (insert e l)
      else if end_of f <=? bottom_of e then option_map (fun r => Node l f r) (insert e r)
      else None
  end.

Lemma insert_some e t : has_bytes e -> ordered t -> forall t', insert e t = Some t' ->
  ordered t' /\ (forall g, contains t' g <-> g = e \/ contains t g) /\ (forall g, contains t g -> are_apart g e).
Proof.
  intros bytes. induction t as [|l ihl f r ihr]; cbn [insert ordered contains].
  - intros _ t' [= <-]. cbn. repeat split; try tauto. intros [[]|[->|[]]]. auto. intros [->|[]]. auto.
  - intros [bf [left_ [right_ [ol or_]]]] t'. unfold has_bytes, end_of, bottom_of in *.
    destruct (_ <=? _) eqn:c; [|destruct (_ <=? snd (snd e)) eqn:d; [|discriminate]];
      rewrite ?Z.leb_le, ?Z.leb_gt in *.
    + destruct (insert e l) as [l'|]; [|discriminate]. intros [= <-]. destruct (ihl ol l' eq_refl) as [o [has apart]].
      cbn. unfold has_bytes, end_of, bottom_of in *. repeat split; auto.
      * intros g h. apply has in h. destruct h as [->|h]; auto.
      * rewrite has. tauto.
      * rewrite has. intuition congruence.
      * intros g [h|[<-|h]]; [auto|right; auto|right]. specialize (right_ g h). unfold bottom_of, end_of. lia.
    + destruct (insert e r) as [r'|]; [|discriminate]. intros [= <-]. destruct (ihr or_ r' eq_refl) as [o [has apart]].
      cbn. unfold has_bytes, end_of, bottom_of in *. repeat split; auto.
      * intros g h. apply has in h. destruct h as [->|h]; auto.
      * rewrite has. tauto.
      * rewrite has. intuition congruence.
      * intros g [h|[<-|h]]; [|left; auto|auto]. left. specialize (left_ g h). unfold bottom_of, end_of. lia.
Qed.

Fixpoint join (l r : tree) : tree :=
  match l with Leaf => r | Node a e b => Node a e (join b r) end.

Lemma join_contains l r g : contains (join l r) g <-> contains l g \/ contains r g.
Proof. induction l as [|a iha e b ihb]; cbn; [tauto|]. rewrite ihb. tauto. Qed.

Lemma join_ordered l r : ordered l -> ordered r -> (forall g h, contains l g -> contains r h -> end_of g <= bottom_of h) ->
  ordered (join l r).
Proof.
  induction l as [|a iha e b ihb]; cbn; [tauto|]. intros [be [la [rb [oa ob]]]] or_ sep. repeat split; auto.
  intros g h. apply join_contains in h. destruct h as [h|h]; auto.
Qed.

(** Removes what is at an offset, if it has ended by [now]. *)
Fixpoint remove (now at_ : Z) (t : tree) : tree :=
  match t with
  | Leaf => Leaf
  | Node l f r =>
      if bottom_of f =? at_ then if stop (fst f) <=? now then join l r else t
      else if at_ <? bottom_of f then Node (remove now at_ l) f r
      else Node l f (remove now at_ r)
  end.

Lemma remove_contains now at_ t g : contains (remove now at_ t) g -> contains t g.
Proof.
  induction t as [|l ihl f r ihr]; cbn; [tauto|].
  destruct (_ =? _); [destruct (_ <=? _)|destruct (_ <? _)]; cbn; try tauto. rewrite join_contains. tauto.
Qed.

Lemma remove_keeps now at_ t g : contains t g -> now < stop (fst g) -> contains (remove now at_ t) g.
Proof.
  induction t as [|l ihl f r ihr]; cbn; [tauto|]. intros h later.
  destruct (_ =? _); [destruct (_ <=? _) eqn:e|destruct (_ <? _)]; cbn; try tauto.
  rewrite join_contains. destruct h as [h|[<-|h]]; auto. apply Z.leb_le in e. lia.
Qed.

Lemma remove_ordered now at_ t : ordered t -> ordered (remove now at_ t).
Proof.
  induction t as [|l ihl f r ihr]; cbn; [tauto|]. intros [bf [lo [ro [ol or_]]]].
  destruct (_ =? _); [destruct (_ <=? _)|destruct (_ <? _)]; cbn; repeat split; auto.
  - apply join_ordered; auto. intros g h hg hh. specialize (lo g hg). specialize (ro h hh).
    unfold has_bytes, bottom_of, end_of in *. lia.
  - intros g h. apply lo. apply remove_contains in h. exact h.
  - intros g h. apply ro. apply remove_contains in h. exact h.
Qed.

(* ---------------------------------------------------------------- in the order of time *)

(** An event starts, or ends. *)
Definition moment := (bool * event)%type.
Definition time_of (m : moment) : Z := if fst m then start (fst (snd m)) else stop (fst (snd m)).

Module MomentOrder <: TotalLeBool.
  Definition t := moment.
  Definition key (m : moment) : Z := 2 * time_of m + if fst m then 1 else 0.
  Definition leb (a b : moment) := key a <=? key b.
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !Z.leb_le. lia. Qed.
End MomentOrder.
Module MomentSort := Sort MomentOrder.

Fixpoint walk (t : tree) (moments : list moment) : bool :=
  match moments with
  | [] => true
  | (true, e) :: moments => match insert e t with Some t => walk t moments | None => false end
  | (false, e) :: moments => walk (remove (stop (fst e)) (bottom_of e) t) moments
  end.

Definition apart_if_together (m n : moment) : Prop := fst m = true -> fst n = true ->
  forall t, within t (fst (snd m)) -> within t (fst (snd n)) -> are_apart (snd m) (snd n).

Lemma walk_true moments : Forall (fun m => has_bytes (snd m)) moments ->
  StronglySorted (fun a b => is_true (MomentOrder.leb a b)) moments ->
  forall t from done, ordered t -> Forall (fun m => from <= time_of m) moments ->
    (forall m, In m done -> fst m = true -> from < stop (fst (snd m)) -> contains t (snd m)) ->
    walk t moments = true ->
    (forall m n, In m done -> In n moments -> apart_if_together m n) /\ ForallOrdPairs apart_if_together moments.
Proof.
  induction moments as [|m moments ih]; intros bytes sorted t from done o later inv; cbn [walk].
  { intros _. split; [intros ? ? _ []|constructor]. }
  inversion_clear bytes as [|? ? bm bs]. inversion_clear sorted as [|? ? sorted' first]. inversion_clear later as [|? ? lm ls].
  assert (after : Forall (fun n => time_of m <= time_of n) moments).
  { rewrite Forall_forall in *. intros n h. specialize (first n h). unfold is_true, MomentOrder.leb, MomentOrder.key in first.
    apply Z.leb_le in first. destruct (fst m), (fst n); lia. }
  destruct m as [[|] e]; cbn [fst snd] in *.
  - destruct (insert e t) as [t'|] eqn:i; [|discriminate]. intros w.
    destruct (insert_some e t bm o t' i) as [o' [has apart]].
    assert (inv' : forall m, In m ((true, e) :: done) -> fst m = true -> time_of (true, e) < stop (fst (snd m)) ->
              contains t' (snd m)).
    { intros m [<-|h] s l; apply has; [left; reflexivity|right]. apply inv; [exact h|exact s|]. exact (Z.le_lt_trans _ _ _ lm l). }
    destruct (ih bs sorted' t' (time_of (true, e)) ((true, e) :: done) o' after inv' w) as [old new].
    split; [|constructor; [|exact new]].
    + intros m n h [<-|h']; [|apply old; [right; exact h|exact h']].
      intros s _ u [_ um] [ue _]. cbn [fst snd] in *. apply apart. apply inv; [exact h|exact s|].
      exact (Z.le_lt_trans _ _ _ lm (Z.le_lt_trans _ _ _ ue um)).
    + apply Forall_forall. intros n h. apply old; [left; reflexivity|exact h].
  - intros w. assert (inv' : forall m, In m done -> fst m = true -> time_of (false, e) < stop (fst (snd m)) ->
              contains (remove (stop (fst e)) (bottom_of e) t) (snd m)).
    { intros m h s l. cbn in l. apply remove_keeps; [|exact l]. apply inv; [exact h|exact s|]. exact (Z.le_lt_trans _ _ _ lm l). }
    destruct (ih bs sorted' _ (time_of (false, e)) done (remove_ordered _ _ t o) after inv' w) as [old new].
    split; [|constructor; [|exact new]].
    + intros m n h [<-|h']; [intros _ [=]|apply old; assumption].
    + apply Forall_forall. intros n _ [=].
Qed.

Definition moments_of (e : placed) : list moment := flat_map (fun v => [(true, v); (false, v)]) (events_of e).

Definition share_nothing (l : list placed) : bool := walk Leaf (MomentSort.sort (flat_map moments_of l)).

Theorem share_nothing_true l : share_nothing l = true -> forall a b m n t, In a l -> In b l -> a <> b ->
  0 < size (fst a) -> 0 < size (fst b) -> In m (lives (fst a)) -> In n (lives (fst b)) -> within t m -> within t n ->
  are_apart (m, a) (n, b).
Proof.
  unfold share_nothing. intros w a b m n t ia ib ne pa pb im in_ wm wn.
  pose proof (MomentSort.Permuted_sort (flat_map moments_of l)) as perm.
  assert (sorted : StronglySorted (fun a b => is_true (MomentOrder.leb a b)) (MomentSort.sort (flat_map moments_of l))).
  { apply Sorted_StronglySorted; [|apply Sorted_LocallySorted_iff, MomentSort.LocallySorted_sort].
    intros u v z. unfold is_true, MomentOrder.leb. rewrite !Z.leb_le. lia. }
  assert (bytes : Forall (fun m => has_bytes (snd m)) (MomentSort.sort (flat_map moments_of l))).
  { apply Forall_forall. intros u h. eapply Permutation_in in h; [|symmetry; exact perm].
    apply in_flat_map in h. destruct h as [e [ie h]]. unfold moments_of in h. apply in_flat_map in h. destruct h as [v [iv h]].
    unfold events_of in iv. destruct (0 <? size (fst e)) eqn:z; [|destruct iv]. apply Z.ltb_lt in z.
    apply in_map_iff in iv. destruct iv as [k [<- _]]. destruct h as [<-|[<-|[]]]; exact z. }
  assert (start_in : forall c k, In c l -> 0 < size (fst c) -> In k (lives (fst c)) ->
            In (true, (k, c)) (MomentSort.sort (flat_map moments_of l))).
  { intros c k ic pc ik. eapply Permutation_in; [exact perm|]. apply in_flat_map. exists c. split; [exact ic|].
    apply in_flat_map. exists (k, c). split; [|left; reflexivity]. unfold events_of. apply Z.ltb_lt in pc. rewrite pc.
    apply in_map_iff. eauto. }
  pose (first := match MomentSort.sort (flat_map moments_of l) with [] => 0 | m :: _ => time_of m end).
  assert (later : Forall (fun m => first <= time_of m) (MomentSort.sort (flat_map moments_of l))).
  { subst first. destruct sorted as [|u us s fu]; [constructor|]. constructor; [lia|].
    rewrite Forall_forall in *. intros v h. specialize (fu v h). unfold is_true, MomentOrder.leb, MomentOrder.key in fu.
    apply Z.leb_le in fu. destruct (fst u), (fst v); lia. }
  destruct (walk_true _ bytes sorted Leaf first [] I later (fun m h => match h with end) w) as [_ pairs].
  destruct (ForallOrdPairs_In pairs _ _ (start_in a m ia pa im) (start_in b n ib pb in_)) as [e|[s|s]].
  - inversion e. congruence.
  - exact (s eq_refl eq_refl t wm wn).
  - specialize (s eq_refl eq_refl t wn wm). unfold are_apart in *. tauto.
Qed.
