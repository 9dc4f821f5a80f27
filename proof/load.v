(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Buffers of which every two conflict need their sizes, less what overlap allowances let them share. *)
From Neap Require Import problem bytes.

Lemma reaches_or p x h : reaches p x h \/ 0 < h /\ forall b, In b (buffers p) -> x (number b) + size b <= h - 1.
Proof.
  unfold reaches. destruct (one_or_none (fun b => h <=? x (number b) + size b) (buffers p)) as [[b [i e]]|none].
  - left. right. exists b. split; [exact i|lia].
  - destruct (Z_le_gt_dec h 0); [auto|]. right. split; [lia|]. intros b i. specialize (none b i). lia.
Qed.

Definition mentions (n : Z) (pair : Z * Z * Z) : bool := (fst (fst pair) =? n) || (snd (fst pair) =? n).
(** Whether a buffer is colocated with another, and may be with any such. *)
Definition is_tied (p : problem) (b : buffer) : bool := existsb (mentions (number b)) (colocations p).

Lemma colocated_tied p a b : number a <> number b -> colocated p (number a) (number b) -> is_tied p a = true /\ is_tied p b = true.
Proof.
  intros ne c. set (tied := fun n => existsb (mentions n) (colocations p)).
  enough (h : forall i j, colocated p i j -> i = j \/ tied i = true /\ tied j = true) by (destruct (h _ _ c); [contradiction|assumption]).
  clear. intros i j c. induction c as [i j [d c]|i|i j _ ih|i j k _ ih _ ih']; try (intuition congruence).
  right. split; apply existsb_exists; (eexists; split; [exact c|]); unfold mentions; cbn; rewrite Z.eqb_refl, ?orb_true_r; reflexivity.
Qed.

(** The least distance between the offsets of a and b, if a lies below b. *)
Fixpoint least_gap (pairs : list (Z * Z * Z)) (i j at_most : Z) : Z :=
  match pairs with
  | [] => at_most
  | (k, l, d) :: pairs =>
      let rest := least_gap pairs i j at_most in if (k =? i) && (l =? j) then Z.min d rest else rest
  end.
Definition gap (p : problem) (a b : buffer) : Z := least_gap (overlaps p) (number a) (number b) (size a).

Lemma least_gap_le pairs i j m : least_gap pairs i j m <= m.
Proof. induction pairs as [|[[k l] d] pairs ih]; cbn; [lia|]. destruct (_ && _); lia. Qed.

Lemma least_gap_in pairs i j m d : In (i, j, d) pairs -> least_gap pairs i j m <= d.
Proof.
  induction pairs as [|[[k l] e] pairs ih]; cbn; [tauto|]. intros [h|h].
  - inversion h. rewrite !Z.eqb_refl. cbn. lia.
  - specialize (ih h). destruct (_ && _); lia.
Qed.

Lemma least_gap_cases pairs i j m : least_gap pairs i j m = m \/ In (i, j, least_gap pairs i j m) pairs.
Proof.
  induction pairs as [|[[k l] e] pairs ih]; cbn; [tauto|].
  destruct ((k =? i) && (l =? j)) eqn:q; [|destruct ih; auto].
  rewrite andb_true_iff, !Z.eqb_eq in q. destruct q as [-> ->].
  destruct (Z.min_spec e (least_gap pairs i j m)) as [[_ ->]|[_ ->]]; [auto|]. destruct ih; auto.
Qed.

Lemma below_gap p x a b : below p x a b <-> x (number a) + gap p a b <= x (number b).
Proof.
  unfold below, gap. split.
  - intros [h|[d [h le]]].
    + pose proof (least_gap_le (overlaps p) (number a) (number b) (size a)). lia.
    + apply (least_gap_in _ _ _ (size a)) in h. lia.
  - destruct (least_gap_cases (overlaps p) (number a) (number b) (size a)) as [e|e]; intros h.
    + left. lia.
    + right. eauto.
Qed.

(** What two buffers can share at most. *)
Definition shareable (p : problem) (a b : buffer) : Z :=
  Z.max 0 (Z.max (Z.min (size a - gap p a b) (size b)) (Z.min (size b - gap p b a) (size a))).

Lemma overlap_shareable p x a b : below p x a b \/ below p x b a ->
  Z.min (x (number a) + size a) (x (number b) + size b) - Z.max (x (number a)) (x (number b)) <= shareable p a b.
Proof. intros o. unfold shareable. destruct o as [o|o]; apply below_gap in o; lia. Qed.

(** Intervals [lo, lo + len), of which two can share some bytes. *)
Section Load.
  Context {A : Type}.
  Variable key : A -> Z.
  Variables lo len : A -> Z.
  Variable set : list A.
  Hypothesis distinct : NoDup (map key set).
  Hypothesis nonneg : forall a, In a set -> 0 <= len a /\ 0 <= lo a.

  (** Of every two, one is let in by the other. *)
  Variable enters : A -> A -> bool.
  Hypothesis one_enters : forall a b, key a <> key b -> enters a b = true \/ enters b a = true.
  Variable share : A -> A -> Z.
  Hypothesis shares : forall a b, In a set -> In b set -> key a <> key b -> enters a b = true ->
    0 <= share a b /\ Z.min (lo a + len a) (lo b + len b) - Z.max (lo a) (lo b) <= share a b.

  Definition is_at (a : A) (y : Z) : bool := covers (lo a) (lo a + len a) y.
  Definition is_let_in (a : A) (y : Z) (by_ : A) : bool :=
    negb (key a =? key by_) && enters a by_ && is_at a y && is_at by_ y.
  Definition is_let_in_by_one (a : A) (y : Z) : bool := existsb (is_let_in a y) set.

  Lemma sum_is_at a n : In a set -> lo a + len a <= Z.of_nat n -> sum (fun y => one (is_at a y)) (bytes_below n) = len a.
  Proof. intros h le. destruct (nonneg a h). unfold is_at. rewrite sum_covers; lia. Qed.

  (** At most one of those at a byte is let in by none. *)
  Lemma at_most_one y l : incl l set -> NoDup (map key l) ->
    sum (fun a => one (is_at a y)) l <= 1 + sum (fun a => one (is_let_in_by_one a y)) l.
  Proof.
    induction l as [|a l ih]; cbn [sum map]; intros sub nodup; [lia|].
    inversion_clear nodup as [|? ? out nodup']. apply incl_cons_inv in sub. destruct sub as [ia sub]. specialize (ih sub nodup').
    destruct (is_at a y) eqn:at_a; cbn [one]; [|destruct (is_let_in_by_one a y); cbn [one]; lia].
    destruct (is_let_in_by_one a y) eqn:let_a; cbn [one]; [lia|].
    enough (sum (fun a => one (is_at a y)) l <= sum (fun a => one (is_let_in_by_one a y)) l) by lia.
    apply sum_le. intros b h. destruct (is_at b y) eqn:at_b; [|cbn [one]; destruct (is_let_in_by_one b y); cbn; lia].
    assert (different : key a <> key b) by (intros e; apply out; rewrite e; apply in_map; exact h).
    replace (is_let_in_by_one b y) with true; [reflexivity|]. symmetry. apply existsb_exists. exists a.
    split; [exact ia|]. destruct (one_enters a b different) as [e|e]; [|unfold is_let_in; lia].
    exfalso. apply not_true_iff_false in let_a. apply let_a, existsb_exists. exists b. split; [apply sub, h|].
    unfold is_let_in. lia.
  Qed.

  Lemma sum_let_in_le a b n : In a set -> In b set ->
    sum (fun y => one (is_let_in a y b)) (bytes_below n) <= if negb (key a =? key b) && enters a b then share a b else 0.
  Proof.
    intros ha hb. destruct (nonneg a ha), (nonneg b hb). unfold is_let_in.
    destruct (negb (key a =? key b) && enters a b) eqn:e; cbn [andb]; [|rewrite sum_0; [lia|reflexivity]].
    apply andb_true_iff in e. destruct e as [e enter]. apply negb_true_iff, Z.eqb_neq in e.
    destruct (shares a b ha hb e enter). set (l := Z.max (lo a) (lo b)) in *.
    set (r := Z.min (lo a + len a) (lo b + len b)) in *.
    transitivity (sum (fun y => one (covers l r y)) (bytes_below n)); [|rewrite sum_covers; subst l; lia].
    apply sum_le. intros y _. unfold is_at, one. destruct (covers l r y) eqn:q, (_ && _) eqn:q'; unfold covers in *; lia.
  Qed.

  (** What one can share with those that let it in. *)
  Definition let_in_at_most (a : A) : Z :=
    Z.min (len a) (sum (fun b => if negb (key a =? key b) && enters a b then share a b else 0) set).

  Lemma sum_let_in_by_one_le a n : In a set -> lo a + len a <= Z.of_nat n ->
    sum (fun y => one (is_let_in_by_one a y)) (bytes_below n) <= let_in_at_most a.
  Proof.
    intros h le. unfold let_in_at_most. apply Z.min_glb.
    - rewrite <- (sum_is_at a n h le). apply sum_le. intros y _.
      destruct (is_let_in_by_one a y) eqn:e; cbn [one]; [|destruct (is_at a y); cbn; lia].
      apply existsb_exists in e. destruct e as [b [_ e]]. unfold is_let_in in e. unfold one. destruct (is_at a y); lia.
    - transitivity (sum (fun y => sum (fun b => one (is_let_in a y b)) set) (bytes_below n)).
      + apply sum_le. intros y _. pose (f := fun b => one (is_let_in a y b)).
        change (one (is_let_in_by_one a y) <= sum f set).
        assert (pos : forall b, In b set -> 0 <= f b) by (intros; apply one_nonneg).
        destruct (is_let_in_by_one a y) eqn:e; [|apply sum_nonneg, pos]. apply existsb_exists in e. destruct e as [b [i e]].
        replace (one true) with (f b) by (unfold f; rewrite e; reflexivity). apply sum_in; assumption.
      + rewrite sum_swap. apply sum_le. intros b hb. apply sum_let_in_le; assumption.
  Qed.

  Theorem load h : (forall a, In a set -> lo a + len a <= h) -> 0 <= h ->
    sum len set - sum let_in_at_most set <= h.
  Proof.
    intros ends nonneg_h. pose (n := Z.to_nat h).
    assert (e : h = Z.of_nat n) by (subst n; lia).
    assert (each : sum (fun y => sum (fun a => one (is_at a y)) set) (bytes_below n)
            <= sum (fun y => 1 + sum (fun a => one (is_let_in_by_one a y)) set) (bytes_below n)).
    { apply sum_le. intros y _. apply at_most_one; [apply incl_refl|exact distinct]. }
    rewrite (sum_plus (fun _ => 1)), sum_1, (sum_swap (fun y a => one (is_at a y))), (sum_ext _ len) in each.
    rewrite (sum_swap (fun y a => one (is_let_in_by_one a y))) in each.
    - enough (sum (fun a => sum (fun y => one (is_let_in_by_one a y)) (bytes_below n)) set <= sum let_in_at_most set) by lia.
      apply sum_le. intros a i. apply sum_let_in_by_one_le; [exact i|]. specialize (ends a i). lia.
    - intros a i. apply sum_is_at; [exact i|]. specialize (ends a i). lia.
  Qed.
End Load.
