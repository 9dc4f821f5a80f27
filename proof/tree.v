(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Takes buffers in the order of their starts, and compares each with those that are alive at that moment.  If no two may share
    a byte, a tree of the times when bytes are free again does that in near-linear time. *)
From Coq Require Import Sorting Mergesort Orders Permutation.
From Neap Require Import problem bytes place.

(** A buffer during one of its lifetimes. *)
Definition event := (lifetime * buffer)%type.

Definition events_of (b : buffer) : list event := if 0 <? size b then map (fun l => (l, b)) (lives b) else [].

Module EventOrder <: TotalLeBool.
  Definition t := event.
  Definition leb (a b : event) := start (fst a) <=? start (fst b).
  Lemma leb_total a b : leb a b = true \/ leb b a = true.
  Proof. unfold leb. rewrite !Z.leb_le. lia. Qed.
End EventOrder.
Module EventSort := Sort EventOrder.

Definition in_time (l : list buffer) : list event := EventSort.sort (flat_map events_of l).

(** What two buffers are to each other if they are alive together. *)
Section Walk.
  Variable x : layout.
  Variable suits : buffer -> buffer -> bool.
  Definition suit_at (a b : event) :=
    forall t, within t (fst a) -> within t (fst b) -> suits (snd b) (snd a) = true.

  (** A step compares an event with the kept ones, and keeps it. *)
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
    if (fst s <=? now) && forallb (fun f => suits (snd e) (snd f)) active then Some (now, e :: active) else None.

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

  (** The parts for bytes below and from [m] on.  Of two splits that both lie below m, or both not, the farther one moves up,
      so that ways become shorter, as in a splay tree.  That splits are in order is compared, not proven. *)
  Fixpoint part (m : Z) (t : tree) : tree * tree :=
    match t with
    | Free _ => (t, t)
    | Split i a b =>
        match i <? m, a, b with
        | true, _, Split k c d =>
            if k <? m then let (l, r) := part m d in (if i <=? k then Split k (Split i a c) l else Split i a (Split k c l), r)
            else let (l, r) := part m c in (Split i a l, Split k r d)
        | false, Split k c d, _ =>
            if k <? m then let (l, r) := part m d in (Split k c l, Split i r b)
            else let (l, r) := part m c in (l, if k <=? i then Split k r (Split i d b) else Split i (Split k r d) b)
        | true, _, Free _ => (t, b)
        | false, Free _, _ => (a, t)
        end
    end.
  (** Whether the bytes from [lo] up to [hi] are free. *)
  Fixpoint are_free (lo hi now : Z) (t : tree) : bool :=
    match t with
    | Free since => since <=? now
    | Split at_ l r => ((at_ <=? lo) || are_free lo hi now l) && ((hi <=? at_) || are_free lo hi now r)
    end.

  Definition end_of (b : buffer) : Z := x (number b) + size b.

  (** The bytes of an event are not free before it stops. *)
  Definition occupy (t : tree) (e : event) : option tree :=
    let (life, own) := e in
    let begins := x (number own) in
    let (l, rest) := part begins t in
    let (middle, r) := part (end_of own) rest in
    if (0 <? size own) && are_free begins (end_of own) (start life) middle then
      Some (Split begins l (Split (end_of own) (Free (Z.max (start life) (stop life))) r))
    else None.

  Lemma part_at m y : forall t, free_at y (if y <? m then fst (part m t) else snd (part m t)) = free_at y t.
  Proof.
    fix ih 1. intros [since|i a b]; cbn; [clear ih; destruct (y <? m); reflexivity|].
    destruct (i <? m) eqn:e1; [destruct b as [since|k c d]|destruct a as [since|k c d]];
      try (pose proof (ih c); pose proof (ih d)); clear ih;
      try (destruct (k <? m) eqn:e2; [destruct (part m d)|destruct (part m c)]); cbn in *;
      destruct (y <? m) eqn:e3; cbn; try destruct (i <=? k) eqn:e4; try destruct (k <=? i) eqn:e5; cbn;
      destruct (y <? i) eqn:e6; try destruct (y <? k) eqn:e7; try lia.
  Qed.

  Lemma are_free_at lo hi now y t : lo <= y < hi -> are_free lo hi now t = true -> free_at y t <= now.
  Proof. intros h. induction t; cbn; [lia|]. destruct (y <? at_) eqn:e; lia. Qed.

  Hypothesis apart_suits : forall a b, end_of a <= x (number b) \/ end_of b <= x (number a) -> suits a b = true.

  Definition has_room (t : tree) (f : event) : Prop :=
    0 < size (snd f) /\ forall y, x (number (snd f)) <= y < end_of (snd f) -> stop (fst f) <= free_at y t.

  Lemma occupy_some t e t' : occupy t e = Some t' -> has_room t' e /\ forall f, has_room t f -> suit_at f e /\ has_room t' f.
  Proof.
    destruct e as [life own]. unfold has_room. cbn. set (own_ := x (number own)). pose proof (fun y => part_at own_ y t) as low_.
    destruct (part own_ t) as [l rest]. pose proof (fun y => part_at (end_of own) y rest) as high_.
    destruct (part (end_of own) rest) as [middle r]. destruct (_ && _) eqn:ok; [|discriminate]. intros [= <-].
    apply andb_true_iff in ok. destruct ok as [pos free]. cbn [fst snd] in low_, high_.
    assert (now : forall y, own_ <= y < end_of own -> free_at y t <= start life).
    { intros y h. specialize (low_ y). specialize (high_ y). pose proof (are_free_at _ _ _ y middle h free).
      destruct (y <? own_) eqn:e1, (y <? end_of own) eqn:e2; lia. }
    split; [split; [lia|]|intros f [some k]; split; [|split; [exact some|]]].
    - intros y h. cbn in *. destruct (y <? own_) eqn:e1, (y <? end_of own) eqn:e2; lia.
    - intros u wf wo. apply apart_suits. unfold end_of, within in *. cbn in *.
      pose proof (k (Z.max own_ (x (number (snd f))))). pose proof (now (Z.max own_ (x (number (snd f))))). lia.
    - intros y h. specialize (k y h). specialize (now y). specialize (low_ y). specialize (high_ y). cbn in *.
      destruct (y <? own_) eqn:e1, (y <? end_of own) eqn:e2; lia.
  Qed.

  (* ---------------------------------------------------------------- the whole *)

  Definition are_suited (l : list buffer) : bool :=
    let events := in_time l in
    walk occupy (Free 0) events || walk compare (match events with [] => 0 | e :: _ => start (fst e) end, []) events.

  Theorem are_suited_true l : are_suited l = true -> forall a b m n t, In a l -> In b l -> a <> b ->
    0 < size a -> 0 < size b -> In m (lives a) -> In n (lives b) -> within t m -> within t n ->
    suits a b = true \/ suits b a = true.
  Proof.
    intros w a b m n t ia ib ne pa pb im in_ wm wn.
    assert (event_in : forall c k, In c l -> 0 < size c -> In k (lives c) -> In (k, c) (in_time l)).
    { intros c k ic pc ik. eapply Permutation_in; [apply EventSort.Permuted_sort|]. apply in_flat_map. exists c.
      split; [exact ic|]. unfold events_of. apply Z.ltb_lt in pc. rewrite pc. apply in_map_iff. eauto. }
    assert (pairs : ForallOrdPairs suit_at (in_time l)).
    { apply orb_true_iff in w.
      destruct w as [w|w]; eapply walk_true in w; try (apply w); [apply occupy_some|apply compare_some]. }
    destruct (ForallOrdPairs_In pairs _ _ (event_in a m ia pa im) (event_in b n ib pb in_)) as [[= _ e]|[s|s]];
      [contradiction|right|left]; exact (s t ltac:(assumption) ltac:(assumption)).
  Qed.
End Walk.
