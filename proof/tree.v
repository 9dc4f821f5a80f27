(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Buffers that are alive together, in the order of time: each is compared with those that are alive when it starts, or, if
    no two may share a byte, with a tree of the times when bytes are free again, in near-linear time. *)
From Coq Require Import Sorting Mergesort Orders Permutation.
From Neap Require Import problem bytes place.

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

Definition in_time (l : list placed) : list event := EventSort.sort (flat_map events_of l).

(** What two buffers are to each other if they are alive together. *)
Section Walk.
  Variable suits : placed -> placed -> bool.
  Definition suit_at (a b : event) :=
    forall t, within t (fst a) -> within t (fst b) -> suits (snd a) (snd b) = true.

  (** A step compares an event with those that are kept, and keeps it, too. *)
  Section Steps.
    Context {S : Type}.
    Variable step : S -> event -> option S.
    Variable keeps : S -> event -> Prop.
    Hypothesis step_some : forall s e s', step s e = Some s' ->
      keeps s' e /\ forall f, keeps s f -> suit_at f e /\ keeps s' f.

    Fixpoint walk (s : S) (events : list event) : bool :=
      match events with
      | [] => true
      | e :: events => match step s e with Some s => walk s events | None => false end
      end.

    Lemma walk_true events : forall s, walk s events = true ->
      (forall f e, keeps s f -> In e events -> suit_at f e) /\ ForallOrdPairs suit_at events.
    Proof.
      induction events as [|e events ih]; cbn [walk]; intros s w; [split; [intros ? ? _ []|constructor]|].
      destruct (step s e) as [s'|] eqn:st; [|discriminate]. apply step_some in st. destruct st as [own old].
      destruct (ih s' w) as [from rest]. split; [|constructor; [apply Forall_forall|]; auto].
      intros f h k [<-|i]; [|apply from; [|exact i]]; apply old, k.
    Qed.
  End Steps.

  (* ---------------------------------------------------------------- each two *)

  (** The time, and the events that are alive. *)
  Definition compare (s : Z * list event) (e : event) : option (Z * list event) :=
    let now := start (fst e) in
    let active := filter (fun f => now <? stop (fst f)) (snd s) in
    if (fst s <=? now) && forallb (fun f => suits (snd f) (snd e)) active then Some (now, e :: active) else None.

  Definition has_seen (s : Z * list event) (f : event) : Prop := In f (snd s) \/ stop (fst f) <= fst s.

  Lemma compare_some s e s' : compare s e = Some s' -> has_seen s' e /\ forall f, has_seen s f -> suit_at f e /\ has_seen s' f.
  Proof.
    unfold compare. destruct (_ && _) eqn:ok; [|discriminate]. intros [= <-]. rewrite andb_true_iff, forallb_forall in ok.
    destruct s as [time active], ok as [le ok]. split; [left; left; reflexivity|]. intros f k. specialize (ok f).
    unfold has_seen, suit_at, within in *. cbn in *. rewrite filter_In in *.
    destruct (Z_lt_le_dec (start (fst e)) (stop (fst f))); [|split; [intros; lia|right; lia]]. destruct k as [i|]; [|lia].
    split; [intros; apply ok|left; right]; (split; [exact i|lia]).
  Qed.

  (* ---------------------------------------------------------------- all apart *)

  (** Bytes are free from a time on; those below [at_] are in the left part. *)
  Inductive tree := Free (since : Z) | Split (at_ : Z) (l r : tree).

  Fixpoint free_at (y : Z) (t : tree) : Z :=
    match t with Free since => since | Split at_ l r => if y <? at_ then free_at y l else free_at y r end.

  (** The parts for bytes below and from [m] on. *)
  Fixpoint lower (m : Z) (t : tree) : tree :=
    match t with Free _ => t | Split at_ l r => if m <=? at_ then lower m l else Split at_ l (lower m r) end.
  Fixpoint upper (m : Z) (t : tree) : tree :=
    match t with Free _ => t | Split at_ l r => if at_ <=? m then upper m r else Split at_ (upper m l) r end.
  Fixpoint are_free (now : Z) (t : tree) : bool :=
    match t with Free since => since <=? now | Split _ l r => are_free now l && are_free now r end.

  Definition end_of (e : placed) : Z := snd e + size (fst e).

  (** The bytes of an event are not free before it stops. *)
  Definition occupy (t : tree) (e : event) : option tree :=
    let (life, own) := e in
    if (0 <? size (fst own)) && are_free (start life) (upper (snd own) (lower (end_of own) t)) then
      Some (Split (snd own) (lower (snd own) t)
             (Split (end_of own) (Free (Z.max (start life) (stop life))) (upper (end_of own) t)))
    else None.

  Lemma lower_at m y t : y < m -> free_at y (lower m t) = free_at y t.
  Proof. intros lt. induction t; cbn; [reflexivity|]. destruct (m <=? at_) eqn:e; cbn; destruct (y <? at_) eqn:f; auto; lia. Qed.
  Lemma upper_at m y t : m <= y -> free_at y (upper m t) = free_at y t.
  Proof. intros le. induction t; cbn; [reflexivity|]. destruct (at_ <=? m) eqn:e; cbn; destruct (y <? at_) eqn:f; auto; lia. Qed.
  Lemma are_free_at now y t : are_free now t = true -> free_at y t <= now.
  Proof. induction t; cbn; [lia|]. rewrite andb_true_iff. destruct (y <? at_); tauto. Qed.

  Hypothesis apart_suits : forall a b : placed, end_of a <= snd b \/ end_of b <= snd a -> suits a b = true.

  Definition has_room (t : tree) (f : event) : Prop :=
    0 < size (fst (snd f)) /\ forall y, snd (snd f) <= y < end_of (snd f) -> stop (fst f) <= free_at y t.

  Lemma occupy_some t e t' : occupy t e = Some t' -> has_room t' e /\ forall f, has_room t f -> suit_at f e /\ has_room t' f.
  Proof.
    destruct e as [life own]. unfold has_room. cbn. destruct (_ && _) eqn:ok; [|discriminate]. intros [= <-].
    apply andb_true_iff in ok. destruct ok as [pos free].
    assert (now : forall y, snd own <= y < end_of own -> free_at y t <= start life).
    { intros y h. rewrite <- (lower_at (end_of own)), <- (upper_at (snd own)) by lia. apply are_free_at, free. }
    split; [split; [lia|]|intros f [some k]; split; [|split; [exact some|]]].
    - intros y h. cbn in *. destruct (y <? snd own) eqn:e1, (y <? end_of own) eqn:e2; lia.
    - intros u wf wo. apply apart_suits. unfold end_of, within in *. cbn in *.
      pose proof (k (Z.max (snd own) (snd (snd f)))). pose proof (now (Z.max (snd own) (snd (snd f)))). lia.
    - intros y h. specialize (k y h). specialize (now y). cbn in *. destruct (y <? snd own) eqn:e1; [rewrite lower_at; lia|].
      destruct (y <? end_of own) eqn:e2; [lia|rewrite upper_at; lia].
  Qed.

  (* ---------------------------------------------------------------- the whole *)

  Definition are_suited (l : list placed) : bool :=
    let events := in_time l in
    walk occupy (Free 0) events || walk compare (match events with [] => 0 | e :: _ => start (fst e) end, []) events.

  Theorem are_suited_true l : are_suited l = true -> forall a b m n t, In a l -> In b l -> a <> b ->
    0 < size (fst a) -> 0 < size (fst b) -> In m (lives (fst a)) -> In n (lives (fst b)) -> within t m -> within t n ->
    suits a b = true \/ suits b a = true.
  Proof.
    intros w a b m n t ia ib ne pa pb im in_ wm wn.
    assert (event_in : forall c k, In c l -> 0 < size (fst c) -> In k (lives (fst c)) -> In (k, c) (in_time l)).
    { intros c k ic pc ik. eapply Permutation_in; [apply EventSort.Permuted_sort|]. apply in_flat_map. exists c.
      split; [exact ic|]. unfold events_of. apply Z.ltb_lt in pc. rewrite pc. apply in_map_iff. eauto. }
    assert (pairs : ForallOrdPairs suit_at (in_time l)).
    { apply orb_true_iff in w.
      destruct w as [w|w]; eapply walk_true in w; try (apply w); [apply occupy_some|apply compare_some]. }
    destruct (ForallOrdPairs_In pairs _ _ (event_in a m ia pa im) (event_in b n ib pb in_)) as [[= _ e]|[s|s]];
      [contradiction|left|right]; exact (s t ltac:(assumption) ltac:(assumption)).
  Qed.
End Walk.
