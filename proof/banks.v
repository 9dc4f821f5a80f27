(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [banks]: buffers of which no two have bytes in one bank. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import problem bytes place grid lowest.
Import ListNotations.
Open Scope Z_scope.

(** The fewest banks of d bytes that a buffer uses. *)
Definition bank_count (d : Z) (b : buffer) : Z := up (size b) d / d.

Definition are_in_banks (p : problem) (d : Z) (a b : buffer) : bool :=
  existsb (fun q => (snd q =? d) && same_pair (number a) (number b) (fst q)) (bank_separations p).

(** Each of them, if it is the topmost, ends at the claim or above. *)
Definition need_banks (p : problem) (d : Z) (listed : list Z) (claim : Z) : bool :=
  let l := listed_buffers p listed in
  let total := sum (bank_count d) l in
  (0 <? d) && match l with [] => false | _ => true end &&
  forallb (fun a => (0 <? size a) && forallb (fun b => (number a =? number b) || are_in_banks p d a b) l &&
    (claim <=? lowest p a (d * (total - bank_count d a)) + size a)) l.

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
  pose proof (Z.div_mod xa d ltac:(lia)) as ea. pose proof (Z.mod_pos_bound xa d pos) as ra.
  pose proof (Z.div_mod xb d ltac:(lia)) as eb. pose proof (Z.mod_pos_bound xb d pos) as rb.
  destruct (Z_le_gt_dec (xa / d + bank_count d a) (xb / d)) as [?|ha]; [auto|].
  destruct (Z_le_gt_dec (xb / d + bank_count d b) (xa / d)) as [?|hb]; [auto|]. exfalso.
  set (qa := xa / d) in *. set (qb := xb / d) in *.
  apply (no (Z.max qa qb)). split.
  - exists (Z.max xa (d * Z.max qa qb)). split.
    + split; [lia|]. apply Z.max_lub_lt; [lia|]. destruct (Z.max_spec qa qb) as [[_ ->]|[_ ->]]; nia.
    + destruct (Z.max_spec qa qb) as [[lt ->]|[le ->]].
      * rewrite Z.max_r by nia. rewrite Z.mul_comm, Z.div_mul; lia.
      * rewrite Z.max_l by nia. reflexivity.
  - exists (Z.max xb (d * Z.max qa qb)). split.
    + split; [lia|]. apply Z.max_lub_lt; [lia|]. destruct (Z.max_spec qa qb) as [[_ ->]|[_ ->]]; nia.
    + destruct (Z.max_spec qa qb) as [[lt ->]|[le ->]].
      * rewrite Z.max_l by nia. reflexivity.
      * destruct (Z.eq_dec qa qb) as [e|ne]; [rewrite e, Z.max_l by nia; reflexivity|].
        rewrite Z.max_r by nia. rewrite Z.mul_comm, Z.div_mul; lia.
Qed.

Theorem need_banks_least p d listed claim : NoDup (map number (buffers p)) -> need_banks p d listed claim = true -> least p claim.
Proof.
  intros distinct h x [own [_ separated]]. unfold need_banks in h. set (l := listed_buffers p listed) in *.
  rewrite !andb_true_iff, Z.ltb_lt, forallb_forall in h. destruct h as [[pos some] each].
  assert (in_l : forall b, In b l -> In b (buffers p)) by (intros b i; apply filter_In in i; apply i).
  assert (facts : forall a, In a l -> 0 < size a /\ (forall b, In b l -> number a <> number b -> are_in_banks p d a b = true) /\
            claim <= lowest p a (d * (sum (bank_count d) l - bank_count d a)) + size a).
  { intros a i. specialize (each a i). rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le, forallb_forall in each. destruct each as [[h1 h2] h3].
    split; [exact h1|]. split; [|exact h3]. intros b j ne. specialize (h2 b j). rewrite orb_true_iff, Z.eqb_eq in h2. tauto. }
  assert (apart : forall a b k, In a l -> In b l -> number a <> number b -> ~ (uses x a d k /\ uses x b d k)).
  { intros a b k ia ib ne. destruct (facts a ia) as [_ [named_ _]]. specialize (named_ b ib ne). unfold are_in_banks in named_.
    apply existsb_exists in named_. destruct named_ as [[[i j] e] [it q]]. unfold same_pair in q. cbn in q.
    rewrite andb_true_iff, orb_true_iff, !andb_true_iff, !Z.eqb_eq in q. destruct q as [-> [[-> ->]|[-> ->]]]; [exact (separated a b d k (in_l a ia) (in_l b ib) it)|].
    pose proof (separated b a d k (in_l b ib) (in_l a ia) it). tauto. }
  set (m := map (as_banks d) l).
  assert (numbers : map number m = map number l) by (unfold m; rewrite map_map; reflexivity).
  assert (stack : stacked (first_bank d x) m).
  { split; [rewrite numbers; apply NoDup_map_filter, distinct|]. intros a b ia ib ne. apply in_map_iff in ia, ib.
    destruct ia as [a' [<- ia]], ib as [b' [<- ib]]. destruct (facts a' ia) as [pa _], (facts b' ib) as [pb _].
    split; [cbn; pose proof (bank_count_facts d a' pos); nia|]. unfold top_of, first_bank, as_banks. cbn [number size].
    apply banks_apart; auto. }
  assert (some_m : m <> []) by (unfold m; destruct l; [discriminate|cbn; discriminate]).
  destruct (highest (first_bank d x) m some_m) as [t' [it high]]. pose proof it as it'. apply in_map_iff in it. destruct it as [t [<- it]].
  assert (sums : sum (weight 1 1) m = sum (bank_count d) l).
  { unfold m. clear. induction l as [|b l ih]; [reflexivity|]. cbn [map sum]. rewrite ih, weight_as_banks. reflexivity. }
  rewrite (sum_others (weight 1 1) (as_banks d t) m (proj1 stack) it'), weight_as_banks in sums.
  assert (base : up (1 * 0) 1 + sum (weight 1 1) (others (as_banks d t) m) <= up (1 * first_bank d x (number t)) 1).
  { apply (stack_up 1 1 ltac:(lia) ltac:(lia) (first_bank d x) (length (others (as_banks d t) m)));
      [lia|apply others_stacked, stack| |apply Z.div_pos; [exact (proj1 (own t (in_l t it)))|exact pos]].
    intros c ic. apply others_in in ic. destruct ic as [ic ne]. pose proof ic as ic'. apply in_map_iff in ic. destruct ic as [c' [<- ic]].
    split; [split; [apply Z.divide_1_l|discriminate]|]. split; [apply Z.div_pos; [exact (proj1 (own c' (in_l c' ic)))|exact pos]|].
    apply (below_highest (first_bank d x) m (as_banks d t)); auto. }
  rewrite !up_1 in base. unfold first_bank in base.
  assert (low_ : d * (sum (bank_count d) l - bank_count d t) <= x (number t)).
  { pose proof (Z.mul_div_le (x (number t)) d pos). nia. }
  destruct (facts t it) as [_ [_ end_]]. right. exists t. split; [apply in_l, it|].
  pose proof (lowest_le p t (x (number t)) (proj2 (own t (in_l t it))) _ low_). lia.
Qed.
