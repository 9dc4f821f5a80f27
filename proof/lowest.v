(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The lowest offset, from some offset on, that a buffer may have by itself. *)
From Neap Require Import problem bytes place grid.

(** Above all offsets. *)
Definition nowhere : Z := 2 ^ 200.

Definition past_hole (b : buffer) (at_ : Z) (h : hole) : Z :=
  if (0 <? size b) && (bottom h <? at_ + size b) && existsb (fun l => are_together l (during h)) (lives b)
  then match top h with Some u => Z.max at_ u | None => nowhere end else at_.
Definition past_bank (b : buffer) (at_ : Z) : Z :=
  match bank b with
  | Some k => if (0 <? k) && (0 <? size b) && negb (at_ / k =? (at_ + size b - 1) / k) then up at_ k else at_
  | None => at_
  end.
Definition past_unaligned (b : buffer) (at_ : Z) : Z := if 0 <? alignment b then up at_ (alignment b) else at_.

(** No offset from here on ends in the window or fits in a bank. *)
Definition is_too_high (b : buffer) (at_ : Z) : bool :=
  match high b with Some h => h <? at_ + size b | None => false end ||
  match bank b with Some k => (0 <? k) && (k <? size b) | None => false end.

Fixpoint climb (rounds : nat) (p : problem) (b : buffer) (at_ : Z) : Z :=
  match rounds with
  | O => at_
  | S rounds =>
      if is_too_high b at_ then nowhere
      else
        let to := fold_left (past_hole b) (holes p) (past_bank b (past_unaligned b at_)) in
        if (to =? at_) || (nowhere <=? to) then to else climb rounds p b to
  end.

Definition lowest (p : problem) (b : buffer) (from : Z) : Z :=
  let at_ := Z.max from (low b) in
  match fixed b with Some f => if at_ <=? f then f else nowhere | None => climb 1000 p b at_ end.

Section Lowest.
  Variable p : problem.
  Variable b : buffer.
  Variable y : Z.
  Hypothesis may : may_be_at p b y.

  Lemma past_hole_le at_ h : In h (holes p) -> at_ <= y -> past_hole b at_ h <= y.
  Proof.
    intros ih le. unfold past_hole. destruct (_ && _) eqn:e; [|exact le]. apply andb_true_iff in e. destruct e as [e t].
    apply existsb_exists in t. destruct t as [l [il t]]. unfold are_together in t. destruct may as [_ [_ [_ [_ [_ free]]]]].
    destruct (free h (Z.max (start l) (start (during h))) ih ltac:(lia)) as [u|[u [-> u']]]; unfold within; try lia.
    exists l. split; [exact il|unfold within; lia].
  Qed.

  Lemma past_bank_le at_ : at_ <= y -> past_bank b at_ <= y.
  Proof.
    intros le. unfold past_bank. destruct (bank b) as [k|] eqn:e; [|exact le]. destruct (_ && _) eqn:c; [|exact le].
    rewrite !andb_true_iff, !Z.ltb_lt, negb_true_iff, Z.eqb_neq in c. destruct c as [[kp pos] ne].
    destruct may as [_ [_ [_ [_ [one _]]]]]. specialize (one k e pos).
    destruct (Z_le_gt_dec (up at_ k) y) as [h|h]; [exact h|]. exfalso. destruct (up_facts at_ k kp) as [[q eq] bounds].
    assert (same : y / k = at_ / k).
    { assert (y / k = q - 1) by (symmetry; apply (Z.div_unique_pos y k (q - 1) (y - (q - 1) * k)); lia).
      assert (at_ / k = q - 1) by (symmetry; apply (Z.div_unique_pos at_ k (q - 1) (at_ - (q - 1) * k)); lia). lia. }
    pose proof (Z.div_le_mono (at_ + size b - 1) (y + size b - 1) k kp ltac:(lia)).
    pose proof (Z.div_le_mono at_ (at_ + size b - 1) k kp ltac:(lia)). lia.
  Qed.

  Lemma past_unaligned_le at_ : at_ <= y -> past_unaligned b at_ <= y.
  Proof.
    intros le. unfold past_unaligned. destruct (0 <? alignment b) eqn:e; [|exact le]. apply Z.ltb_lt in e.
    apply up_least; [exact e|apply may|exact le].
  Qed.

  Lemma not_too_high at_ : at_ <= y -> is_too_high b at_ = false.
  Proof.
    intros le. destruct may as [_ [_ [_ [end_ [one _]]]]]. unfold is_too_high. apply orb_false_iff. split.
    - destruct (high b) as [h|]; [|reflexivity]. specialize (end_ h eq_refl). apply Z.ltb_ge. lia.
    - destruct (bank b) as [k|]; [|reflexivity]. destruct (_ && _) eqn:c; [|reflexivity]. rewrite andb_true_iff, !Z.ltb_lt in c.
      exfalso. specialize (one k eq_refl ltac:(lia)).
      pose proof (Z.div_le_mono (y + 1 * k) (y + size b - 1) k ltac:(lia) ltac:(lia)) as h. rewrite Z.div_add in h by lia. lia.
  Qed.

  Lemma climb_le rounds : forall at_, at_ <= y -> climb rounds p b at_ <= y.
  Proof.
    induction rounds as [|rounds ih]; intros at_ le; cbn [climb]; [exact le|]. rewrite (not_too_high at_ le).
    assert (h : fold_left (past_hole b) (holes p) (past_bank b (past_unaligned b at_)) <= y).
    { apply (fold_ok (fun z => z <= y)); [intros z h i; apply past_hole_le, i|]. apply past_bank_le, past_unaligned_le, le. }
    destruct (_ || _); [exact h|]. apply ih, h.
  Qed.

  Theorem lowest_le from : from <= y -> lowest p b from <= y.
  Proof.
    intros le. destruct may as [low_ [_ [fix_ _]]]. unfold lowest. destruct (fixed b) as [f|].
    - rewrite <- (fix_ f eq_refl) in *. destruct (_ <=? y) eqn:e; [lia|]. apply Z.leb_gt in e. lia.
    - apply climb_le. lia.
  Qed.
End Lowest.
