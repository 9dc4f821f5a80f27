(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [layout]: a walk through states, each refuted by a line. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import problem bytes load place lowest walk cell.
Import ListNotations.
Open Scope Z_scope.

Inductive line := Full (clique : nat) | Part (first : Z) | As (like : nat) | Cell (keep : bool) (clique : nat) (listed : list Z).

(** The states that are refuted and kept, the number of the next one, and the lines that are left. *)
Record context := { kept : list (nat * state); next : nat; rest : list line }.

Section Walk.
  Variable p : problem.
  Variable claim : Z.
  Variable cliques : list (list Z).

  Definition is_like (t s : state) : bool :=
    forallb (fun e => existsb (fun f => (number (fst f) =? number (fst e)) && (snd e <=? snd f)) s) t.

  Fixpoint connected (fuel : nat) (found : list Z) (s : state) : list Z :=
    match fuel with
    | O => found
    | S fuel =>
        let joins e := negb (is_of found e) && existsb (fun f => is_of found f && conflicts p (fst e) (fst f)) s in
        match filter joins s with [] => found | more => connected fuel (map (fun e => number (fst e)) more ++ found) s end
    end.
  Definition part_of (first : Z) (s : state) : state := filter (is_of (connected (length s) [first] s)) s.

  (** Refutes one state; None if the lines do not. *)
  Variable go : state -> context -> option context.

  (** The children of a cell, and the state that is left, or None if none is. *)
  Fixpoint children (k : list Z) (floor : Z) (s : state) (listed : list Z) (c : context) : option (option state * context) :=
    match listed with
    | [] => Some (Some s, c)
    | n :: listed =>
        match find (fun e => number (fst e) =? n) s with
        | None => None
        | Some i =>
            if is_of k i && (snd i =? floor) && is_own_place p (fst i) floor then
              match go (put p s i) c with
              | None => None
              | Some c => match learn p s i with None => Some (None, c) | Some s => children k floor s listed c end
              end
            else None
        end
    end.

  (** Each buffer of the clique at the floor is listed or has a twin that is. *)
  Definition are_listed (k : list Z) (floor : Z) (s : state) (listed : list Z) : bool :=
    forallb (fun e =>
      if is_of k e then
        if floor <? snd e then true
        else (snd e =? floor) && (is_of listed e ||
          existsb (fun f => is_of listed f && is_of k f && (snd f =? floor) && are_twins p (fst f) (fst e)) s)
      else true) s.

  Definition floor_of (s : state) : Z := fold_right (fun e w => Z.min w (snd e)) nowhere s.

  Definition check_cell (k : list Z) (listed : list Z) (s : state) (c : context) : option context :=
    let floor := floor_of (with_numbers k s) in
    if (0 <=? floor) && is_clique p (with_numbers k s) && existsb (is_of k) s && are_listed k floor s listed then
      match children k floor s listed c with
      | Some (Some t, c) => go (empty p k floor t) c
      | Some (None, c) => Some c
      | None => None
      end
    else None.
End Walk.

Fixpoint refute (p : problem) (claim : Z) (cliques : list (list Z)) (fuel : nat) (s : state) (c : context) : option context :=
  match fuel with
  | O => None
  | S fuel =>
      let go := refute p claim cliques fuel in
      match rest c with
      | [] => None
      | Full n :: lines =>
          let k := with_numbers (nth n cliques []) s in
          if is_clique p k && is_full claim k then Some {| kept := kept c; next := next c; rest := lines |} else None
      | Part first :: lines => go (part_of p first s) {| kept := kept c; next := next c; rest := lines |}
      | As n :: lines =>
          match find (fun e => Nat.eqb (fst e) n) (kept c) with
          | Some (_, t) => if is_like t s then Some {| kept := kept c; next := next c; rest := lines |} else None
          | None => None
          end
      | Cell keep n listed :: lines =>
          match check_cell p go (nth n cliques []) listed s {| kept := kept c; next := if keep then S (next c) else next c; rest := lines |} with
          | Some c' => Some {| kept := if keep then (next c, s) :: kept c' else kept c'; next := next c'; rest := rest c' |}
          | None => None
          end
      end
  end.

Definition root (p : problem) : state := map (fun b => (b, lowest p b 0)) (filter (fun b => 0 <? size b) (buffers p)).

Definition is_refuted (p : problem) (claim : Z) (cliques : list (list Z)) (lines : list line) : bool :=
  (claim <=? nowhere) &&
  match refute p claim cliques (S (length lines)) (root p) {| kept := []; next := O; rest := lines |} with
  | Some c => match rest c with [] => true | _ => false end
  | None => false
  end.

Section Sound.
  Variable p : problem.
  Variable claim : Z.
  Hypothesis claim_low : claim <= nowhere.
  Hypothesis distinct : NoDup (map number (buffers p)).
  Variable cliques : list (list Z).

  Notation way := (way p claim).
  Notation sane := (sane p).
  Notation refuted := (refuted p claim).

  Definition ok (c : context) : Prop := forall n t, In (n, t) (kept c) -> refuted t /\ sane t.
  Definition good (go : state -> context -> option context) : Prop :=
    forall s c c', sane s -> ok c -> go s c = Some c' -> refuted s /\ ok c'.

  Lemma is_like_refuted t s : sane t -> sane s -> is_like t s = true -> refuted t -> refuted s.
  Proof.
    intros st ss like no x w. apply (no x). apply (way_incl p claim x s); [|exact w]. intros e ie.
    unfold is_like in like. rewrite forallb_forall in like. specialize (like e ie). apply existsb_exists in like.
    destruct like as [f [jf h]]. apply andb_true_iff in h. destruct h as [h le]. apply Z.eqb_eq in h. apply Z.leb_le in le.
    exists (snd f). split; [|exact le].
    rewrite (NoDup_map_inj number (buffers p) (fst e) (fst f) distinct); [destruct f; exact jf|apply st, ie|apply ss, jf|symmetry; exact h].
  Qed.

  Lemma filter_sane f s : sane s -> sane (filter f s).
  Proof.
    intros [nodup pos]. split.
    - apply NoDup_map_filter, nodup.
    - intros e i. apply filter_In in i. apply pos, i.
  Qed.

  Lemma filter_refuted f s : refuted (filter f s) -> refuted s.
  Proof.
    intros no x w. apply (no x). apply (way_incl p claim x s); [|exact w]. intros e i. apply filter_In in i. exists (snd e).
    destruct e. split; [apply i|]. cbn. lia.
  Qed.

  Section Cells.
    Variable go : state -> context -> option context.
    Hypothesis go_good : good go.
    Variable k : list Z.
    Variable floor : Z.
    Hypothesis floor_pos : 0 <= floor.
    Variable s0 : state.
    Hypothesis sane_0 : sane s0.

    Definition follows (s : state) : Prop :=
      sane s /\ (forall x, way x s0 -> way x s) /\ (forall e, In e s0 -> exists l, In (fst e, l) s /\ snd e <= l) /\
      (forall e, In e s -> exists l, In (fst e, l) s0).

    Lemma children_true listed : forall s c r c', follows s -> ok c -> children p go k floor s listed c = Some (r, c') ->
      ok c' /\ match r with
               | None => refuted s0
               | Some t => follows t /\ forall n, In n listed -> forall x, way x s0 -> floor < x n
               end.
    Proof.
      induction listed as [|n listed ih]; cbn [children]; intros s c r c' f okc.
      - intros [= <- <-]. split; [exact okc|]. split; [exact f|]. intros n [].
      - match goal with |- context [find ?f s] => destruct (find f s) as [i|] eqn:found; [|discriminate] end. apply find_some in found. destruct found as [ii num]. apply Z.eqb_eq in num.
        destruct (_ && is_own_place p (fst i) floor) eqn:at_floor; [|discriminate]. rewrite !andb_true_iff, Z.eqb_eq in at_floor.
        destruct at_floor as [[_ low_] may]. rewrite <- low_ in may. apply is_own_place_true in may. destruct may as [_ may].
        destruct (go (put p s i) c) as [c1|] eqn:g; [|discriminate]. pose proof f as [ss [holds [rises back]]].
        destruct (go_good _ _ _ (put_sane p s i ss) okc g) as [no ok1].
        assert (learned : forall x, way x s0 -> match learn p s i with Some t => way x t /\ snd i < x (number (fst i)) | None => False end).
        { intros x w. apply (learn_way p claim claim_low s i x ss ii); [lia|exact may|exact no|apply holds, w]. }
        unfold learn in *. destruct (wall p s i <? nowhere).
        + intros h. set (t := map (raised i (lowest p (fst i) (Z.max (wall p s i) (snd i) + 1))) s) in *.
          assert (ft : follows t).
          { split; [apply (map_sane p (raised i (lowest p (fst i) (Z.max (wall p s i) (snd i) + 1))) s); [apply raised_fst|exact ss]|]. split; [intros x w; apply (learned x w)|]. split.
            - intros e ie. destruct (rises e ie) as [l [il le]]. pose proof (raised_le i (lowest p (fst i) (Z.max (wall p s i) (snd i) + 1)) (fst e, l)) as le'.
              pose proof (raised_fst i (lowest p (fst i) (Z.max (wall p s i) (snd i) + 1)) (fst e, l)) as fe. cbn [fst snd] in *.
              exists (snd (raised i (lowest p (fst i) (Z.max (wall p s i) (snd i) + 1)) (fst e, l))). split; [|lia].
              rewrite <- fe at 1. rewrite <- surjective_pairing. apply (in_map (raised i _)), il.
            - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. rewrite raised_fst. apply back, ie. }
          destruct (ih t c1 r c' ft ok1 h) as [okc' res]. split; [exact okc'|]. destruct r as [t'|]; [|exact res].
          destruct res as [ft' above]. split; [exact ft'|]. intros m [<-|im] x w; [|apply above; assumption].
          destruct (learned x w) as [_ lt]. rewrite num in lt. lia.
        + intros [= <- <-]. split; [exact ok1|]. intros x w. exact (learned x w).
    Qed.
  End Cells.

  Lemma check_cell_good go k listed s c c' : good go -> sane s -> ok c -> check_cell p go k listed s c = Some c' ->
    refuted s /\ ok c'.
  Proof.
    intros g ss okc. unfold check_cell. set (floor := floor_of (with_numbers k s)).
    destruct (_ && _) eqn:h; [|discriminate]. rewrite !andb_true_iff, Z.leb_le in h. destruct h as [[[pos clique] some] all].
    destruct (children p go k floor s listed c) as [[r c1]|] eqn:ch; [|discriminate].
    assert (self : follows s s).
    { split; [exact ss|]. split; [auto|]. split; [intros e ie; exists (snd e); destruct e; split; [exact ie|cbn; lia]|].
      intros e ie. exists (snd e). destruct e. exact ie. }
    destruct (children_true go g k floor pos s listed s c r c1 self okc ch) as [ok1 res].
    destruct r as [t|]; [|intros [= <-]; auto]. destruct res as [[st [holds [rises back]]] above]. intros e.
    assert (sane_e : sane (empty p k floor t)).
    { apply (map_sane p (empty_item p k (lowest_next p k floor t)) t); [|exact st]. intros d. unfold empty_item. destruct (is_of k d); reflexivity. }
    destruct (g _ _ _ sane_e ok1 e) as [no okc']. split; [|exact okc'].
    apply existsb_exists in some. destruct some as [d some].
    apply (empty_refuted p claim k floor s t ss clique rises back holds); [|exists d; exact some|exact no].
    intros x w e' ie' he'. unfold are_listed in all. rewrite forallb_forall in all. specialize (all e' ie'). rewrite he' in all.
    pose proof (proj1 w e' ie') as own. destruct (floor <? snd e') eqn:z; [apply Z.ltb_lt in z; lia|].
    apply andb_true_iff in all. destruct all as [low_ all]. apply Z.eqb_eq in low_.
    assert (listed_above : forall f, In f s -> is_of listed f = true -> forall y, way y s -> floor < y (number (fst f))).
    { intros f _ hf y wy. unfold is_of in hf. apply existsb_exists in hf. destruct hf as [n [inn hn]]. apply Z.eqb_eq in hn.
      rewrite hn. apply (above n inn y wy). }
    destruct (is_of listed e') eqn:hl; [apply (listed_above e' ie' hl x w)|]. cbn in all. apply existsb_exists in all.
    destruct all as [f [jf hf]]. rewrite !andb_true_iff, Z.eqb_eq in hf. destruct hf as [[[lf kf] low_f] tw].
    destruct (Z_le_gt_dec (x (number (fst e'))) floor) as [le|gt]; [|lia]. exfalso.
    assert (ne : number (fst f) <> number (fst e')).
    { intros q. rewrite (same_item p s f e' ss jf ie' q) in lf. congruence. }
    destruct (swapped_way p claim s ss f e' jf ie' tw ltac:(congruence) x w) as [w' at_].
    pose proof (listed_above f jf lf _ w'). rewrite at_ in *. lia.
  Qed.

  Theorem refute_good fuel : good (refute p claim cliques fuel).
  Proof.
    induction fuel as [|fuel ih]; intros s c c' ss okc; cbn [refute]; [discriminate|].
    destruct (rest c) as [|[n|first|n|keep n listed] lines]; [discriminate| | | |].
    - destruct (_ && _) eqn:h; [|discriminate]. intros [= <-]. apply andb_true_iff in h. destruct h as [h1 h2].
      split; [exact (full_refuted p claim (nth n cliques []) s ss h1 h2)|exact okc].
    - intros h. destruct (ih _ {| kept := kept c; next := next c; rest := lines |} _ (filter_sane _ s ss) okc h) as [no okc']. split; [exact (filter_refuted _ s no)|exact okc'].
    - match goal with |- context [find ?q (kept c)] => destruct (find q (kept c)) as [[m t]|] eqn:f; [|discriminate] end. destruct (is_like t s) eqn:like; [|discriminate]. intros [= <-].
      apply find_some in f. destruct f as [f _]. destruct (okc m t f) as [no st].
      split; [exact (is_like_refuted t s st ss like no)|exact okc].
    - destruct (check_cell _ _ _ _ _ _) as [c1|] eqn:h; [|discriminate]. intros [= <-].
      destruct (check_cell_good _ _ _ _ {| kept := kept c; next := if keep then S (next c) else next c; rest := lines |} _ ih ss okc h) as [no ok1]. split; [exact no|].
      destruct keep; [|exact ok1]. intros m t [[= <- <-]|i]; [auto|exact (ok1 m t i)].
  Qed.
End Sound.

Theorem is_refuted_least p claim cliques lines : NoDup (map number (buffers p)) -> is_refuted p claim cliques lines = true ->
  least p claim.
Proof.
  intros distinct h. unfold is_refuted in h. apply andb_true_iff in h. destruct h as [low_ h]. apply Z.leb_le in low_.
  destruct (refute _ _ _ _ _ _) as [c|] eqn:r; [|discriminate]. intros x [own [pairs _]]. unfold reaches.
  destruct (Z_le_gt_dec claim 0) as [?|pos]; [auto|]. right.
  destruct (existsb (fun b => claim <=? x (number b) + size b) (buffers p)) eqn:high.
  { apply existsb_exists in high. destruct high as [b [ib hb]]. exists b. split; [exact ib|]. apply Z.leb_le, hb. }
  exfalso.
  assert (in_root : forall e, In e (root p) -> In (fst e) (buffers p) /\ 0 < size (fst e) /\ snd e = lowest p (fst e) 0).
  { intros e i. apply in_map_iff in i. destruct i as [b [<- i]]. apply filter_In in i. destruct i as [i z]. apply Z.ltb_lt in z. auto. }
  assert (sane_root : sane p (root p)).
  { split; [|intros e i; destruct (in_root e i) as [a [b _]]; auto]. unfold root. rewrite map_map. cbn.
    apply NoDup_map_filter, distinct. }
  assert (none : ok p claim {| kept := []; next := O; rest := lines |}) by (intros n t []).
  destruct (refute_good p claim low_ distinct cliques _ _ _ _ sane_root none r) as [no _]. apply (no x). split.
  - intros e i. destruct (in_root e i) as [ib [z l]]. destruct (own (fst e) ib) as [pos' may]. rewrite l. split; [exact pos'|].
    split; [apply lowest_le; assumption|]. split; [|exact may].
    destruct (Z_lt_le_dec (x (number (fst e)) + size (fst e)) claim) as [lt|le]; [exact lt|]. exfalso.
    assert (existsb (fun b => claim <=? x (number b) + size b) (buffers p) = true); [|congruence].
    apply existsb_exists. exists (fst e). split; [exact ib|]. apply Z.leb_le, le.
  - intros a b ia ib k. destruct (in_root a ia) as [ja [za _]], (in_root b ib) as [jb [zb _]].
    destruct (pairs (fst a) (fst b) ja jb (conflicts_conflict p _ _ za zb k)) as [q|q]; apply below_gap in q; auto.
Qed.
