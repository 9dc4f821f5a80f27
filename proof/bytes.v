(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What all proofs use: integers and lists, sums over bytes, sums over lists, and tables. *)
From Coq Require Export ZArith List Lia Bool ZifyBool Relations FMapPositive.
Export ListNotations.
Global Open Scope Z_scope.

Definition one (b : bool) : Z := if b then 1 else 0.
Lemma one_nonneg b : 0 <= one b.
Proof. destruct b; cbn; lia. Qed.

Fixpoint sum {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | a :: l => f a + sum f l end.

Lemma sum_le {A} (f g : A -> Z) l : (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof. induction l; cbn; intros h; [lia|]. apply Z.add_le_mono; auto. Qed.

Lemma sum_nonneg {A} (f : A -> Z) l : (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof. induction l; cbn; intros h; [lia|]. apply Z.add_nonneg_nonneg; auto. Qed.

Lemma sum_plus {A} (f g : A -> Z) l : sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. induction l; cbn; lia. Qed.

Lemma sum_filter {A} (f : A -> Z) (keep : A -> bool) l : (forall a, In a l -> keep a = false -> f a = 0) ->
  sum f l = sum f (filter keep l).
Proof.
  induction l as [|a l ih]; cbn; intros h; [reflexivity|]. rewrite ih by auto. pose proof (h a (or_introl eq_refl)).
  destruct (keep a); cbn; lia.
Qed.

Lemma sum_ext {A} (f g : A -> Z) l : (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof. induction l; cbn; intros h; [reflexivity|]. rewrite h, IHl; auto. Qed.

Lemma sum_0 {A} (f : A -> Z) l : (forall a, In a l -> f a = 0) -> sum f l = 0.
Proof. induction l; cbn; intros h; [reflexivity|]. rewrite h, IHl; auto. Qed.

Lemma sum_flat_map {A B} (f : B -> Z) (h : A -> list B) l : sum f (flat_map h l) = sum (fun a => sum f (h a)) l.
Proof. induction l as [|a l ih]; cbn; [reflexivity|]. rewrite <- ih. induction (h a); cbn; lia. Qed.

Lemma sum_app {A} (f : A -> Z) l m : sum f (l ++ m) = sum f l + sum f m.
Proof. induction l; cbn; lia. Qed.

Lemma sum_map {A B} (f : B -> Z) (h : A -> B) l : sum f (map h l) = sum (fun a => f (h a)) l.
Proof. induction l; cbn; lia. Qed.

Lemma sum_in {A} (f : A -> Z) l a : (forall b, In b l -> 0 <= f b) -> In a l -> f a <= sum f l.
Proof.
  induction l as [|b l ih]; cbn; intros h; [intros []|]. pose proof (sum_nonneg f l (fun c i => h c (or_intror i))).
  pose proof (h b (or_introl eq_refl)). intros [->|i]; [lia|]. specialize (ih (fun c j => h c (or_intror j)) i). lia.
Qed.

Lemma sum_swap {A B} (f : A -> B -> Z) l m : sum (fun a => sum (f a) m) l = sum (fun b => sum (fun a => f a b) l) m.
Proof. induction l; cbn; [symmetry; apply sum_0; auto|]. rewrite IHl, <- sum_plus. reflexivity. Qed.

(** The bytes 0 to n - 1. *)
Fixpoint bytes_below (n : nat) : list Z := match n with O => [] | S n => Z.of_nat n :: bytes_below n end.

Lemma sum_1 n : sum (fun _ => 1) (bytes_below n) = Z.of_nat n.
Proof. induction n; cbn [sum bytes_below]; lia. Qed.

(** Whether byte y is in [a, b). *)
Definition covers (a b y : Z) : bool := (a <=? y) && (y <? b).

Lemma sum_covers a b n : 0 <= a ->
  sum (fun y => one (covers a b y)) (bytes_below n) = Z.max 0 (Z.min b (Z.of_nat n) - a).
Proof. intros h. induction n; cbn [sum bytes_below]; [lia|]. rewrite IHn. unfold covers, one. destruct (_ && _) eqn:e; lia. Qed.

(* ---------------------------------------------------------------- lists *)

Lemma fold_ok {A B} (P : A -> Prop) (f : A -> B -> A) l : (forall a b, In b l -> P a -> P (f a b)) ->
  forall a, P a -> P (fold_left f l a).
Proof. induction l as [|b l ih]; cbn; intros h a ok; auto. Qed.

Lemma one_or_none {A} (f : A -> bool) l : (exists a, In a l /\ f a = true) \/ forall a, In a l -> f a = false.
Proof.
  induction l as [|a l [[b [i h]]|h]]; [right; intros ? []|left; exists b; cbn; auto|].
  destruct (f a) eqn:e; [left; exists a; cbn; auto|right]. intros b [<-|i]; auto.
Qed.

Lemma least_of {A} (f : A -> Z) l : l <> [] -> exists a, In a l /\ forall b, In b l -> f a <= f b.
Proof.
  induction l as [|a l ih]; [congruence|]. intros _. destruct l as [|c l]; [exists a; cbn; intuition (subst; lia)|].
  destruct ih as [b [i h]]; [discriminate|]. destruct (Z_le_gt_dec (f a) (f b)).
  - exists a. split; [left; reflexivity|]. intros d [<-|j]; [lia|]. specialize (h d j). lia.
  - exists b. split; [right; exact i|]. intros d [<-|j]; [lia|auto].
Qed.

Lemma NoDup_map_filter {A B} (f : A -> B) keep l : NoDup (map f l) -> NoDup (map f (filter keep l)).
Proof.
  induction l as [|a l ih]; cbn; [auto|]. intros h. inversion_clear h as [|? ? out nodup].
  destruct (keep a); cbn; [|auto]. constructor; [|auto]. intros i. apply out.
  apply in_map_iff in i. destruct i as [b [e i]]. apply filter_In in i. rewrite <- e. apply in_map, i.
Qed.

(* ---------------------------------------------------------------- tables *)

Module M := PositiveMap.

Definition get {A} (none : A) (m : M.t A) (k : positive) : A := match M.find k m with Some a => a | None => none end.
Definition map_of {A B} (key : B -> positive) (f : B -> A) (l : list B) : M.t A :=
  fold_left (fun m b => M.add (key b) (f b) m) l (M.empty A).

Lemma get_add {A} (none : A) m k a i : get none (M.add k a m) i = if Pos.eqb i k then a else get none m i.
Proof.
  unfold get. destruct (Pos.eqb_spec i k) as [->|ne]; [rewrite M.gss|rewrite M.gso by exact ne]; reflexivity.
Qed.

Lemma find_add {A} (P : positive -> A -> Prop) m k a : (forall i b, M.find i m = Some b -> P i b) -> P k a ->
  forall i b, M.find i (M.add k a m) = Some b -> P i b.
Proof.
  intros h ok i b. destruct (Pos.eq_dec i k) as [->|ne]; [|rewrite M.gso by exact ne; apply h].
  rewrite M.gss. intros [= <-]. exact ok.
Qed.

Lemma map_of_ok {A B} (key : B -> positive) (f : B -> A) (P : positive -> A -> Prop) l :
  (forall b, In b l -> P (key b) (f b)) -> forall k a, M.find k (map_of key f l) = Some a -> P k a.
Proof.
  intros each. unfold map_of. apply (fold_ok (fun m => forall k a, M.find k m = Some a -> P k a)).
  - intros m b i h. apply find_add; [exact h|exact (each b i)].
  - intros k a. rewrite M.gempty. discriminate.
Qed.
