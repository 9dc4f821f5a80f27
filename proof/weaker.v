(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [weaker]: every layout of a problem is also one of a part of its buffers, with sizes rounded down to a grid; if
    nothing hinders, all offsets can be rounded down to that grid as well. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import problem bytes load place.
Import ListNotations.
Open Scope Z_scope.

Definition with_alignment (a : Z) (b : buffer) : buffer :=
  {| number := number b; size := size b; alignment := a; fixed := fixed b; low := low b; high := high b; bank := bank b;
     lives := lives b |}.
Definition rounded (unit : Z) (b : buffer) : buffer :=
  {| number := number b; size := size b / unit * unit; alignment := alignment b; fixed := fixed b; low := low b; high := high b;
     bank := bank b; lives := lives b |}.

Definition with_buffers (p : problem) (l : list buffer) : problem :=
  {| buffers := l; holes := holes p; separations := separations p; exclusions := exclusions p; overlaps := overlaps p;
     bank_separations := [] |}.

Definition part (p : problem) (unit : Z) (kept : list Z) : list buffer :=
  map (rounded unit) (listed_buffers p kept).

(** Nothing but alignments that divide the unit, and ends of windows, keeps a buffer from moving down to the grid. *)
Definition may_move (unit : Z) (b : buffer) : bool :=
  match fixed b, bank b with None, None => (low b =? 0) && (0 <? alignment b) && (unit mod alignment b =? 0) | _, _ => false end.
Definition may_all_move (p : problem) (unit : Z) (l : list buffer) : bool :=
  match holes p with [] => true | _ => false end && forallb (may_move unit) l &&
  match overlaps p with [] => true | _ => forallb (fun a => forallb (fun b => gap p a b =? size a) l) l end.

Definition weaker (p : problem) (unit : Z) (kept : list Z) : problem :=
  let l := part p unit kept in
  with_buffers p (if may_all_move p unit l then map (with_alignment unit) l else l).

Definition has_banks (b : buffer) : bool := match bank b with Some k => 0 <? k | None => true end.
Definition is_weaker_sound (p : problem) (unit : Z) : bool := (0 <? unit) && forallb has_banks (buffers p).

Section Weaker.
  Variable p : problem.
  Variable unit : Z.
  Variable kept : list Z.
  Hypothesis unit_pos : 0 < unit.
  Hypothesis banks_ok : forall b, In b (buffers p) -> has_banks b = true.
  Variable x : layout.
  Hypothesis v : valid p x.
  Let l := part p unit kept.

  Lemma rounded_size b : size (rounded unit b) <= size b.
  Proof. cbn. pose proof (Z.mul_div_le (size b) unit unit_pos). lia. Qed.

  Lemma in_part c : In c l -> exists b, In b (buffers p) /\ c = rounded unit b.
  Proof. intros i. apply in_map_iff in i. destruct i as [b [<- i]]. apply filter_In in i. exists b. tauto. Qed.

  Lemma rounded_may b : In b (buffers p) -> may_be_at p b (x (number b)) -> may_be_at (with_buffers p l) (rounded unit b) (x (number b)).
  Proof.
    intros ib [h1 [h2 [h3 [h4 [h5 h6]]]]]. pose proof (rounded_size b) as le. unfold may_be_at. cbn -[Z.div Z.mul] in *.
    split; [exact h1|]. split; [exact h2|]. split; [exact h3|]. split; [intros h e; specialize (h4 h e); lia|]. split.
    - intros k e pos. specialize (banks_ok b ib). unfold has_banks in banks_ok. rewrite e in banks_ok. apply Z.ltb_lt in banks_ok.
      specialize (h5 k e ltac:(lia)). set (s := size b / unit * unit) in *.
      pose proof (Z.div_le_mono (x (number b)) (x (number b) + s - 1) k banks_ok ltac:(lia)).
      pose proof (Z.div_le_mono (x (number b) + s - 1) (x (number b) + size b - 1) k banks_ok ltac:(lia)). lia.
    - intros h t ih pos al du. destruct (h6 h t ih ltac:(lia) al du) as [q|q]; [left; lia|right; exact q].
  Qed.

  Lemma rounded_below a b : below p x a b -> below (with_buffers p l) x (rounded unit a) (rounded unit b).
  Proof.
    pose proof (rounded_size a) as le. unfold below. cbn -[Z.div Z.mul] in *. intros [h|h]; [left; lia|right; exact h].
  Qed.

  Lemma part_valid : valid (with_buffers p l) x.
  Proof.
    destruct v as [own [pairs _]]. split; [|split; [|intros a b d k _ _ []]].
    - intros c i. destruct (in_part c i) as [b [ib ->]]. destruct (own b ib) as [pos may]. split; [exact pos|]. exact (rounded_may b ib may).
    - intros c d ic id con. destruct (in_part c ic) as [a [ia ->]], (in_part d id) as [b [ib ->]].
      pose proof (rounded_size a). pose proof (rounded_size b). destruct con as [ne [pa [pb con]]].
      assert (conflict p a b) as h by (split; [exact ne|split; [lia|split; [lia|exact con]]]).
      destruct (pairs a b ia ib h) as [q|q]; [left|right]; apply rounded_below, q.
  Qed.

  (** All offsets rounded down. *)
  Definition lowered : layout := fun n => x n / unit * unit.

  Lemma lowered_le n : lowered n <= x n.
  Proof. unfold lowered. pose proof (Z.mul_div_le (x n) unit unit_pos). lia. Qed.

  Lemma grid_valid : may_all_move p unit l = true -> valid (with_buffers p (map (with_alignment unit) l)) lowered.
  Proof.
    unfold may_all_move. rewrite !andb_true_iff, forallb_forall. intros [[no_holes move] strict].
    destruct part_valid as [own [pairs _]]. split; [|split; [|intros a b d k _ _ []]].
    - intros c i. apply in_map_iff in i. destruct i as [b [<- ib]]. destruct (own b ib) as [pos [_ [_ [_ [h4 _]]]]]. specialize (move b ib).
      unfold may_move in move. destruct (fixed b) eqn:fx; [discriminate|]. destruct (bank b) eqn:bk; [discriminate|].
      rewrite !andb_true_iff, !Z.eqb_eq in move. destruct move as [[low_ _] _]. pose proof (lowered_le (number b)).
      assert (low_pos : 0 <= lowered (number b)) by (unfold lowered; pose proof (Z.div_pos (x (number b)) unit pos unit_pos); nia).
      cbn -[lowered]. split; [exact low_pos|]. unfold may_be_at. cbn -[lowered]. rewrite fx, bk, low_.
      split; [exact low_pos|]. split; [exists (x (number b) / unit); reflexivity|]. split; [discriminate|].
      split; [intros h e; specialize (h4 h e); lia|]. split; [discriminate|]. destruct (holes p); [intros h t []|discriminate].
    - intros c d ic id con. apply in_map_iff in ic, id. destruct ic as [a [<- ia]], id as [b [<- ib]].
      assert (one : forall a b, In a l -> In b l -> below (with_buffers p l) x a b ->
                below (with_buffers p (map (with_alignment unit) l)) lowered (with_alignment unit a) (with_alignment unit b)).
      { clear a b ia ib con. intros a b ia ib h. left. cbn -[lowered].
        assert (g : x (number a) + size a <= x (number b)).
        { destruct (overlaps p) eqn:ov.
          - destruct h as [h|[d [h _]]]; [exact h|]. cbn in h. rewrite ov in h. destruct h.
          - rewrite forallb_forall in strict. specialize (strict a ia). rewrite forallb_forall in strict. specialize (strict b ib).
            apply Z.eqb_eq in strict. apply below_gap in h. change (gap (with_buffers p l) a b) with (gap p a b) in h. lia. }
        destruct (in_part a ia) as [a' [_ ->]]. cbn -[Z.div Z.mul] in g |- *. unfold lowered.
        rewrite <- Z.mul_add_distr_r. apply Z.mul_le_mono_nonneg_r; [lia|]. rewrite <- Z.div_add by lia.
        apply Z.div_le_mono; [exact unit_pos|exact g]. }
      destruct (pairs a b ia ib con) as [q|q]; [left|right]; apply one; assumption.
  Qed.

  Lemma weaker_reaches h : least (weaker p unit kept) h -> reaches p x h.
  Proof.
    intros no. unfold weaker in no. fold l in no. destruct (may_all_move p unit l) eqn:move.
    - destruct (no lowered (grid_valid move)) as [z|[c [i top_]]]; [left; exact z|right].
      apply in_map_iff in i. destruct i as [b' [<- i]]. destruct (in_part b' i) as [b [ib ->]]. exists b. split; [exact ib|].
      pose proof (rounded_size b). pose proof (lowered_le (number b)). cbn -[lowered Z.div Z.mul] in *. lia.
    - destruct (no x part_valid) as [z|[c [i top_]]]; [left; exact z|right].
      destruct (in_part c i) as [b [ib ->]]. exists b. split; [exact ib|]. pose proof (rounded_size b). cbn -[Z.div Z.mul] in *. lia.
  Qed.
End Weaker.

Lemma weaker_distinct p unit kept : NoDup (map number (buffers p)) -> NoDup (map number (buffers (weaker p unit kept))).
Proof.
  intros nodup. unfold weaker, part. cbn. assert (h : forall f : buffer -> buffer, (forall b, number (f b) = number b) ->
    forall l, map number (map f l) = map number l) by (intros f e l; rewrite map_map; apply map_ext, e).
  destruct (may_all_move _ _ _); rewrite ?h by reflexivity; apply NoDup_map_filter, nodup.
Qed.

Theorem weaker_least p unit kept h : is_weaker_sound p unit = true -> least (weaker p unit kept) h -> least p h.
Proof.
  unfold is_weaker_sound. rewrite andb_true_iff, Z.ltb_lt, forallb_forall. intros [pos banks_] no x v.
  apply (weaker_reaches p unit kept pos banks_ x v h no).
Qed.
