(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [banks]: buffers of which no two have bytes in one bank. *)
From Neap Require Import problem bytes place grid lowest.

(** The fewest banks of d bytes that a buffer uses. *)
Definition bank_count (d : Z) (b : buffer) : Z := up (size b) d / d.

Definition are_in_banks (p : problem) (d : Z) (a b : buffer) : bool :=
  existsb (fun q => (snd q =? d) && same_pair (number a) (number b) (fst q)) (bank_separations p).

(** Each of them, if it is the topmost, ends at the claim or above. *)
Definition need_banks (p : problem) (d : Z) (listed : list Z) (claim : Z) : bool :=
  let l := listed_buffers p listed in
  let total := sum (bank_count d) l in
  (0 <? d) && match l with [] => false | _ => true end &&
  is_each (are_in_banks p d) l &&
  forallb (fun a => (0 <? size a) && (claim <=? lowest p a (d * (total - bank_count d a)) + size a)) l.

Lemma bank_count_facts d b : 0 < d -> d * (bank_count d b - 1) < size b <= d * bank_count d b.
Proof.
  intros pos. unfold bank_count. destruct (up_facts (size b) d pos) as [[q e] h]. rewrite e in *. rewrite Z.div_mul by lia. nia.
Qed.

(** A buffer with its banks in place of its bytes, so that they stack in the same way. *)
Definition as_banks (d : Z) (b : buffer) : buffer :=
  {| number := number b; size := bank_count d b; alignment := 1; fixed := None; low := 0; high := None; bank := None; lives := [] |}.
Definition first_bank (d : Z) (x : layout) : layout := fun n => x n / d.

Lemma up_1 y : up y 1 = y.
Proof. unfold up. rewrite Z.div_1_r. lia. Qed.

Lemma weight_as_banks d b : weight 1 1 (as_banks d b) = bank_count d b.
Proof. unfold weight, step, as_banks. cbn [fixed size alignment]. rewrite Z.gcd_1_l, Z.div_1_r, up_1. lia. Qed.

(** Two buffers without a common bank. *)
Lemma banks_apart d x a b : 0 < d -> 0 < size a -> 0 < size b -> (forall k, ~ (uses x a d k /\ uses x b d k)) ->
  x (number a) / d + bank_count d a <= x (number b) / d \/ x (number b) / d + bank_count d b <= x (number a) / d.
Proof.
  intros pos pa pb no. pose proof (bank_count_facts d a pos) as ca. pose proof (bank_count_facts d b pos) as cb.
  set (xa := x (number a)) in *. set (xb := x (number b)) in *.
  assert (has : forall y b k, y = x (number b) -> size b <= d * bank_count d b -> d * (bank_count d b - 1) < size b -> 0 < size b ->
            y / d <= k < y / d + bank_count d b -> uses x b d k).
  { intros y c k -> h1 h2 h3 h4. pose proof (Z.div_mod (x (number c)) d ltac:(lia)).
    pose proof (Z.mod_pos_bound (x (number c)) d pos). exists (Z.max (x (number c)) (d * k)). split; [nia|]. symmetry.
    apply (Z.div_unique_pos _ d k (Z.max (x (number c)) (d * k) - d * k)); nia. }
  destruct (Z_le_gt_dec (xa / d + bank_count d a) (xb / d)) as [?|ha]; [auto|].
  destruct (Z_le_gt_dec (xb / d + bank_count d b) (xa / d)) as [?|hb]; [auto|]. exfalso.
  apply (no (Z.max (xa / d) (xb / d))). split; [apply (has xa)|apply (has xb)]; try reflexivity; try lia.
Qed.

Theorem need_banks_least p d listed claim : NoDup (map number (buffers p)) -> need_banks p d listed claim = true -> least p claim.
Proof.
  intros distinct h x [own [_ [separated _]]]. unfold need_banks in h. set (l := listed_buffers p listed) in *.
  rewrite !andb_true_iff, Z.ltb_lt, forallb_forall in h. destruct h as [[[pos some] two] each].
  assert (in_l : forall b, In b l -> In b (buffers p)) by (intros b i; apply filter_In in i; apply i).
  assert (facts : forall a, In a l -> 0 < size a /\ claim <= lowest p a (d * (sum (bank_count d) l - bank_count d a)) + size a).
  { intros a i. specialize (each a i). lia. }
  assert (apart : forall a b k, In a l -> In b l -> number a <> number b -> ~ (uses x a d k /\ uses x b d k)).
  { intros a b k ia ib ne. pose proof (is_each_true _ _ two a b ia ib ne) as named_. apply existsb_exists in named_.
    destruct named_ as [[[i j] e] [it q]]. unfold same_pair in q. cbn in q.
    rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Z.eqb_eq in q.
    destruct q as [-> [[-> ->]|[-> ->]]]; [exact (separated a b d k (in_l a ia) (in_l b ib) it)|].
    pose proof (separated b a d k (in_l b ib) (in_l a ia) it). tauto. }
  set (m := map (as_banks d) l).
  assert (numbers : map number m = map number l) by (unfold m; rewrite map_map; reflexivity).
  assert (stack : stacked (first_bank d x) m).
  { split; [rewrite numbers; apply NoDup_map_filter, distinct|]. intros a b ia ib ne. apply in_map_iff in ia, ib.
    destruct ia as [a' [<- ia]], ib as [b' [<- ib]]. destruct (facts a' ia) as [pa _], (facts b' ib) as [pb _].
    split; [cbn; pose proof (bank_count_facts d a' pos); nia|]. unfold top_of, first_bank, as_banks. cbn [number size].
    apply banks_apart; auto. }
  assert (some_m : m <> []) by (unfold m; destruct l; [discriminate|cbn; discriminate]).
  assert (each_m : forall b, In b m -> is_own b (first_bank d x (number b)) /\ 0 <= first_bank d x (number b)).
  { intros b i. apply in_map_iff in i. destruct i as [c [<- i]]. split; [split; [apply Z.divide_1_l|discriminate]|].
    apply Z.div_pos; [exact (proj1 (own c (in_l c i)))|exact pos]. }
  destruct (topmost 1 1 ltac:(lia) ltac:(lia) (first_bank d x) _ m 0 eq_refl some_m stack each_m) as [t' [it high]].
  apply in_map_iff in it. destruct it as [t [<- it]]. unfold m in high. rewrite sum_map, weight_as_banks, !up_1 in high.
  rewrite (sum_ext _ (bank_count d)) in high by (intros; apply weight_as_banks). unfold first_bank in high.
  cbn [number as_banks] in high.
  assert (low_ : d * (sum (bank_count d) l - bank_count d t) <= x (number t)).
  { pose proof (Z.mul_div_le (x (number t)) d pos). nia. }
  destruct (facts t it) as [_ end_]. right. exists t. split; [apply in_l, it|].
  pose proof (lowest_le p t (x (number t)) (proj2 (own t (in_l t it))) _ low_). lia.
Qed.
