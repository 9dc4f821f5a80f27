(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** A cell: some buffer of a clique is at the lowest of their lows, or none is. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import problem bytes load place check_load grid lowest walk.
Import ListNotations.
Open Scope Z_scope.

Lemma fold_max (sel : item -> bool) (f : item -> Z) b (l : state) :
  let r := fold_right (fun e w => if sel e then Z.max w (f e) else w) b l in
  b <= r /\ (forall e, In e l -> sel e = true -> f e <= r) /\ (r = b \/ exists e, In e l /\ sel e = true /\ r = f e).
Proof.
  cbv zeta. induction l as [|d m [ih1 [ih2 ih3]]]; cbn [fold_right]; [split; [lia|split; [intros e []|auto]]|].
  set (r := fold_right _ b m) in *. destruct (sel d) eqn:q.
  - split; [lia|]. split.
    + intros e [<-|ie] h; [lia|]. specialize (ih2 e ie h). lia.
    + destruct (Z.max_spec r (f d)) as [[_ ->]|[_ ->]]; [right; exists d; cbn; auto|].
      destruct ih3 as [ih3|[e [ie h]]]; [auto|]. right. exists e. cbn. tauto.
  - split; [lia|]. split; [intros e [<-|ie] h; [congruence|auto]|].
    destruct ih3 as [ih3|[e [ie h]]]; [auto|]. right. exists e. cbn. tauto.
Qed.

Section Cell.
  Variable p : problem.
  Variable claim : Z.
  Hypothesis claim_low : claim <= nowhere.

  Notation way := (way p claim).
  Notation sane := (sane p).

  (* ---------------------------------------------------------------- a buffer that is not at its low *)

  Definition conflict_items (i e : item) : bool := conflicts p (fst e) (fst i).
  Definition same_number (i e : item) : bool := number (fst e) =? number (fst i).

  (** The buffer may be anywhere that its alignment permits, also higher by the size of i. *)
  Definition is_loose (i e : item) : bool :=
    match fixed (fst e), high (fst e), bank (fst e), holes p with
    | None, None, None, [] => (low (fst e) =? 0) && (0 <? alignment (fst e)) && (size (fst i) mod alignment (fst e) =? 0)
    | _, _, _, _ => false
    end.

  Lemma loose_may i e y : is_loose i e = true -> 0 <= y -> 0 <= size (fst i) -> may_be_at p (fst e) y ->
    may_be_at p (fst e) (y + size (fst i)).
  Proof.
    unfold is_loose, may_be_at. destruct (fixed (fst e)); [discriminate|]. destruct (high (fst e)); [discriminate|].
    destruct (bank (fst e)); [discriminate|]. destruct (holes p) eqn:hs; [|discriminate]. rewrite !andb_true_iff, !Z.eqb_eq, Z.ltb_lt.
    intros [[low_ pos] md] py ps [_ [al _]]. split; [lia|]. split.
    - apply Z.divide_add_r; [exact al|]. apply Z.mod_divide; [lia|exact md].
    - repeat split; try discriminate. intros h t [].
  Qed.

  (** Every item that conflicts with e is i or conflicts with i. *)
  Definition is_movable (s : state) (i e : item) : bool :=
    is_loose i e && forallb (fun f => if conflict_items e f then same_number i f || conflict_items i f else true) s.
  Definition is_strict_to_all (i : item) : bool :=
    forallb (fun b => if conflicts p b (fst i) then is_strict p b (fst i) else true) (buffers p).
  Definition blocks (s : state) (i e : item) : bool := conflict_items i e && ((snd e <? snd i) || negb (is_movable s i e)).

  (** The lowest low of the items that keep i from moving down to its own low. *)
  Definition wall (s : state) (i : item) : Z :=
    fold_right (fun e w => if blocks s i e then Z.min w (snd e) else w) (if is_strict_to_all i then nowhere else snd i) s.

  Lemma wall_le s i : wall s i <= (if is_strict_to_all i then nowhere else snd i) /\
    forall e, In e s -> blocks s i e = true -> wall s i <= snd e.
  Proof.
    unfold wall. generalize (if is_strict_to_all i then nowhere else snd i). intros w0. generalize (blocks s i). intros b.
    induction s as [|e s [ih0 ih]]; cbn [fold_right]; [split; [lia|intros e []]|]. split.
    - destruct (b e); lia.
    - intros f [<-|i'] h; [rewrite h; lia|]. specialize (ih f i' h). destruct (b e); lia.
  Qed.

  Section Shift.
    Variable s : state.
    Hypothesis sane_s : sane s.
    Variable i : item.
    Hypothesis ii : In i s.
    Variable x : layout.
    Hypothesis w : way x s.

    Let at_i := x (number (fst i)).
    (** The items below i. *)
    Definition is_under (e : item) : bool := conflict_items i e && (x (number (fst e)) + gap p (fst e) (fst i) <=? at_i).
    Definition under (n : Z) : bool := existsb (fun e => (number (fst e) =? n) && is_under e) s.
    Definition shifted : layout := fun n => if n =? number (fst i) then snd i else if under n then x n + size (fst i) else x n.

    Lemma under_item e : In e s -> under (number (fst e)) = is_under e.
    Proof.
      intros ie. unfold under. apply eq_true_iff_eq. rewrite existsb_exists. split.
      - intros [f [jf h]]. apply andb_true_iff in h. destruct h as [h u]. apply Z.eqb_eq in h.
        rewrite <- (same_item p s f e sane_s jf ie h). exact u.
      - intros h. exists e. rewrite Z.eqb_refl. auto.
    Qed.

    Hypothesis may_i : may_be_at p (fst i) (snd i).
    Hypothesis within_wall : at_i <= wall s i.
    Hypothesis above_low : snd i < at_i.

    Lemma all_strict : is_strict_to_all i = true.
    Proof. destruct (is_strict_to_all i) eqn:e; [reflexivity|]. pose proof (proj1 (wall_le s i)) as h. rewrite e in h. lia. Qed.

    Lemma strict_to e : In e s -> conflict_items i e = true ->
      gap p (fst e) (fst i) = size (fst e) /\ gap p (fst i) (fst e) = size (fst i).
    Proof.
      intros ie c. pose proof all_strict as h. unfold is_strict_to_all in h. rewrite forallb_forall in h.
      specialize (h (fst e) (proj1 (proj2 sane_s e ie))). unfold conflict_items in c. rewrite c in h.
      apply is_strict_true in h. tauto.
    Qed.

    Lemma under_ok e : In e s -> is_under e = true -> snd i <= snd e /\ is_movable s i e = true.
    Proof.
      intros ie u. unfold is_under in u. apply andb_true_iff in u. destruct u as [c le]. apply Z.leb_le in le.
      destruct (strict_to e ie c) as [g1 _]. pose proof (proj2 sane_s e ie) as [_ pos]. pose proof (proj1 w e ie) as [_ [low_ _]].
      destruct (blocks s i e) eqn:b.
      - pose proof (proj2 (wall_le s i) e ie b). lia.
      - unfold blocks in b. rewrite c in b. cbn in b. apply orb_false_iff in b. destruct b as [b1 b2].
        apply Z.ltb_ge in b1. apply negb_false_iff in b2. auto.
    Qed.

    Lemma shifted_i : shifted (number (fst i)) = snd i.
    Proof. unfold shifted. rewrite Z.eqb_refl. reflexivity. Qed.

    Lemma shifted_item e : In e s -> e <> i -> shifted (number (fst e)) = if is_under e then x (number (fst e)) + size (fst i) else x (number (fst e)).
    Proof.
      intros ie ne. unfold shifted. destruct (Z.eqb_spec (number (fst e)) (number (fst i))) as [h|h].
      - exfalso. apply ne. apply (same_item p s); assumption.
      - rewrite (under_item e ie). reflexivity.
    Qed.

    Lemma item_dec (e : item) : In e s -> e = i \/ e <> i.
    Proof.
      intros ie. destruct (Z.eq_dec (number (fst e)) (number (fst i))) as [h|h].
      - left. apply (same_item p s); assumption.
      - right. intros ->. apply h. reflexivity.
    Qed.

    (** An item that conflicts with i lies above it unless it is below. *)
    Lemma over_i e : In e s -> conflict_items i e = true -> is_under e = false -> at_i + size (fst i) <= x (number (fst e)).
    Proof.
      intros ie c u. destruct (strict_to e ie c) as [g1 g2]. unfold conflict_items in c.
      destruct (proj2 w e i ie ii c) as [h|h].
      - unfold is_under, conflict_items in u. rewrite c in u. cbn in u. apply Z.leb_gt in u. unfold at_i in *. lia.
      - unfold at_i in *. lia.
    Qed.

    Lemma shifted_pair a b : In a s -> In b s -> a <> i -> is_under a = true -> conflicts p (fst a) (fst b) = true ->
      shifted (number (fst a)) + gap p (fst a) (fst b) <= shifted (number (fst b)) \/
      shifted (number (fst b)) + gap p (fst b) (fst a) <= shifted (number (fst a)).
    Proof.
      intros ia ib ne u c. destruct (under_ok a ia u) as [low_a movable]. unfold is_movable in movable. rewrite andb_true_iff, forallb_forall in movable.
      destruct movable as [_ movable].
      specialize (movable b ib). unfold conflict_items at 1 in movable. rewrite conflicts_sym, c in movable.
      rewrite (shifted_item a ia ne), u. unfold is_under in u. apply andb_true_iff in u. destruct u as [ca le]. apply Z.leb_le in le.
      destruct (strict_to a ia ca) as [g1 g2].
      destruct (item_dec b ib) as [->|nb].
      - right. rewrite shifted_i, g2. pose proof (proj1 w a ia). lia.
      - rewrite (shifted_item b ib nb). apply orb_true_iff in movable. destruct movable as [m|m].
        { unfold same_number in m. apply Z.eqb_eq in m. exfalso. apply nb. apply (same_item p s); assumption. }
        destruct (is_under b) eqn:ub.
        + destruct (proj2 w a b ia ib c); [left|right]; lia.
        + left. pose proof (over_i b ib m ub). pose proof (least_gap_le (overlaps p) (number (fst a)) (number (fst b)) (size (fst a))).
          unfold gap in *. lia.
    Qed.

    Lemma shifted_i_pair b : In b s -> b <> i -> conflicts p (fst b) (fst i) = true ->
      snd i + gap p (fst i) (fst b) <= shifted (number (fst b)).
    Proof.
      intros ib nb c. destruct (strict_to b ib c) as [g1 g2]. rewrite (shifted_item b ib nb), g2. destruct (is_under b) eqn:u.
      - destruct (under_ok b ib u). pose proof (proj1 w b ib). lia.
      - pose proof (over_i b ib c u). lia.
    Qed.

    Lemma shifted_way : 0 <= snd i -> way shifted s.
    Proof.
      intros pos. split.
      - intros e ie. pose proof (proj1 w e ie) as own. pose proof (proj1 w i ii) as own_i. pose proof (proj2 (proj2 sane_s i ii)).
        destruct (item_dec e ie) as [->|ne]; [rewrite shifted_i; unfold at_i in *; split; [lia|split; [lia|split; [lia|exact may_i]]]|].
        rewrite (shifted_item e ie ne). destruct (is_under e) eqn:u; [|exact own]. destruct (under_ok e ie u) as [_ mv].
        apply andb_true_iff in mv. destruct mv as [loose _].
        unfold is_under in u. apply andb_true_iff in u. destruct u as [c le]. apply Z.leb_le in le. destruct (strict_to e ie c).
        unfold at_i in *. destruct own as [o1 [o2 [o3 o4]]]. split; [lia|split; [lia|split; [lia|]]]. apply loose_may; [exact loose|exact o1|lia|exact o4].
      - intros a b ia ib c. destruct (item_dec a ia) as [->|na], (item_dec b ib) as [->|nb].
        + unfold conflicts in c. rewrite Z.eqb_refl in c. discriminate.
        + left. rewrite shifted_i. apply shifted_i_pair; auto. rewrite conflicts_sym. exact c.
        + right. rewrite shifted_i. apply shifted_i_pair; auto.
        + destruct (is_under a) eqn:ua; [apply shifted_pair; auto|]. destruct (is_under b) eqn:ub.
          * rewrite conflicts_sym in c. destruct (shifted_pair b a ib ia nb ub c); auto.
          * rewrite (shifted_item a ia na), (shifted_item b ib nb), ua, ub. apply (proj2 w); auto.
    Qed.
  End Shift.

  (* ---------------------------------------------------------------- raising lows *)

  Lemma map_way f x s : (forall e, In e s -> fst (f e) = fst e /\ snd (f e) <= x (number (fst e))) -> way x s -> way x (map f s).
  Proof.
    intros h [own pairs]. split.
    - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. destruct (h e' ie) as [-> le]. specialize (own e' ie). tauto.
    - intros a b ia ib c. apply in_map_iff in ia, ib. destruct ia as [a' [<- ia]], ib as [b' [<- ib]].
      destruct (h a' ia) as [ea _], (h b' ib) as [eb _]. rewrite ea, eb in *. apply pairs; assumption.
  Qed.

  Lemma map_sane f s : (forall e, fst (f e) = fst e) -> sane s -> sane (map f s).
  Proof.
    intros h [nodup pos]. split.
    - rewrite map_map. erewrite map_ext; [exact nodup|]. intros e. cbv beta. rewrite h. reflexivity.
    - intros e ie. apply in_map_iff in ie. destruct ie as [e' [<- ie]]. rewrite h. apply pos, ie.
  Qed.

  Definition raised (i : item) (l : Z) (e : item) : item := if same_number i e then (fst e, Z.max (snd e) l) else e.

  Lemma raised_fst i l e : fst (raised i l e) = fst e.
  Proof. unfold raised. destruct (same_number i e); reflexivity. Qed.
  Lemma raised_le i l e : snd e <= snd (raised i l e).
  Proof. unfold raised. destruct (same_number i e); cbn; lia. Qed.

  (** None: i has no offset left. *)
  Definition learn (s : state) (i : item) : option state :=
    let w := wall s i in if w <? nowhere then Some (map (raised i (lowest p (fst i) (Z.max w (snd i) + 1))) s) else None.

  Lemma learn_way s i x : sane s -> In i s -> 0 <= snd i -> may_be_at p (fst i) (snd i) -> refuted p claim (put p s i) -> way x s ->
    match learn s i with Some t => way x t /\ snd i < x (number (fst i)) | None => False end.
  Proof.
    intros sane_s ii pos may no w.
    assert (beyond : Z.max (wall s i) (snd i) < x (number (fst i))).
    { destruct (Z_lt_le_dec (Z.max (wall s i) (snd i)) (x (number (fst i)))) as [h|h]; [exact h|]. exfalso.
      pose proof (proj1 w i ii) as own. destruct (Z.eq_dec (x (number (fst i))) (snd i)) as [e|ne].
      - apply (no x). apply put_way; auto.
      - apply (no (shifted s i x)). apply put_way; [exact ii| |apply shifted_i]. apply shifted_way; auto; lia. }
    unfold learn. pose proof (proj1 w i ii) as own. pose proof (proj2 (proj2 sane_s i ii)).
    destruct (wall s i <? nowhere) eqn:z; [|apply Z.ltb_ge in z; lia]. split; [|lia].
    apply map_way; [|exact w]. intros e ie. split; [apply raised_fst|]. unfold raised. destruct (same_number i e) eqn:q; [|apply w, ie].
    unfold same_number in q. apply Z.eqb_eq in q. rewrite (same_item p s e i sane_s ie ii q). cbn [fst snd].
    pose proof (way_lowest p claim x s i (Z.max (wall s i) (snd i) + 1) w ii ltac:(lia)). lia.
  Qed.

  (* ---------------------------------------------------------------- twins *)

  Definition is_lifetime (l m : lifetime) : bool := (start l =? start m) && (stop l =? stop m).
  Fixpoint are_lives (l m : list lifetime) : bool :=
    match l, m with [], [] => true | a :: l, b :: m => is_lifetime a b && are_lives l m | _, _ => false end.

  Lemma are_lives_true l : forall m, are_lives l m = true -> l = m.
  Proof.
    induction l as [|[a b] l ih]; intros [|[c d] m]; cbn; try discriminate; [reflexivity|].
    unfold is_lifetime. cbn. rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] h]. f_equal. apply ih, h.
  Qed.

  Definition touches (n : Z) (pairs : list (Z * Z)) : bool := existsb (fun q => (fst q =? n) || (snd q =? n)) pairs.
  Definition is_free (b : buffer) : bool :=
    negb (touches (number b) (separations p)) && negb (touches (number b) (exclusions p)) && negb (has_allowance p b).
  Definition are_same (a b : option Z) : bool :=
    match a, b with None, None => true | Some a, Some b => a =? b | _, _ => false end.
  Definition are_limits (a b : buffer) : bool :=
    (alignment a =? alignment b) && (low a =? low b) && are_same (high a) (high b) && are_same (bank a) (bank b) &&
    match fixed a, fixed b with None, None => true | _, _ => false end.
  Definition are_twins (a b : buffer) : bool :=
    (size a =? size b) && are_lives (lives a) (lives b) && is_free a && is_free b && are_limits a b.

  Lemma are_same_true a b : are_same a b = true -> a = b.
  Proof. destruct a, b; cbn; try discriminate; [|reflexivity]. intros h. apply Z.eqb_eq in h. congruence. Qed.

  Lemma limits_may a b y : size a = size b -> lives a = lives b -> are_limits a b = true -> may_be_at p a y -> may_be_at p b y.
  Proof.
    intros sz lv. unfold are_limits, may_be_at. rewrite !andb_true_iff, !Z.eqb_eq. intros [[[[al lo] hi] ba] fx].
    apply are_same_true in hi, ba. rewrite <- al, <- lo, <- hi, <- ba, <- sz. unfold alive. rewrite <- lv.
    destruct (fixed a); [discriminate|]. destruct (fixed b); [discriminate|]. tauto.
  Qed.

  Lemma limits_sym a b : are_limits a b = true -> are_limits b a = true.
  Proof.
    unfold are_limits. rewrite !andb_true_iff, !Z.eqb_eq. intros [[[[-> ->] hi] ba] fx]. apply are_same_true in hi, ba. rewrite hi, ba.
    destruct (fixed a), (fixed b); try discriminate. repeat split; unfold are_same; destruct (high b), (bank b); rewrite ?Z.eqb_refl; reflexivity.
  Qed.

  Lemma free_named a n l : touches (number a) l = false -> is_named n (number a) l = false.
  Proof.
    unfold touches, is_named, same_pair. induction l as [|[i j] l ih]; cbn; [reflexivity|]. intros h. apply orb_false_iff in h.
    destruct h as [h r]. rewrite (ih r). apply orb_false_iff in h. destruct h as [-> ->]. rewrite !andb_false_r. reflexivity.
  Qed.

  Section Twins.
    Variable s : state.
    Hypothesis sane_s : sane s.
    Variables a b : item.
    Hypothesis ia : In a s.
    Hypothesis ib : In b s.
    Hypothesis twins : are_twins (fst a) (fst b) = true.
    Hypothesis same_low : snd a = snd b.
    Hypothesis different : number (fst a) <> number (fst b).
    Variable x : layout.
    Hypothesis w : way x s.

    Definition swap_number (n : Z) : Z := if n =? number (fst a) then number (fst b) else if n =? number (fst b) then number (fst a) else n.
    Definition swapped : layout := fun n => x (swap_number n).
    Definition swap_item (e : item) : item := if same_number a e then b else if same_number b e then a else e.

    Lemma twins_true : size (fst a) = size (fst b) /\ lives (fst a) = lives (fst b) /\
      forall c, (c = a \/ c = b) -> touches (number (fst c)) (separations p) = false /\ touches (number (fst c)) (exclusions p) = false /\
                has_allowance p (fst c) = false.
    Proof.
      pose proof twins as h. unfold are_twins, is_free in h. rewrite !andb_true_iff, !negb_true_iff, Z.eqb_eq in h.
      destruct h as [[[[e l] [[f1 f2] f3]] [[g1 g2] g3]] _]. apply are_lives_true in l. repeat split; auto; destruct H as [->| ->]; auto.
    Qed.

    Lemma swap_in e : In e s -> In (swap_item e) s.
    Proof. unfold swap_item. destruct (same_number a e); [auto|]. destruct (same_number b e); auto. Qed.

    Lemma swap_facts e : In e s -> swapped (number (fst e)) = x (number (fst (swap_item e))) /\
      size (fst (swap_item e)) = size (fst e) /\ snd (swap_item e) = snd e.
    Proof.
      intros ie. destruct twins_true as [sz _]. unfold swapped, swap_number, swap_item, same_number.
      destruct (Z.eqb_spec (number (fst e)) (number (fst a))) as [h|h].
      - rewrite (same_item p s e a sane_s ie ia h). auto.
      - destruct (Z.eqb_spec (number (fst e)) (number (fst b))) as [g|g]; [|auto]. rewrite (same_item p s e b sane_s ie ib g). auto.
    Qed.

    Lemma twin_meet e : do_meet (fst b) e = do_meet (fst a) e /\ do_meet e (fst b) = do_meet e (fst a).
    Proof. destruct twins_true as [_ [l _]]. unfold do_meet. rewrite l. auto. Qed.

    Lemma swap_kind c e : In c s -> In e s -> conflicts p (fst c) (fst e) = conflicts p (fst (swap_item c)) (fst (swap_item e)) /\
      (conflicts p (fst c) (fst e) = true -> gap p (fst c) (fst e) = gap p (fst (swap_item c)) (fst (swap_item e))).
    Proof.
      intros ic ie. destruct twins_true as [sz [lv free]]. pose proof (free a (or_introl eq_refl)) as [a1 [a2 a3]].
      pose proof (free b (or_intror eq_refl)) as [b1 [b2 b3]].
      assert (gap_a : forall d, gap p (fst a) d = size (fst a) /\ gap p d (fst a) = size d).
      { intros d. split; apply no_gap; auto. }
      assert (gap_b : forall d, gap p (fst b) d = size (fst b) /\ gap p d (fst b) = size d).
      { intros d. split; apply no_gap; auto. }
      assert (con_ab : forall d, number d <> number (fst a) -> number d <> number (fst b) ->
                conflicts p d (fst a) = conflicts p d (fst b)).
      { intros d na nb. unfold conflicts. rewrite !free_named by assumption. destruct (twin_meet d) as [_ ->].
        apply Z.eqb_neq in na, nb. rewrite na, nb. reflexivity. }
      unfold swap_item, same_number.
      destruct (Z.eqb_spec (number (fst c)) (number (fst a))) as [ca|ca];
        [rewrite (same_item p s c a sane_s ic ia ca)|destruct (Z.eqb_spec (number (fst c)) (number (fst b))) as [cb|cb];
          [rewrite (same_item p s c b sane_s ic ib cb)|]];
        (destruct (Z.eqb_spec (number (fst e)) (number (fst a))) as [ea|ea];
          [rewrite (same_item p s e a sane_s ie ia ea)|destruct (Z.eqb_spec (number (fst e)) (number (fst b))) as [eb|eb];
            [rewrite (same_item p s e b sane_s ie ib eb)|]]).
      - unfold conflicts. rewrite !Z.eqb_refl. cbn. split; [reflexivity|discriminate].
      - rewrite (conflicts_sym p (fst b)). split; [reflexivity|]. intros _. rewrite (proj1 (gap_a _)), (proj1 (gap_b _)). exact sz.
      - rewrite (conflicts_sym p (fst a)), (conflicts_sym p (fst b)). split; [apply con_ab; assumption|]. intros _.
        rewrite (proj1 (gap_a _)), (proj1 (gap_b _)). exact sz.
      - rewrite (conflicts_sym p (fst b)). split; [reflexivity|]. intros _. rewrite (proj1 (gap_a _)), (proj1 (gap_b _)). symmetry. exact sz.
      - unfold conflicts. rewrite !Z.eqb_refl. cbn. split; [reflexivity|discriminate].
      - rewrite (conflicts_sym p (fst a)), (conflicts_sym p (fst b)). split; [symmetry; apply con_ab; assumption|]. intros _.
        rewrite (proj1 (gap_a _)), (proj1 (gap_b _)). symmetry. exact sz.
      - split; [apply con_ab; assumption|]. intros _. rewrite (proj2 (gap_a _)), (proj2 (gap_b _)). reflexivity.
      - split; [symmetry; apply con_ab; assumption|]. intros _. rewrite (proj2 (gap_a _)), (proj2 (gap_b _)). reflexivity.
      - auto.
    Qed.

    Lemma swapped_way : way swapped s /\ swapped (number (fst a)) = x (number (fst b)).
    Proof.
      split; [split|].
      - intros e ie. pose proof (proj1 w _ (swap_in e ie)) as [o1 [o2 [o3 o4]]].
        assert (may : may_be_at p (fst e) (x (number (fst (swap_item e))))).
        { destruct twins_true as [sz [lv _]]. pose proof twins as lim. unfold are_twins in lim. apply andb_true_iff in lim. destruct lim as [_ lim].
          revert o4. unfold swap_item. destruct (same_number a e) eqn:qa.
          - unfold same_number in qa. apply Z.eqb_eq in qa. rewrite (same_item p s e a sane_s ie ia qa).
            apply limits_may; [congruence|congruence|apply limits_sym, lim].
          - destruct (same_number b e) eqn:qb; [|auto]. unfold same_number in qb. apply Z.eqb_eq in qb.
            rewrite (same_item p s e b sane_s ie ib qb). apply limits_may; assumption. }
        destruct (swap_facts e ie) as [-> [<- <-]]. auto.
      - intros c e ic ie k. destruct (swap_kind c e ic ie) as [k1 k2]. destruct (swap_kind e c ie ic) as [_ k3].
        rewrite (k2 k). rewrite conflicts_sym in k. rewrite (k3 k). rewrite conflicts_sym, k1 in k.
        destruct (swap_facts c ic) as [-> _], (swap_facts e ie) as [-> _]. apply (proj2 w); auto using swap_in.
      - unfold swapped, swap_number. rewrite Z.eqb_refl. reflexivity.
    Qed.
  End Twins.

  (* ---------------------------------------------------------------- no buffer of the clique is at the floor *)

  (** The lowest offset of i on top of something that is not in the clique. *)
  Definition on_others (k : list Z) (s : state) (i : item) : Z :=
    fold_right (fun e w => if conflict_items i e && negb (is_of k e) then Z.min w (snd e + gap p (fst e) (fst i)) else w) nowhere s.
  Definition next_low (k : list Z) (floor : Z) (s : state) (i : item) : Z :=
    if floor <? snd i then snd i
    else lowest p (fst i) (if is_own_place p (fst i) (snd i) then Z.max (on_others k s i) (floor + 1) else floor + 1).
  Definition lowest_next (k : list Z) (floor : Z) (s : state) : Z :=
    fold_right (fun e w => if is_of k e then Z.min w (next_low k floor s e) else w) nowhere s.
  Definition empty_item (k : list Z) (h : Z) (e : item) : item := if is_of k e then (fst e, lowest p (fst e) (Z.max (snd e) h)) else e.
  Definition empty (k : list Z) (floor : Z) (s : state) : state := map (empty_item k (lowest_next k floor s)) s.

  Lemma on_others_le k s i e : In e s -> conflict_items i e = true -> is_of k e = false ->
    on_others k s i <= snd e + gap p (fst e) (fst i).
  Proof.
    unfold on_others. induction s as [|d s ih]; [intros []|]. cbn [fold_right]. intros [->|ie] c n.
    - rewrite c, n. cbn. lia.
    - specialize (ih ie c n). destruct (_ && _); lia.
  Qed.

  Lemma lowest_next_le k floor s e : In e s -> is_of k e = true -> lowest_next k floor s <= next_low k floor s e.
  Proof.
    unfold lowest_next. generalize (next_low k floor s). intros f. induction s as [|d s ih]; [intros []|]. cbn [fold_right]. intros [->|ie] h.
    - rewrite h. lia.
    - specialize (ih ie h). destruct (is_of k d); lia.
  Qed.

  Section Empty.
    Variable k : list Z.
    Variable floor : Z.
    Variables s0 s : state.
    Hypothesis sane_0 : sane s0.
    Hypothesis sane_s : sane s.
    Hypothesis strict : is_clique p (with_numbers k s0) = true.
    Hypothesis rises : forall e, In e s0 -> exists l, In (fst e, l) s /\ snd e <= l.
    Hypothesis back : forall e, In e s -> exists l, In (fst e, l) s0.
    Hypothesis holds : forall x, way x s0 -> way x s.
    Hypothesis none_at : forall x, way x s0 -> forall e, In e s0 -> is_of k e = true -> floor < x (number (fst e)).
    Hypothesis some : exists e, In e s0 /\ is_of k e = true.
    Hypothesis no : refuted p claim (empty k floor s).

    Definition lowered (x : layout) (i : item) (y : Z) : layout := fun n => if n =? number (fst i) then y else x n.

    (** The lowest place of i above what lies below it. *)
    Definition is_below_i (x : layout) (i e : item) : bool :=
      conflict_items i e && (x (number (fst e)) + gap p (fst e) (fst i) <=? x (number (fst i))).
    Definition rest_on (x : layout) (i : item) : Z :=
      fold_right (fun e w => if is_below_i x i e then Z.max w (x (number (fst e)) + gap p (fst e) (fst i)) else w)
        (Z.max 0 (snd i)) s0.

    Lemma rest_on_facts x i :
      Z.max 0 (snd i) <= rest_on x i /\
      (forall e, In e s0 -> is_below_i x i e = true -> x (number (fst e)) + gap p (fst e) (fst i) <= rest_on x i) /\
      (rest_on x i = Z.max 0 (snd i) \/
       exists e, In e s0 /\ is_below_i x i e = true /\ rest_on x i = x (number (fst e)) + gap p (fst e) (fst i)).
    Proof.
      exact (fold_max (is_below_i x i) (fun e => x (number (fst e)) + gap p (fst e) (fst i)) (Z.max 0 (snd i)) s0).
    Qed.

    Lemma lowered_way x i y : way x s0 -> In i s0 -> rest_on x i <= y <= x (number (fst i)) -> may_be_at p (fst i) y ->
      way (lowered x i y) s0.
    Proof.
      intros w ii le may. destruct (rest_on_facts x i) as [base [above _]].
      assert (other : forall e, In e s0 -> number (fst e) <> number (fst i) -> lowered x i y (number (fst e)) = x (number (fst e))).
      { intros e _ ne. unfold lowered. apply Z.eqb_neq in ne. rewrite ne. reflexivity. }
      assert (own_i : lowered x i y (number (fst i)) = y) by (unfold lowered; rewrite Z.eqb_refl; reflexivity).
      assert (pair : forall e, In e s0 -> number (fst e) <> number (fst i) -> conflicts p (fst e) (fst i) = true ->
                x (number (fst e)) + gap p (fst e) (fst i) <= y \/ y + gap p (fst i) (fst e) <= x (number (fst e))).
      { intros e ie ne c. destruct (is_below_i x i e) eqn:b; [left; specialize (above e ie b); lia|]. right.
        unfold is_below_i, conflict_items in b. rewrite c in b. cbn in b. apply Z.leb_gt in b.
        destruct (proj2 w e i ie ii c); lia. }
      split.
      - intros e ie. pose proof (proj1 w e ie). destruct (Z.eq_dec (number (fst e)) (number (fst i))) as [h|h].
        + rewrite (same_item p s0 e i sane_0 ie ii h) in *. rewrite own_i. split; [lia|split; [lia|split; [lia|exact may]]].
        + rewrite (other e ie h). assumption.
      - intros a b ia ib c. destruct (Z.eq_dec (number (fst a)) (number (fst i))) as [h|h], (Z.eq_dec (number (fst b)) (number (fst i))) as [g|g].
        + unfold conflicts in c. rewrite h, g, Z.eqb_refl in c. discriminate.
        + rewrite (same_item p s0 a i sane_0 ia ii h) in *. rewrite own_i, (other b ib g). rewrite conflicts_sym in c.
          destruct (pair b ib g c); auto.
        + rewrite (same_item p s0 b i sane_0 ib ii g) in *. rewrite own_i, (other a ia h). destruct (pair a ia h c); auto.
        + rewrite (other a ia h), (other b ib g). apply (proj2 w); assumption.
    Qed.

    Definition all_offsets (x : layout) : Z := sum (fun e : item => x (number (fst e))) s0.

    Lemma lowered_sum x i y : In i s0 -> all_offsets (lowered x i y) = all_offsets x - x (number (fst i)) + y.
    Proof.
      unfold all_offsets. destruct sane_0 as [nodup _]. revert nodup. generalize s0. induction s1 as [|e m ih]; [intros _ []|].
      intros nodup. cbn [map] in nodup. inversion_clear nodup as [|? ? out nodup']. cbn [sum]. intros [->|ie].
      - rewrite (@sum_ext item (fun e => lowered x i y (number (fst e))) (fun e => x (number (fst e))) m).
        + unfold lowered. rewrite Z.eqb_refl. ring.
        + intros e ie. unfold lowered. destruct (Z.eqb_spec (number (fst e)) (number (fst i))) as [h|h]; [|reflexivity].
          exfalso. apply out. rewrite <- h. apply (in_map (fun e : item => number (fst e))), ie.
      - rewrite (ih nodup' ie). unfold lowered. destruct (Z.eqb_spec (number (fst e)) (number (fst i))) as [h|h]; [|ring].
        exfalso. apply out. rewrite h. apply (in_map (fun e : item => number (fst e))), ie.
    Qed.

    Lemma lowest_of x : exists i, In i s0 /\ is_of k i = true /\
      forall e, In e s0 -> is_of k e = true -> x (number (fst i)) <= x (number (fst e)).
    Proof.
      destruct some as [e0 [ie0 h0]]. clear - ie0 h0. revert e0 ie0 h0.
      induction s0 as [|d m ih]; [intros e0 []|]. intros e0 ie0 h0.
      destruct (existsb (is_of k) m) eqn:more.
      - apply existsb_exists in more. destruct more as [e1 [ie1 h1]]. destruct (ih e1 ie1 h1) as [i [ii [hi least]]].
        destruct (is_of k d) eqn:hd.
        + destruct (Z_le_gt_dec (x (number (fst i))) (x (number (fst d)))).
          * exists i. split; [right; exact ii|]. split; [exact hi|]. intros e [<-|ie] h; auto.
          * exists d. split; [left; reflexivity|]. split; [exact hd|]. intros e [<-|ie] h; [lia|]. specialize (least e ie h). lia.
        + exists i. split; [right; exact ii|]. split; [exact hi|]. intros e [<-|ie] h; [congruence|auto].
      - assert (only : forall e, In e m -> is_of k e = true -> False).
        { intros e ie h. assert (existsb (is_of k) m = true); [|congruence]. apply existsb_exists. exists e. auto. }
        destruct ie0 as [->|ie0]; [|destruct (only e0 ie0 h0)]. exists e0. split; [left; reflexivity|]. split; [exact h0|].
        intros e [<-|ie] h; [lia|destruct (only e ie h)].
    Qed.

    Lemma in_clique a b : In a s0 -> In b s0 -> is_of k a = true -> is_of k b = true -> number (fst a) <> number (fst b) ->
      is_strict p (fst a) (fst b) = true.
    Proof.
      intros ia ib ha hb ne. pose proof strict as c. unfold is_clique in c. rewrite forallb_forall in c.
      assert (ja : In a (with_numbers k s0)) by (apply filter_In; auto). assert (jb : In b (with_numbers k s0)) by (apply filter_In; auto).
      specialize (c a ja). rewrite forallb_forall in c. specialize (c b jb). apply orb_true_iff in c.
      destruct c as [c|c]; [apply Z.eqb_eq in c; contradiction|exact c].
    Qed.

    Theorem empty_refuted : refuted p claim s0.
    Proof.
      enough (forall n x, way x s0 -> (Z.to_nat (all_offsets x) <= n)%nat -> False) as h.
      { intros x w. exact (h _ x w (le_n _)). }
      assert (pos : forall x, way x s0 -> 0 <= all_offsets x).
      { intros x w. apply sum_nonneg. intros e ie. apply (proj1 w), ie. }
      induction n as [n ih] using lt_wf_ind. intros x w len.
      destruct (lowest_of x) as [i [ii [hi least]]].
      pose proof (none_at x w i ii hi) as above. destruct (rises i ii) as [l [il rise]].
      pose proof (proj1 (holds x w) _ il) as own_s. cbn [fst snd] in own_s.
      assert (next : lowest_next k floor s <= x (number (fst i))).
      { pose proof (lowest_next_le k floor s _ il hi) as le. unfold next_low in le. cbn [snd] in le.
        destruct (floor <? l) eqn:z; [lia|]. apply Z.ltb_ge in z. cbn [fst] in le.
        apply (Z.le_trans _ _ _ le). apply (way_lowest p claim x s0 i _ w ii).
        destruct (is_own_place p (fst i) l) eqn:own_l; [|lia]. apply is_own_place_true in own_l. destruct own_l as [l_pos own_l].
        destruct (rest_on_facts x i) as [base [ab cases]].
        destruct (Z_le_gt_dec (rest_on x i) l) as [lt|ge].
        - exfalso. pose proof (lowered_way x i l w ii ltac:(lia) own_l) as w'. pose proof (lowered_sum x i l ii) as sum_.
          pose proof (pos _ w') as p'. pose proof (pos _ w).
          apply (ih (Z.to_nat (all_offsets (lowered x i l)))) with (x := lowered x i l); [lia|exact w'|lia].
        - destruct cases as [cases|[e [ie [be eq]]]]; [lia|].
          unfold is_below_i in be. apply andb_true_iff in be. destruct be as [c b]. apply Z.leb_le in b.
          assert (out : is_of k e = false).
          { destruct (is_of k e) eqn:he; [|reflexivity]. exfalso. unfold conflict_items in c.
            assert (ne : number (fst e) <> number (fst i)).
            { intros h. unfold conflicts in c. rewrite h, Z.eqb_refl in c. discriminate. }
            pose proof (in_clique e i ie ii he hi ne) as st. apply is_strict_true in st. destruct st as [_ [g _]].
            pose proof (least e ie he). pose proof (proj2 (proj2 sane_0 e ie)). lia. }
          destruct (rises e ie) as [m [im _]]. pose proof (on_others_le k s (fst i, l) (fst e, m) im c out) as le'. cbn [fst snd] in le'.
          pose proof (proj1 (holds x w) _ im) as om. cbn [fst snd] in om.
          lia. }
      apply (no x). apply map_way; [|apply holds, w]. intros e ie. unfold empty_item.
      destruct (is_of k e) eqn:he; [|split; [reflexivity|apply (proj1 (holds x w)), ie]].
      split; [reflexivity|]. cbn [snd]. apply (way_lowest p claim x s e _ (holds x w) ie). destruct (back e ie) as [l' il']. pose proof (least _ il' he) as le. cbn [fst] in le.
      pose proof (proj1 (holds x w) e ie). lia.
    Qed.
  End Empty.
End Cell.
