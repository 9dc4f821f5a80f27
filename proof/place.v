(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Where a buffer may be, by itself and beside another. *)
From Neap Require Import problem bytes load.

(* ---------------------------------------------------------------- a buffer by itself *)

Definition option_all {A} (f : A -> bool) (o : option A) : bool := match o with Some a => f a | None => true end.

Definition are_together (l m : lifetime) : bool := Z.max (start l) (start m) <? Z.min (stop l) (stop m).

Definition avoids (b : buffer) (at_ : Z) (h : hole) : bool :=
  (size b <=? 0) || negb (existsb (fun l => are_together l (during h)) (lives b)) || (at_ + size b <=? bottom h) ||
  match top h with Some u => u <=? at_ | None => false end.

Definition is_own_place (p : problem) (b : buffer) (at_ : Z) : bool :=
  (0 <=? at_) && (low b <=? at_) && (0 <? alignment b) && (at_ mod alignment b =? 0) &&
  option_all (Z.eqb at_) (fixed b) && option_all (Z.leb (at_ + size b)) (high b) &&
  option_all (fun k => (size b <=? 0) || (at_ / k =? (at_ + size b - 1) / k)) (bank b) &&
  forallb (avoids b at_) (holes p).

Lemma is_own_place_true p b at_ : is_own_place p b at_ = true -> 0 <= at_ /\ may_be_at p b at_.
Proof.
  unfold is_own_place, may_be_at. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt, Z.eqb_eq, forallb_forall.
  intros [[[[[[[h0 h1] h2] h3] h4] h5] h6] h7]. repeat split; try assumption.
  - apply Z.mod_divide; [lia|exact h3].
  - intros f e. rewrite e in h4. apply Z.eqb_eq, h4.
  - intros h e. rewrite e in h5. apply Z.leb_le, h5.
  - intros k e pos. rewrite e in h6. cbn in h6. apply orb_true_iff in h6. rewrite Z.leb_le, Z.eqb_eq in h6. lia.
  - intros h t i pos [l [il wl]] wh. specialize (h7 h i). unfold avoids in h7. rewrite !orb_true_iff in h7.
    destruct h7 as [[[h7|h7]|h7]|h7].
    + apply Z.leb_le in h7. lia.
    + apply negb_true_iff in h7. exfalso. enough (existsb (fun l => are_together l (during h)) (lives b) = true) by congruence.
      apply existsb_exists. exists l. split; [exact il|]. unfold within, are_together in *. lia.
    + apply Z.leb_le in h7. auto.
    + destruct (top h) as [u|]; [|discriminate]. apply Z.leb_le in h7. eauto.
Qed.

(** The buffers with these numbers. *)
Definition has (n : Z) (listed : list Z) : bool := existsb (Z.eqb n) listed.
Definition listed_buffers (p : problem) (listed : list Z) : list buffer := filter (fun b => has (number b) listed) (buffers p).

(* ---------------------------------------------------------------- two buffers *)

Definition is_each (f : buffer -> buffer -> bool) (l : list buffer) : bool :=
  forallb (fun a => forallb (fun b => (number a =? number b) || f a b) l) l.

Lemma is_each_true f l : is_each f l = true -> forall a b, In a l -> In b l -> number a <> number b -> f a b = true.
Proof.
  unfold is_each. rewrite forallb_forall. intros h a b i j ne. specialize (h a i). rewrite forallb_forall in h.
  specialize (h b j). lia.
Qed.

Definition same_pair (i j : Z) (pair : Z * Z) : bool :=
  (fst pair =? i) && (snd pair =? j) || (fst pair =? j) && (snd pair =? i).
Definition is_named (i j : Z) (pairs : list (Z * Z)) : bool := existsb (same_pair i j) pairs.

Lemma is_named_true i j pairs : is_named i j pairs = true <-> named i j pairs.
Proof.
  unfold is_named, named, same_pair. rewrite existsb_exists. split.
  - intros [[k l] [h e]]. cbn in e. rewrite orb_true_iff, !andb_true_iff, !Z.eqb_eq in e.
    destruct e as [[-> ->]|[-> ->]]; auto.
  - intros [h|h]; eexists; (split; [exact h|]); cbn; rewrite !Z.eqb_refl, ?orb_true_r; reflexivity.
Qed.

Definition do_meet (a b : buffer) : bool := existsb (fun l => existsb (are_together l) (lives b)) (lives a).
Definition conflicts (p : problem) (a b : buffer) : bool :=
  negb (number a =? number b) &&
  (is_named (number a) (number b) (separations p) ||
   do_meet a b && negb (is_named (number a) (number b) (exclusions p)) && negb (is_tied p a && is_tied p b)).
Definition is_strict (p : problem) (a b : buffer) : bool :=
  conflicts p a b && (gap p a b =? size a) && (gap p b a =? size b).

Lemma is_strict_true p a b : is_strict p a b = true <-> conflicts p a b = true /\ gap p a b = size a /\ gap p b a = size b.
Proof. unfold is_strict. rewrite !andb_true_iff, !Z.eqb_eq. tauto. Qed.

Lemma conflicts_conflict p a b : 0 < size a -> 0 < size b -> conflicts p a b = true -> conflict p a b.
Proof.
  intros pa pb. unfold conflicts, conflict.
  rewrite !andb_true_iff, orb_true_iff, !andb_true_iff, !negb_true_iff, Z.eqb_neq. intros [ne h]. repeat split; auto.
  destruct h as [h|[[m n] o]].
  - left. apply is_named_true, h.
  - right. split; [|split; [intros h; apply is_named_true in h; congruence|]].
    2: { intros h. apply colocated_tied in h; [|exact ne]. destruct h as [-> ->] in o. discriminate. }
    unfold do_meet in m. apply existsb_exists in m. destruct m as [l [il m]]. apply existsb_exists in m. destruct m as [m [im h]].
    unfold are_together in h. apply Z.ltb_lt in h. exists (Z.max (start l) (start m)).
    split; [exists l|exists m]; (split; [assumption|unfold within; lia]).
Qed.

(** The first is implied by the second, and faster. *)
Definition is_below (p : problem) (x : layout) (a b : buffer) : bool :=
  (x (number a) + size a <=? x (number b)) || (x (number a) + gap p a b <=? x (number b)).
Definition is_apart (p : problem) (x : layout) (a b : buffer) : bool := is_below p x a b || is_below p x b a.

Lemma is_apart_true p x a b : is_apart p x a b = true -> below p x a b \/ below p x b a.
Proof.
  unfold is_apart, is_below. rewrite !below_gap. pose proof (least_gap_le (overlaps p) (number a) (number b) (size a)).
  pose proof (least_gap_le (overlaps p) (number b) (number a) (size b)). unfold gap in *. lia.
Qed.
