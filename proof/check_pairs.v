(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [pairs]: cliques, and clauses of which each follows from those before it, until a contradiction does. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
From Neap Require Import problem bytes load place grid lowest column pairs.
Import ListNotations.
Open Scope Z_scope.

(* ---------------------------------------------------------------- clauses *)

Definition add_at {A} (m : M.t (list A)) (k : positive) (a : A) : M.t (list A) :=
  M.add k (a :: match M.find k m with Some l => l | None => [] end) m.
Definition at_ {A} (m : M.t (list A)) (k : positive) : list A := match M.find k m with Some l => l | None => [] end.

Section Clauses.
  Variable p : problem.
  Variable claim : Z.
  Variable scattered : bool.
  Variable pairs : M.t pair.
  Variable nodes : M.t node.
  Variable depth : nat.

  Notation follow := (follow p claim scattered pairs nodes depth).

  Definition is_implied (users : M.t (list (list statement))) (s : state) (clause : list statement) : bool :=
    match follow users s (map opposite clause) with Impossible => true | _ => false end.

  (** Whether the clauses follow, and a contradiction after them. *)
  Fixpoint refute (users : M.t (list (list statement))) (o : outcome) (clauses : list (list statement)) : bool :=
    match o, clauses with
    | Impossible, _ => true
    | (Quiet s | Going s _), c :: clauses =>
        is_implied users s c &&
        let users := fold_left (fun users t => add_at users (key_of t) c) c users in
        match last_left (truth s) [c] [] with
        | None => true
        | Some made => refute users (follow users s made) clauses
        end
    | _, [] => false
    end.

  Variable x : positive -> Z.
  Variable d : positive -> bool.
  Hypothesis bounds : forall k, 0 <= x k <= claim - 1.
  Hypothesis pairs_ok : forall q r, M.find q pairs = Some r -> pair_ok x d q r.
  Hypothesis nodes_ok : forall k n, M.find k nodes = Some n -> node_ok p claim x d k n.

  Lemma at_add_at {A} (m : M.t (list A)) k a i b : In b (at_ (add_at m k a) i) -> i = k /\ b = a \/ In b (at_ m i).
  Proof.
    unfold at_, add_at. destruct (Pos.eq_dec i k) as [->|ne]; [rewrite M.gss|rewrite M.gso by exact ne; auto]. intros [<-|h]; auto.
  Qed.

  Lemma is_implied_ok users s c : users_ok d users -> sat x d s -> is_implied users s c = true -> clause_ok d c.
  Proof.
    intros uok ok h. destruct (existsb (fun t : statement => eqb (d (fst t)) (snd t)) c) eqn:e.
    - apply existsb_exists in e. destruct e as [t [i e]]. apply eqb_prop in e. exists t. auto.
    - exfalso. unfold is_implied in h.
      assert (false_ : forall t, In t (map opposite c) -> holds d t).
      { intros t i. apply in_map_iff in i. destruct i as [u [<- i]]. unfold holds, opposite. cbn.
        assert (g : eqb (d (fst u)) (snd u) = false).
        { destruct (eqb (d (fst u)) (snd u)) eqn:g; [|reflexivity]. rewrite <- e. symmetry. apply existsb_exists. eauto. }
        apply eqb_false_iff in g. destruct (d (fst u)), (snd u); try reflexivity; congruence. }
      pose proof (follow_ok p claim scattered pairs nodes depth users x d bounds pairs_ok nodes_ok uok s _ ok false_) as f.
      destruct (follow users s _); [exact f|discriminate|discriminate].
  Qed.

  Theorem refute_sound clauses : forall users o, users_ok d users -> outcome_ok x d o -> refute users o clauses = true -> False.
  Proof.
    induction clauses as [|c clauses ih]; intros users o uok ok h; [destruct o; [exact ok|discriminate|discriminate]|].
    assert (body : forall s, sat x d s ->
      is_implied users s c && (let users := fold_left (fun users t => add_at users (key_of t) c) c users in
        match last_left (truth s) [c] [] with None => true | Some made => refute users (follow users s made) clauses end) = true -> False).
    { clear h ok o. intros s ok h. apply andb_true_iff in h. destruct h as [implied h]. apply (is_implied_ok users s c uok ok) in implied.
      assert (uok' : users_ok d (fold_left (fun users t => add_at users (key_of t) c) c users)).
      { apply (fold_ok (users_ok d)); [|exact uok]. intros u t _ uok' s' c' i.
        apply at_add_at in i. destruct i as [[_ ->]|i]; [exact implied|exact (uok' s' c' i)]. }
      pose proof (last_left_ok d (truth s) [c] (proj2 (proj2 ok)) ltac:(intros e [<-|[]]; exact implied) [] ltac:(intros t [])) as l.
      cbn zeta in h. destruct (last_left _ _ _) as [made|]; [|exact l]. refine (ih _ _ uok' _ h).
      apply (follow_ok p claim scattered pairs nodes depth _ x d bounds pairs_ok nodes_ok uok' s made ok l). }
    destruct o as [|s|s a]; [exact ok|exact (body s ok h)|exact (body s (proj1 ok) h)].
  Qed.
End Clauses.

(* ---------------------------------------------------------------- the pairs *)

Definition key (b : buffer) : positive := Z.to_pos (number b + 1).
Definition items (p : problem) : list buffer := filter (fun b => (0 <? size b) && (0 <=? number b)) (buffers p).

(** A number, and what offsets are modulo it; 0 and the only offset. *)
Definition residue (b : buffer) : Z * Z := match fixed b with Some f => (0, f) | None => (alignment b, 0) end.
(** The least distance of b above a, if a lies below. *)
Definition apart (p : problem) (a b : buffer) : Z :=
  let g := Z.gcd (fst (residue a)) (fst (residue b)) in
  let rest := snd (residue b) - snd (residue a) in
  if 0 <? g then up (gap p a b - rest) g + rest else gap p a b.

Fixpoint pairs_of (p : problem) (l : list buffer) : list pair :=
  match l with
  | [] => []
  | a :: l =>
      flat_map (fun b =>
        if conflicts p a b then
          let r := {| first := key a; second := key b; rise := apart p a b; fall := apart p b a |} in
          if (0 <=? rise r) && (0 <=? fall r) && (0 <? rise r + fall r) then [r] else []
        else []) l ++ pairs_of p l
  end.
Definition numbered_pairs (l : list pair) : M.t pair :=
  snd (fold_left (fun m r => (Pos.succ (fst m), M.add (fst m) r (snd m))) l (1%positive, M.empty pair)).
Definition edge_table (pairs : M.t pair) : M.t (list edge) :=
  fold_left (fun m e =>
    let '(q, r) := e in
    add_at (add_at m (first r) {| other := second r; on := q; side := true; over := rise r; under := fall r |})
      (second r) {| other := first r; on := q; side := false; over := fall r; under := rise r |}) (M.elements pairs) (M.empty _).

(* ---------------------------------------------------------------- the cliques *)

(** Its buffers with what each can share with others of higher numbers; whether no two can share any. *)
Record clique := { parts : list (buffer * list (positive * Z)); strict : bool }.

Definition shares_of (p : problem) (l : list buffer) (a : buffer) : list (positive * Z) :=
  flat_map (fun b => if (number a <? number b) && (0 <? shareable p a b) then [(key b, shareable p a b)] else []) l.
Definition clique_of (p : problem) (listed : list Z) : clique :=
  let l := filter (fun b => existsb (Z.eqb (number b)) listed) (items p) in
  {| parts := map (fun a => (a, shares_of p l a)) l;
     strict := forallb (fun a => forallb (fun b => (number a =? number b) || is_strict p a b) l) l |}.
Definition is_clique (p : problem) (c : clique) : bool :=
  forallb (fun a => forallb (fun b => (number (fst a) =? number (fst b)) || conflicts p (fst a) (fst b)) (parts c)) (parts c).

(** The grid of all buffers in cliques. *)
Definition grid_of (b : buffer) : Z := match fixed b with Some f => if 0 <? f then f else alignment b | None => alignment b end.
Definition grid (cliques : list clique) : Z :=
  let g := fold_right (fun c g => fold_right (fun e g => Z.gcd (grid_of (fst e)) g) g (parts c)) 0 cliques in if 0 <? g then g else 1.

Definition member_of (p : problem) (g : Z) (rounded : bool) (a : buffer) (index : M.t edge) (part : buffer * list (positive * Z)) : list member :=
  let b := fst part in
  match M.find (key b) index with
  | None => []
  | Some e =>
      if rounded then
        if is_strict p a b then
          [{| link := e; bytes := size b; takes_below := up (size b) g; takes_above := size b; shares := [] |}]
        else []
      else
        [{| link := e; bytes := size b; takes_below := Z.min (under e) (size b);
            takes_above := Z.max 0 (size b - Z.max 0 (size a - over e)); shares := snd part |}]
  end.
Definition group_of (p : problem) (g : Z) (a : buffer) (index : M.t edge) (rounded : bool) (c : clique) : group :=
  {| own := if rounded then up (size a) g else size a; members := flat_map (member_of p g rounded a index) (parts c) |}.

(** A group that another one makes needless. *)
Definition is_within_group (h g : group) : bool :=
  (own h <=? own g) &&
  forallb (fun m => existsb (fun n => Pos.eqb (on (link m)) (on (link n)) && (takes_below m <=? takes_below n) &&
    (takes_above m <=? takes_above n)) (members g)) (members h).
Definition add_group (l : list group) (g : group) : list group :=
  match members g with
  | _ :: _ :: _ => if existsb (is_within_group g) l then l else g :: filter (fun h => negb (is_within_group h g)) l
  | _ => l
  end.

Definition is_listed (cliques : list clique) (a : buffer) : bool :=
  existsb (fun c => existsb (fun e => number (fst e) =? number a) (parts c)) cliques.
Definition node_of (p : problem) (g : Z) (cliques : list clique) (table : M.t (list edge)) (a : buffer) : node :=
  let edges := at_ table (key a) in
  let index := fold_left (fun m e => M.add (other e) e m) edges (M.empty edge) in
  let groups := map (group_of p g a index false) cliques in
  let rounded := if is_listed cliques a then map (group_of p g a index true) (filter strict cliques) else [] in
  {| self := a; edges := edges; groups := fold_left add_group (rounded ++ groups) [] |}.

Definition nodes_of (p : problem) (g : Z) (cliques : list clique) (table : M.t (list edge)) : M.t node :=
  fold_left (fun m a => M.add (key a) (node_of p g cliques table a) m) (items p) (M.empty node).

(* ---------------------------------------------------------------- the whole *)

Definition root (p : problem) (claim : Z) : outcome :=
  let l := items p in
  let lows := fold_left (fun m b => M.add (key b) (lowest p b 0) m) l (M.empty Z) in
  let highs := fold_left (fun m b => M.add (key b) (highest_from b (claim - 1 - size b)) m) l (M.empty Z) in
  if forallb (fun b => lowest p b 0 <=? highest_from b (claim - 1 - size b)) l then
    Going {| lows := lows; highs := highs; truth := M.empty bool |}
          {| raised := []; made := []; near := fold_left (fun m b => M.add (key b) tt m) l (M.empty unit) |}
  else Impossible.

Definition statement_of (table : M.t (list edge)) (pair : Z * Z) : option statement :=
  match find (fun e => Pos.eqb (other e) (Z.to_pos (snd pair + 1))) (at_ table (Z.to_pos (fst pair + 1))) with
  | Some e => Some (on e, side e)
  | None => None
  end.
Fixpoint all_of {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | None :: _ => None
  | Some a :: l => match all_of l with Some l => Some (a :: l) | None => None end
  end.

(** Each clause may need 2^30 steps. *)
Definition depth : nat := 30.

Definition is_refuted (p : problem) (claim : Z) (cliques : list (list Z)) (clauses : list (list (Z * Z))) : bool :=
  let cliques := map (clique_of p) cliques in
  let pairs := numbered_pairs (pairs_of p (items p)) in
  let table := edge_table pairs in
  let nodes := nodes_of p (grid cliques) cliques table in
  let scattered := is_scattered p in
  forallb (is_clique p) cliques &&
  match all_of (map (fun c => all_of (map (statement_of table) c)) clauses) with
  | None => false
  | Some clauses =>
      refute p claim scattered pairs nodes depth (M.empty _)
        (drive p claim scattered pairs nodes (M.empty _) depth (root p claim)) clauses
  end.

(* ---------------------------------------------------------------- why the tables are right *)

Section Sound.
  Variable p : problem.
  Variable claim : Z.
  Variable y : layout.
  Hypothesis claim_pos : 0 < claim.
  Hypothesis distinct : NoDup (map number (buffers p)).
  Hypothesis valid_y : valid p y.
  Hypothesis all_below : forall b, In b (buffers p) -> y (number b) + size b <= claim - 1.

  Definition x (k : positive) : Z := let z := y (Zpos k - 1) in if (0 <=? z) && (z <? claim) then z else 0.

  Lemma x_bounds k : 0 <= x k <= claim - 1.
  Proof. unfold x. destruct (_ && _) eqn:e; [|lia]. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt in e. lia. Qed.

  Lemma in_items b : In b (items p) -> In b (buffers p) /\ 0 < size b /\ 0 <= number b.
  Proof. intros i. apply filter_In in i. rewrite andb_true_iff, Z.ltb_lt, Z.leb_le in i. tauto. Qed.
  Lemma key_number b : In b (items p) -> Zpos (key b) = number b + 1.
  Proof. intros i. apply in_items in i. unfold key. rewrite Z2Pos.id; lia. Qed.
  Lemma x_key b : In b (items p) -> x (key b) = y (number b).
  Proof.
    intros i. unfold x. rewrite (key_number b i), Z.add_simpl_r. apply in_items in i. destruct i as [i [pos _]].
    destruct valid_y as [own_ _]. destruct (own_ b i) as [nonneg _]. specialize (all_below b i).
    destruct (_ && _) eqn:e; [reflexivity|]. rewrite andb_false_iff, Z.leb_gt, Z.ltb_ge in e. lia.
  Qed.
  Lemma item_may b : In b (items p) -> may_be_at p b (x (key b)).
  Proof. intros i. rewrite (x_key b i). apply in_items in i. apply (proj1 valid_y b), i. Qed.
  Lemma item_end b : In b (items p) -> x (key b) + size b <= claim - 1.
  Proof. intros i. rewrite (x_key b i). apply all_below, in_items, i. Qed.

  Lemma item_below a b : In a (items p) -> In b (items p) -> conflicts p a b = true -> below p y a b \/ below p y b a.
  Proof.
    intros ia ib c. apply in_items in ia, ib. destruct ia as [ia [pa _]], ib as [ib [pb _]].
    apply (proj1 (proj2 valid_y)); [exact ia|exact ib|]. apply conflicts_conflict; assumption.
  Qed.

  Lemma residue_divides b z : may_be_at p b z -> (fst (residue b) | z - snd (residue b)).
  Proof.
    intros [_ [al [fx _]]]. unfold residue. destruct (fixed b) as [f|]; cbn.
    - rewrite (fx f eq_refl), Z.sub_diag. apply Z.divide_0_r.
    - rewrite Z.sub_0_r. exact al.
  Qed.

  Lemma apart_le a b : In a (items p) -> In b (items p) -> below p y a b -> x (key a) + apart p a b <= x (key b).
  Proof.
    intros ia ib h. apply below_gap in h. pose proof (residue_divides a _ (item_may a ia)) as da. pose proof (residue_divides b _ (item_may b ib)) as db.
    rewrite (x_key a ia), (x_key b ib) in *. unfold apart. set (g := Z.gcd _ _). set (rest := snd (residue b) - snd (residue a)).
    destruct (0 <? g) eqn:pos; [|exact h]. apply Z.ltb_lt in pos. set (xa := y (number a)) in *. set (xb := y (number b)) in *.
    enough (up (gap p a b - rest) g <= xb - xa - rest) by lia. apply up_least; [exact pos| |lia].
    replace (xb - xa - rest) with ((xb - snd (residue b)) - (xa - snd (residue a))) by (unfold rest; lia).
    apply Z.divide_sub_r; [apply (Z.divide_trans _ (fst (residue b))); [apply Z.gcd_divide_r|exact db]|
      apply (Z.divide_trans _ (fst (residue a))); [apply Z.gcd_divide_l|exact da]].
  Qed.

  (* ---------------------------------------------------------------- pairs and edges *)

  Definition right (r : pair) : Prop :=
    0 <= rise r /\ 0 <= fall r /\ (x (first r) + rise r <= x (second r) \/ x (second r) + fall r <= x (first r)).

  Lemma pairs_right l : incl l (items p) -> forall r, In r (pairs_of p l) -> right r.
  Proof.
    induction l as [|a l ih]; intros sub r; cbn [pairs_of]; [intros []|]. rewrite in_app_iff. intros [i|i]; [|apply ih; [|exact i]; intros b j; apply sub; right; exact j].
    apply in_flat_map in i. destruct i as [b [ib i]]. destruct (conflicts p a b) eqn:c; [|destruct i]. cbn [rise fall] in i.
    destruct (_ && _) eqn:e; [|destruct i]. destruct i as [<-|[]]. rewrite !andb_true_iff, !Z.leb_le in e. destruct e as [[h1 h2] _].
    assert (ia : In a (items p)) by (apply sub; left; reflexivity). assert (jb : In b (items p)) by (apply sub; right; exact ib).
    split; [exact h1|]. split; [exact h2|]. cbn. destruct (item_below a b ia jb c); [left|right]; apply apart_le; assumption.
  Qed.

  Lemma numbered_right l : (forall r, In r l -> right r) -> forall q r, M.find q (numbered_pairs l) = Some r -> right r.
  Proof.
    intros each. unfold numbered_pairs. apply (fold_ok (fun m => forall q r, M.find q (snd m) = Some r -> right r)).
    - intros [n m] r i h. cbn [fst snd]. apply (add_ok (fun _ => right)); [exact h|apply each, i].
    - cbn. intros q r. rewrite M.gempty. discriminate.
  Qed.

  Variable pairs : M.t pair.
  Hypothesis pairs_are_right : forall q r, M.find q pairs = Some r -> right r.
  Definition d (q : positive) : bool := match M.find q pairs with Some r => x (first r) + rise r <=? x (second r) | None => true end.

  Lemma pairs_are_ok q r : M.find q pairs = Some r -> pair_ok x d q r.
  Proof.
    intros e. unfold pair_ok, d. rewrite e. destruct (pairs_are_right q r e) as [_ [_ h]]. rewrite Z.leb_le, Z.leb_gt. lia.
  Qed.

  Lemma table_ok k e : In e (at_ (edge_table pairs) k) -> edge_ok x d k e.
  Proof.
    revert k e. unfold edge_table. apply (fold_ok (fun m => forall k e, In e (at_ m k) -> edge_ok x d k e)).
    - intros m [q r] i h k e j. apply M.elements_complete in i. destruct (pairs_are_ok q r i) as [h1 h2]. destruct (pairs_are_right q r i) as [h3 [h4 _]].
      apply at_add_at in j. destruct j as [[-> ->]|j]; [|apply at_add_at in j; destruct j as [[-> ->]|j]; [|exact (h k e j)]]; repeat split; assumption.
    - intros k e. unfold at_. rewrite M.gempty. intros [].
  Qed.

  (* ---------------------------------------------------------------- groups *)

  Lemma share_of_ge l k s : (forall e, In e l -> 0 <= snd e) -> 0 <= share_of l k /\ (In (k, s) l -> s <= share_of l k).
  Proof.
    unfold share_of. induction l as [|[i t] l ih]; intros pos; [split; [cbn; lia|intros []]|]. cbn [sum fst snd].
    destruct ih as [ih1 ih2]; [intros e j; apply pos; right; exact j|]. pose proof (pos (i, t) (or_introl eq_refl)) as h. cbn in h.
    destruct (Pos.eqb_spec i k) as [->|ne]; (split; [lia|]); intros [e|j]; try specialize (ih2 j); try inversion e; try contradiction; lia.
  Qed.

  Lemma shares_pos l a e : In e (shares_of p l a) -> 0 <= snd e.
  Proof.
    intros i. apply in_flat_map in i. destruct i as [b [_ i]]. destruct (_ && _) eqn:h; [|destruct i]. destruct i as [<-|[]].
    rewrite andb_true_iff, !Z.ltb_lt in h. cbn. lia.
  Qed.

  Lemma shares_ge l a b : In b l -> number a < number b -> shareable p a b <= share_of (shares_of p l a) (key b).
  Proof.
    intros i lt. destruct (share_of_ge (shares_of p l a) (key b) (shareable p a b) (shares_pos l a)) as [nonneg h].
    destruct (Z_le_gt_dec (shareable p a b) 0) as [?|pos]; [lia|]. apply h. apply in_flat_map. exists b. split; [exact i|].
    replace (number a <? number b) with true by (symmetry; apply Z.ltb_lt, lt). replace (0 <? shareable p a b) with true by (symmetry; apply Z.ltb_lt; lia).
    left. reflexivity.
  Qed.

  (** All buffers of cliques are on the grid. *)
  Variable g : Z.
  Hypothesis g_pos : 0 < g.

  Section Clique.
    Variable listed : list Z.
    Let c := clique_of p listed.
    Let l := filter (fun b => existsb (Z.eqb (number b)) listed) (items p).
    Hypothesis clique_c : is_clique p c = true.
    Hypothesis on_grid : forall b, In b l -> (g | x (key b)).
    Variable a : buffer.
    Hypothesis item_a : In a (items p).
    Variable index : M.t edge.
    Hypothesis index_ok : forall k e, M.find k index = Some e -> edge_ok x d (key a) e /\ other e = k.

    Lemma in_l b : In b l -> In b (items p).
    Proof. intros i. apply filter_In in i. apply i. Qed.

    Lemma clique_conflicts b b' : In b l -> In b' l -> number b <> number b' -> conflicts p b b' = true.
    Proof.
      intros i j ne. unfold is_clique in clique_c. rewrite forallb_forall in clique_c. cbn [parts c clique_of] in clique_c. fold l in clique_c.
      specialize (clique_c _ (in_map (fun a => (a, shares_of p l a)) l b i)). rewrite forallb_forall in clique_c.
      specialize (clique_c _ (in_map (fun a => (a, shares_of p l a)) l b' j)). apply orb_true_iff in clique_c. destruct clique_c as [e|e]; [|exact e].
      apply Z.eqb_eq in e. contradiction.
    Qed.

    Lemma strict_x b b' : In b (items p) -> In b' (items p) -> is_strict p b b' = true ->
      x (key b) + size b <= x (key b') \/ x (key b') + size b' <= x (key b).
    Proof.
      intros i j s. rewrite (x_key b i), (x_key b' j). apply in_items in i, j. apply (strict_apart p); tauto.
    Qed.

    Lemma on_grid_up b b' s : (g | x (key b)) -> (g | x (key b')) -> x (key b) + s <= x (key b') -> x (key b) + up s g <= x (key b').
    Proof. intros h h' le. enough (up s g <= x (key b') - x (key b)) by lia. apply up_least; [exact g_pos|apply Z.divide_sub_r; assumption|lia]. Qed.

    Variable rounded : bool.
    Hypothesis rounded_ok : rounded = true -> strict c = true /\ (g | x (key a)).

    Lemma clique_strict b b' : rounded = true -> In b l -> In b' l -> number b <> number b' -> is_strict p b b' = true.
    Proof.
      intros r i j ne. destruct (rounded_ok r) as [s _]. cbn [strict c clique_of] in s. fold l in s. rewrite forallb_forall in s. specialize (s b i).
      rewrite forallb_forall in s. specialize (s b' j). apply orb_true_iff in s. destruct s as [e|e]; [|exact e]. apply Z.eqb_eq in e. contradiction.
    Qed.

    Lemma member_facts part m : In m (member_of p g rounded a index part) ->
      member_of p g rounded a index part = [m] /\ other (link m) = key (fst part) /\ edge_ok x d (key a) (link m) /\ bytes m = size (fst part) /\
      if rounded then is_strict p a (fst part) = true /\ takes_below m = up (bytes m) g /\ takes_above m = bytes m /\ shares m = []
      else takes_below m = Z.min (under (link m)) (bytes m) /\ takes_above m = Z.max 0 (bytes m - Z.max 0 (size a - over (link m))) /\ shares m = snd part.
    Proof.
      unfold member_of. destruct (M.find (key (fst part)) index) as [e|] eqn:f; [|intros []]. destruct (index_ok _ _ f) as [ok o].
      destruct rounded; [destruct (is_strict p a (fst part)) eqn:s; [|intros []]|]; intros [<-|[]]; cbn; auto 10.
    Qed.

    Lemma in_group m : In m (members (group_of p g a index rounded c)) ->
      exists b, In b l /\ In m (member_of p g rounded a index (b, shares_of p l b)).
    Proof.
      intros i. cbn [members group_of] in i. apply in_flat_map in i. destruct i as [part [i j]]. cbn [parts c clique_of] in i. fold l in i.
      apply in_map_iff in i. destruct i as [b [<- i]]. eauto.
    Qed.

    Lemma group_nodup parts_ : (forall e, In e parts_ -> In (fst e) (items p)) -> NoDup (map (fun e => number (fst e)) parts_) ->
      NoDup (map number_of (flat_map (member_of p g rounded a index) parts_)).
    Proof.
      induction parts_ as [|e rest ih]; intros sub nodup; [constructor|]. cbn [map] in nodup. inversion_clear nodup as [|? ? out nodup']. cbn [flat_map].
      assert (ih' : NoDup (map number_of (flat_map (member_of p g rounded a index) rest))) by (apply ih; [intros f i; apply sub; right; exact i|exact nodup']).
      destruct (member_of p g rounded a index e) as [|m more] eqn:h; [exact ih'|]. destruct (member_facts e m) as [one_ [o _]]; [rewrite h; left; reflexivity|].
      rewrite h in one_. injection one_ as ->. cbn [app map]. constructor; [|exact ih']. intros i. apply out. apply in_map_iff in i. destruct i as [n [q i]].
      apply in_flat_map in i. destruct i as [f [jf i]]. destruct (member_facts f n i) as [_ [o' _]]. unfold number_of in q. rewrite o, o' in q.
      rewrite !key_number in q by (apply sub; auto using in_eq, in_cons). apply in_map_iff. exists f. split; [lia|exact jf].
    Qed.

    Lemma group_is_ok : group_ok claim x d (key a) (group_of p g a index rounded c).
    Proof.
      pose proof (item_end a item_a) as end_a. pose proof clique_strict as strict_each. split; [|split; [|split]].
      - cbn [members group_of]. apply group_nodup.
        + intros e i. cbn [parts c clique_of] in i. fold l in i. apply in_map_iff in i. destruct i as [b [<- i]]. apply in_l, i.
        + cbn [parts c clique_of]. fold l. rewrite map_map. cbn [fst]. apply NoDup_map_filter. apply NoDup_map_filter, distinct.
      - intros m i. destruct (in_group m i) as [b [ib j]]. destruct (member_facts _ m j) as [_ [o [ok [by_ h]]]]. cbn [fst snd] in *.
        pose proof (item_end b (in_l b ib)) as end_b. destruct (in_items b (in_l b ib)) as [_ [pos _]]. destruct (in_items a item_a) as [_ [pos_a _]].
        pose proof ok as [up_ [down [h1 h2]]]. unfold member_ok. rewrite o, by_ in *.
        split; [exact ok|]. cbn [own group_of]. destruct rounded.
        + destruct h as [s [-> [-> _]]]. destruct (rounded_ok eq_refl) as [_ ga]. destruct (up_facts (size b) g g_pos) as [_ ub].
          destruct (up_facts (size a) g g_pos) as [_ ua]. pose proof (strict_x a b item_a (in_l b ib) s) as two.
          split; [lia|]. split; [lia|]. split; [exact end_b|]. split; intros e.
          * specialize (down e). apply (on_grid_up b a); [apply on_grid, ib|exact ga|lia].
          * specialize (up_ e). assert (x (key a) + up (size a) g <= x (key b)) by (apply (on_grid_up a b); [exact ga|apply on_grid, ib|lia]). lia.
        + destruct h as [-> [-> _]]. split; [lia|]. split; [lia|]. split; [exact end_b|]. split; intros e; [specialize (down e)|specialize (up_ e)]; lia.
      - intros m n i j lt. destruct (in_group m i) as [b [ib jb]], (in_group n j) as [b' [ib' jb']].
        destruct (member_facts _ m jb) as [_ [o [ok [by_ h]]]], (member_facts _ n jb') as [_ [o' [ok' [by_' h']]]]. cbn [fst snd] in *.
        assert (lt' : number b < number b').
        { rewrite o, o' in lt. apply Pos2Z.pos_lt_pos in lt. rewrite (key_number b (in_l b ib)), (key_number b' (in_l b' ib')) in lt. lia. }
        pose proof (clique_conflicts b b' ib ib' ltac:(lia)) as co. unfold share_ok. rewrite o, o', by_, by_' in *.
        destruct (in_items b (in_l b ib)) as [_ [pos _]], (in_items b' (in_l b' ib')) as [_ [pos' _]].
        destruct rounded.
        + destruct h as [_ [-> [-> ->]]], h' as [_ [-> [-> _]]]. cbn [share_of sum]. unfold share_of. cbn [sum]. split; [lia|].
          pose proof (strict_each b b' eq_refl ib ib' ltac:(lia)) as s. pose proof (strict_x b b' (in_l b ib) (in_l b' ib') s) as two.
          assert (x (key b) + up (size b) g <= x (key b') \/ x (key b') + up (size b') g <= x (key b)).
          { destruct two; [left|right]; apply on_grid_up; auto. }
          lia.
        + destruct h as [-> [-> ->]], h' as [-> [-> _]]. pose proof (shares_ge l b b' ib' lt').
          pose proof (overlap_shareable p y b b' (item_below b b' (in_l b ib) (in_l b' ib') co)) as most.
          rewrite <- (x_key b (in_l b ib)), <- (x_key b' (in_l b' ib')) in most.
          split; [exact (proj1 (share_of_ge _ (key b') 0 (shares_pos l b)))|]. lia.
      - intros m n i. destruct (in_group m i) as [b [ib jb]]. destruct (member_facts _ m jb) as [_ [_ [_ [_ h]]]]. destruct rounded.
        + destruct h as [_ [_ [_ ->]]]. unfold share_of. cbn. lia.
        + destruct h as [_ [_ ->]]. cbn [snd]. exact (proj1 (share_of_ge _ _ 0 (shares_pos l b))).
    Qed.
  End Clique.

  (* ---------------------------------------------------------------- nodes *)

  Variable cliques : list clique.
  Hypothesis cliques_are : forall c, In c cliques -> exists listed, c = clique_of p listed.
  Hypothesis cliques_conflict : forall c, In c cliques -> is_clique p c = true.
  Hypothesis cliques_on_grid : forall c e, In c cliques -> In e (parts c) -> (g | x (key (fst e))).

  Lemma node_is_ok a : In a (items p) -> node_ok p claim x d (key a) (node_of p g cliques (edge_table pairs) a).
  Proof.
    intros ia. set (table := edge_table pairs). unfold node_of. set (index := fold_left _ (at_ table (key a)) _).
    assert (index_ok : forall k e, M.find k index = Some e -> edge_ok x d (key a) e /\ other e = k).
    { apply (fold_ok (fun m => forall k e, M.find k m = Some e -> edge_ok x d (key a) e /\ other e = k)).
      - intros m e i h. apply (add_ok (fun k e => edge_ok x d (key a) e /\ other e = k)); [exact h|]. split; [exact (table_ok _ _ i)|reflexivity].
      - intros k e. rewrite M.gempty. discriminate. }
    split; [exact (item_may a ia)|]. split; [intros e i; exact (table_ok _ _ i)|]. cbn [groups]. intros h i.
    assert (one_ : forall rounded c, In c cliques -> (rounded = true -> strict c = true /\ (g | x (key a))) ->
              group_ok claim x d (key a) (group_of p g a index rounded c)).
    { intros rounded c ic r. destruct (cliques_are c ic) as [listed ->]. apply (group_is_ok listed); [exact (cliques_conflict _ ic)| |exact ia|exact index_ok|exact r].
      intros b ib. apply (cliques_on_grid _ (b, shares_of p (filter (fun b => existsb (Z.eqb (number b)) listed) (items p)) b) ic).
      cbn [parts clique_of]. apply (in_map (fun a => (a, shares_of p _ a))), ib. }
    set (candidates := _ ++ _) in i.
    assert (sub : incl (fold_left add_group candidates []) candidates).
    { apply (fold_ok (fun l => incl l candidates)); [|intros b []]. intros l b ib sub. unfold add_group. destruct (members b) as [|? [|? ?]]; [exact sub|exact sub|].
      destruct (existsb _ l); [exact sub|]. intros k [<-|j]; [exact ib|]. apply filter_In in j. apply sub, j. }
    apply sub in i. unfold candidates in i. apply in_app_iff in i. destruct i as [i|i].
    - destruct (is_listed cliques a) eqn:listed; [|destruct i]. apply in_map_iff in i. destruct i as [c [<- i]]. apply filter_In in i. destruct i as [i s].
      apply one_; [exact i|]. intros _. split; [exact s|]. unfold is_listed in listed. apply existsb_exists in listed. destruct listed as [c' [i' h]].
      apply existsb_exists in h. destruct h as [e [ie h]]. apply Z.eqb_eq in h. unfold key. rewrite <- h. exact (cliques_on_grid c' e i' ie).
    - apply in_map_iff in i. destruct i as [c [<- i]]. apply one_; [exact i|discriminate].
  Qed.

  Lemma nodes_are_ok k n : M.find k (nodes_of p g cliques (edge_table pairs)) = Some n -> node_ok p claim x d k n.
  Proof.
    revert k n. unfold nodes_of. apply (fold_ok (fun m => forall k n, M.find k m = Some n -> node_ok p claim x d k n)).
    - intros m a i h. apply add_ok; [exact h|exact (node_is_ok a i)].
    - intros k n. rewrite M.gempty. discriminate.
  Qed.
End Sound.

Lemma grid_divides p claim y cliques : valid p y -> 0 < claim -> (forall b, In b (buffers p) -> y (number b) + size b <= claim - 1) ->
  (forall c, In c cliques -> exists listed, c = clique_of p listed) ->
  0 < grid cliques /\ forall c e, In c cliques -> In e (parts c) -> (grid cliques | x claim y (key (fst e))).
Proof.
  intros v pos ends are. unfold grid. set (g := fold_right _ 0 cliques). assert (all : forall c e, In c cliques -> In e (parts c) -> (g | grid_of (fst e))).
  { subst g. clear. induction cliques as [|c cliques ih]; intros c' e; [intros []|]. cbn [fold_right]. set (g := fold_right _ 0 cliques) in *.
    assert (rest : forall l, (fold_right (fun e g => Z.gcd (grid_of (fst e)) g) g l | g) /\
              forall e : buffer * list (positive * Z), In e l -> (fold_right (fun e g => Z.gcd (grid_of (fst e)) g) g l | grid_of (fst e))).
    { induction l as [|f l [h1 h2]]; cbn [fold_right]; [split; [apply Z.divide_refl|intros ? []]|]. split; [apply (Z.divide_trans _ _ _ (Z.gcd_divide_r _ _) h1)|].
      intros e' [<-|i]; [apply Z.gcd_divide_l|apply (Z.divide_trans _ _ _ (Z.gcd_divide_r _ _) (h2 e' i))]. }
    intros [<-|i] j; [apply rest, j|]. apply (Z.divide_trans _ g); [apply rest|exact (ih c' e i j)]. }
  destruct (0 <? g) eqn:e; [|split; [lia|intros; apply Z.divide_1_l]]. apply Z.ltb_lt in e. split; [exact e|]. intros c f i j.
  apply (Z.divide_trans _ _ _ (all c f i j)). destruct (are c i) as [listed ->]. cbn [parts clique_of] in j. apply in_map_iff in j. destruct j as [b [<- j]].
  apply filter_In in j. destruct j as [j _]. cbn [fst]. pose proof (item_may p claim y v ends b j) as [_ [al [fx _]]]. unfold grid_of.
  destruct (fixed b) as [f|]; [|exact al]. destruct (0 <? f); [|exact al]. rewrite (fx f eq_refl). apply Z.divide_refl.
Qed.

Lemma root_ok p claim y d : 0 < claim -> valid p y -> (forall b, In b (buffers p) -> y (number b) + size b <= claim - 1) ->
  outcome_ok (x claim y) d (root p claim).
Proof.
  intros pos v ends. unfold root.
  assert (each : forall b, In b (items p) -> lowest p b 0 <= x claim y (key b) /\ x claim y (key b) <= highest_from b (claim - 1 - size b)).
  { intros b i. pose proof (item_may p claim y v ends b i) as may. pose proof (item_end p claim y v ends b i). pose proof (x_bounds claim y pos (key b)).
    split; [apply lowest_le|apply (highest_from_ge p)]; try assumption; lia. }
  destruct (forallb _ _) eqn:h.
  - split; [split; [|split]|split; intros t []]; cbn.
    + apply (fold_ok (fun m => forall k z, M.find k m = Some z -> z <= x claim y k)); [|intros k z; rewrite M.gempty; discriminate].
      intros m b i ok. apply (add_ok (fun k z => z <= x claim y k)); [exact ok|apply each, i].
    + apply (fold_ok (fun m => forall k z, M.find k m = Some z -> x claim y k <= z)); [|intros k z; rewrite M.gempty; discriminate].
      intros m b i ok. apply (add_ok (fun k z => x claim y k <= z)); [exact ok|apply each, i].
    + intros q b. rewrite M.gempty. discriminate.
  - apply not_true_iff_false in h. apply h. apply forallb_forall. intros b i. destruct (each b i). apply Z.leb_le. lia.
Qed.

Theorem is_refuted_least p claim cliques clauses : NoDup (map number (buffers p)) -> is_refuted p claim cliques clauses = true ->
  least p claim.
Proof.
  intros distinct h y v. unfold reaches. destruct (Z_le_gt_dec claim 0) as [?|pos]; [auto|]. right.
  destruct (existsb (fun b => claim <=? y (number b) + size b) (buffers p)) eqn:high.
  { apply existsb_exists in high. destruct high as [b [ib hb]]. exists b. split; [exact ib|]. apply Z.leb_le, hb. }
  exfalso. assert (ends : forall b, In b (buffers p) -> y (number b) + size b <= claim - 1).
  { intros b ib. destruct (Z_le_gt_dec claim (y (number b) + size b)) as [le|gt]; [|lia]. exfalso.
    assert (existsb (fun b => claim <=? y (number b) + size b) (buffers p) = true); [|congruence].
    apply existsb_exists. exists b. split; [exact ib|]. apply Z.leb_le, le. }
  assert (pos' : 0 < claim) by lia. unfold is_refuted in h. set (made := map (clique_of p) cliques) in *. set (pairs := numbered_pairs (pairs_of p (items p))) in *.
  revert h. generalize depth. intros n h. apply andb_true_iff in h. destruct h as [all_cliques h]. destruct (all_of _) as [list_|]; [|discriminate].
  assert (are : forall c, In c made -> exists listed, c = clique_of p listed).
  { intros c i. apply in_map_iff in i. destruct i as [k [<- _]]. eauto. }
  destruct (grid_divides p claim y made v pos' ends are) as [g_pos on_grid].
  assert (right_ : forall q r, M.find q pairs = Some r -> right claim y r).
  { apply numbered_right. apply (pairs_right p claim y v ends), incl_refl. }
  rewrite forallb_forall in all_cliques.
  pose proof (x_bounds claim y pos') as bounds. pose proof (pairs_are_ok claim y pairs right_) as pairs_ok.
  pose proof (nodes_are_ok p claim y distinct v ends pairs right_ (grid made) g_pos made are all_cliques on_grid) as nodes_ok.
  set (d := d claim y pairs) in *.
  refine (refute_sound p claim (is_scattered p) pairs _ n (x claim y) d bounds pairs_ok nodes_ok list_ _ _ _ _ h).
  - intros s c. unfold clauses_with. rewrite M.gempty. intros [].
  - apply (drive_ok p claim _ pairs _ _ (x claim y) d bounds pairs_ok nodes_ok); [|exact (root_ok p claim y d pos' v ends)].
    intros s c. unfold clauses_with. rewrite M.gempty. intros [].
Qed.
