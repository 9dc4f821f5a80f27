(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Buffers that share no byte, above each other, whose offsets are multiples of their alignments: the height of the stack,
    counted in multiples of a spacing. *)
From Neap Require Import problem bytes.

(** Rounded up to a multiple of m. *)
Definition up (y m : Z) : Z := - (- y / m) * m.

Lemma up_facts y m : 0 < m -> (m | up y m) /\ y <= up y m < y + m.
Proof.
  intros pos. unfold up. split; [exists (- (- y / m)); reflexivity|].
  pose proof (Z.div_mod (- y) m ltac:(lia)). pose proof (Z.mod_pos_bound (- y) m pos). nia.
Qed.

Lemma up_least y m z : 0 < m -> (m | z) -> y <= z -> up y m <= z.
Proof.
  intros pos d le. destruct (up_facts y m pos) as [[q e] b]. destruct d as [r ->]. rewrite e in *. assert (q < r + 1) by nia. nia.
Qed.

Lemma multiple_above m a b : 0 < m -> (m | a) -> (m | b) -> a - m < b -> a <= b.
Proof. intros pos [q ->] [r ->] h. assert (q < r + 1) by nia. nia. Qed.

(** The spacing is [m] units long, of which [s] make a byte. *)
Section Grid.
  Variables m s : Z.
  Hypothesis m_pos : 0 < m.
  Hypothesis s_pos : 0 < s.

  Definition step (b : buffer) : Z := Z.gcd m (s * alignment b).

  (** What a buffer adds to a stack, and how much of that may be missing at the top. *)
  Definition weight (b : buffer) : Z :=
    match fixed b with
    | Some f => up (s * (f + size b)) m - up (s * f) m
    | None => up (s * size b) (step b) / m * m
    end.
  Definition loss (b : buffer) : Z :=
    match fixed b with
    | Some f => up (s * (f + size b)) m - s * (f + size b)
    | None => weight b - s * size b + m - step b
    end.

  Definition is_own (b : buffer) (y : Z) : Prop := (alignment b | y) /\ forall f, fixed b = Some f -> y = f.

  Lemma weight_loss b y : is_own b y ->
    up (s * y) m + weight b <= up (s * (y + size b)) m /\ up (s * y) m + weight b - loss b <= s * (y + size b).
  Proof.
    intros [d f]. destruct (fixed b) as [z|] eqn:fx.
    - rewrite (f z eq_refl). unfold loss, weight. rewrite fx. lia.
    - clear f. assert (e_pos : 0 < step b).
      { unfold step. pose proof (Z.gcd_nonneg m (s * alignment b)). pose proof (Z.gcd_eq_0_l m (s * alignment b)). lia. }
      assert (em : (step b | m)) by apply Z.gcd_divide_l.
      assert (ey : (step b | s * y)).
      { apply (Z.divide_trans _ (s * alignment b)); [apply Z.gcd_divide_r|apply Z.mul_divide_mono_l, d]. }
      destruct (up_facts (s * y) m m_pos) as [mu bu]. set (u := up (s * y) m) in *.
      destruct (up_facts (s * (y + size b)) m m_pos) as [mr br]. set (r := up (s * (y + size b)) m) in *.
      assert (high : u <= s * y + (m - step b)).
      { apply (multiple_above (step b)); [exact e_pos|apply (Z.divide_trans _ m); assumption| |lia].
        apply Z.divide_add_r; [exact ey|]. apply Z.divide_sub_r; [exact em|apply Z.divide_refl]. }
      destruct (up_facts (s * size b) (step b) e_pos) as [_ bw].
      assert (rest : up (s * size b) (step b) <= r - s * y).
      { apply up_least; [exact e_pos| |lia]. apply Z.divide_sub_r; [apply (Z.divide_trans _ m); assumption|exact ey]. }
      unfold loss, weight. rewrite fx. set (w := up (s * size b) (step b)) in *.
      assert (wm : w / m * m <= w < w / m * m + m) by (pose proof (Z.div_mod w m ltac:(lia)); pose proof (Z.mod_pos_bound w m m_pos); lia).
      split; [|lia]. apply (multiple_above m); [exact m_pos|apply Z.divide_add_r; [exact mu|exists (w / m); reflexivity]|exact mr|lia].
  Qed.

  Lemma up_le y z : y <= z -> up y m <= up z m.
  Proof. intros le. destruct (up_facts z m m_pos). apply up_least; [exact m_pos|tauto|lia]. Qed.

  Variable x : layout.
  Definition top_of (b : buffer) : Z := x (number b) + size b.

  (** Of two in the list, one lies below the other. *)
  Definition stacked (l : list buffer) : Prop :=
    NoDup (map number l) /\
    forall a b, In a l -> In b l -> number a <> number b -> 0 < size a /\ (top_of a <= x (number b) \/ top_of b <= x (number a)).

  Lemma topmost n : forall l from, n = length l -> l <> [] -> stacked l ->
    (forall b, In b l -> is_own b (x (number b)) /\ from <= x (number b)) ->
    exists t, In t l /\ up (s * from) m + sum weight l <= up (s * x (number t)) m + weight t.
  Proof.
    induction n as [n ih] using lt_wf_ind. intros l from -> some [nodup st] each.
    destruct (least_of (fun b => - x (number b)) l some) as [t [it high]].
    exists t. split; [exact it|]. destruct (each t it) as [_ low_t]. pose proof it as i. apply in_split in i.
    destruct i as [l1 [l2 ->]]. rewrite map_app in nodup. apply NoDup_remove in nodup. rewrite <- map_app in nodup.
    destruct nodup as [nodup out].
    assert (sub : forall b, In b (l1 ++ l2) -> In b (l1 ++ t :: l2)) by (intros b; rewrite !in_app_iff; cbn; tauto).
    enough (up (s * from) m + sum weight (l1 ++ l2) <= up (s * x (number t)) m) by (rewrite sum_app in *; cbn [sum]; lia).
    destruct (l1 ++ l2) as [|c r] eqn:e; [cbn [sum]; rewrite Z.add_0_r; apply up_le; nia|]. rewrite <- e in *.
    destruct (ih (length (l1 ++ l2))) with (l := l1 ++ l2) (from := from) as [u [iu h]]; auto.
    - rewrite !app_length. cbn. lia.
    - congruence.
    - split; auto.
    - destruct (weight_loss u _ (proj1 (each u (sub u iu)))) as [w _]. transitivity (up (s * (x (number u) + size u)) m); [lia|].
      assert (ne : number u <> number t) by (intros q; apply out; rewrite <- q; apply in_map, iu).
      apply up_le, Z.mul_le_mono_nonneg_l; [lia|]. specialize (high u (sub u iu)). pose proof (st u t (sub u iu) it ne).
      pose proof (st t u it (sub u iu) (not_eq_sym ne)). unfold top_of in *. lia.
  Qed.

  (** The most that may be missing at the top. *)
  Definition worst (l : list buffer) : Z := fold_right (fun b w => Z.max w (loss b)) 0 l.

  Lemma worst_le l b : In b l -> loss b <= worst l.
  Proof. induction l as [|c l ih]; [intros []|]. unfold worst in *. cbn [fold_right]. intros [->|i]; [lia|]. specialize (ih i). lia. Qed.

  Theorem stack_end l from : l <> [] -> stacked l -> (forall b, In b l -> is_own b (x (number b)) /\ from <= x (number b)) ->
    exists t, In t l /\ up (s * from) m + sum weight l - worst l <= s * top_of t.
  Proof.
    intros some st each. destruct (topmost _ l from eq_refl some st each) as [t [it h]]. exists t. split; [exact it|].
    destruct (weight_loss t _ (proj1 (each t it))) as [_ w]. pose proof (worst_le l t it). unfold top_of. lia.
  Qed.
End Grid.
