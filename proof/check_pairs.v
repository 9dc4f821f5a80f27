(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The reason [pairs]: cliques, and clauses of which each follows from those before it, until a contradiction does. *)
From Neap Require Import problem bytes load place grid lowest column pairs.

Definition add_at {A} (m : M.t (list A)) (k : positive) (a : A) : M.t (list A) := M.add k (a :: get [] m k) m.

Lemma in_add_at {A} (m : M.t (list A)) k a i b : In b (get [] (add_at m k a) i) -> i = k /\ b = a \/ In b (get [] m i).
Proof. unfold add_at. rewrite get_add. destruct (Pos.eqb_spec i k) as [->|ne]; [intros [<-|h]|]; auto. Qed.

(* ---------------------------------------------------------------- clauses *)

Definition add_clause (users : clauses) (c : list statement) : clauses := fold_left (fun m t => add_at m (key_of t) c) c users.

Lemma add_clause_ok d users c : clauses_ok d users -> clause_ok d c -> clauses_ok d (add_clause users c).
Proof.
  intros ok implied. apply (fold_ok (clauses_ok d)); [|exact ok]. intros m t _ ok' s e i. apply in_add_at in i.
  destruct i as [[_ ->]|i]; [exact implied|exact (ok' s e i)].
Qed.

Section Clauses.
  Variable p : problem.
  Variable claim : Z.
  Variable pairs : M.t pair.
  Variable nodes : M.t node.
  Variable depth : nat.

  Notation follow := (follow p claim pairs nodes depth).

  Definition is_implied (users : clauses) (s : state) (clause : list statement) : bool :=
    match follow users s (map opposite clause) with Impossible => true | _ => false end.

  (** Whether the clauses follow, and a contradiction after them. *)
  Fixpoint refute (users : clauses) (o : outcome) (l : list (list statement)) : bool :=
    match o, l with
    | Impossible, _ => true
    | (Quiet s | Going s _), c :: l =>
        is_implied users s c &&
        match last_left (truth s) [c] [] with
        | None => true
        | Some made => refute (add_clause users c) (follow (add_clause users c) s made) l
        end
    | _, [] => false
    end.

  Variable x : positive -> Z.
  Variable d : positive -> bool.
  Hypothesis bounds : forall k, 0 <= x k <= claim - 1.
  Hypothesis pairs_ok : forall q r, M.find q pairs = Some r -> pair_ok x d q r.
  Hypothesis nodes_ok : forall k n, M.find k nodes = Some n -> node_ok p claim x d k n.

  Let follows users := follow_ok p claim pairs nodes depth users x d bounds pairs_ok nodes_ok.

  Lemma is_implied_ok users s c : clauses_ok d users -> sat claim x d s -> is_implied users s c = true -> clause_ok d c.
  Proof.
    intros uok ok h. destruct (existsb (fun t : statement => eqb (d (fst t)) (snd t)) c) eqn:e.
    - apply existsb_exists in e. destruct e as [t [i e]]. apply eqb_prop in e. exists t. auto.
    - exfalso. unfold is_implied in h.
      assert (false_ : forall t, In t (map opposite c) -> holds d t).
      { intros t i. apply in_map_iff in i. destruct i as [u [<- i]]. unfold holds, opposite. cbn.
        destruct (eqb (d (fst u)) (snd u)) eqn:g; [|destruct (d (fst u)), (snd u); try reflexivity; discriminate].
        rewrite <- not_true_iff_false, existsb_exists in e. exfalso. eauto. }
      pose proof (follows users uok s _ ok false_) as f. destruct (follow users s _); [exact f|discriminate|discriminate].
  Qed.

  Theorem refute_sound l : forall users o, clauses_ok d users -> outcome_ok claim x d o -> refute users o l = true -> False.
  Proof.
    induction l as [|c l ih]; intros users o uok ok h; [destruct o; [exact ok|discriminate|discriminate]|].
    destruct o as [|s|s a]; [exact ok| |apply proj1 in ok]; cbn [refute] in h; apply andb_true_iff in h; destruct h as [implied h];
      apply (is_implied_ok users s c uok ok) in implied; pose proof (add_clause_ok d users c uok implied) as more;
      pose proof (last_left_ok d (truth s) [c] (proj2 ok) ltac:(intros e [<-|[]]; exact implied) [] ltac:(intros t [])) as last;
      (destruct (last_left _ _ _) as [made|]; [|exact last]); exact (ih _ _ more (follows _ more s made ok last) h).
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

(** Where allowances permit any distance, two buffers are no pair. *)
Definition pair_of (p : problem) (a b : buffer) : list pair :=
  if conflicts p a b then
    let r := {| first := key a; second := key b; rise := apart p a b; fall := apart p b a |} in
    if (0 <=? rise r) && (0 <=? fall r) && (0 <? rise r + fall r) then [r] else []
  else [].
Fixpoint pairs_of (p : problem) (l : list buffer) : list pair :=
  match l with [] => [] | a :: l => flat_map (pair_of p a) l ++ pairs_of p l end.
Definition numbered (l : list pair) : M.t pair :=
  snd (fold_left (fun m r => (Pos.succ (fst m), M.add (fst m) r (snd m))) l (1%positive, M.empty pair)).
Definition add_edges (m : M.t (list edge)) (e : positive * pair) : M.t (list edge) :=
  let '(q, r) := e in
  add_at (add_at m (first r) {| other := second r; on := q; side := true; over := rise r; under := fall r |})
    (second r) {| other := first r; on := q; side := false; over := fall r; under := rise r |}.
Definition edge_table (pairs : M.t pair) : M.t (list edge) := fold_left add_edges (M.elements pairs) (M.empty (list edge)).

(* ---------------------------------------------------------------- the cliques *)

(** Its buffers with what each can share with those of higher numbers; whether no two can share any. *)
Definition part := (buffer * list (positive * Z))%type.
Record clique := { parts : list part; strict : bool }.

Definition shares_of (p : problem) (l : list buffer) (a : buffer) : list (positive * Z) :=
  flat_map (fun b => if (number a <? number b) && (0 <? shareable p a b) then [(key b, shareable p a b)] else []) l.
Definition clique_of (p : problem) (listed : list Z) : clique :=
  let l := filter (fun b => has (number b) listed) (items p) in
  {| parts := map (fun a => (a, shares_of p l a)) l; strict := is_each (is_strict p) l |}.
Definition is_clique (p : problem) (c : clique) : bool := is_each (conflicts p) (map fst (parts c)).

(** The grid of all buffers in cliques. *)
Definition grid_of (b : buffer) : Z := match fixed b with Some f => if 0 <? f then f else alignment b | None => alignment b end.
Definition grid (cliques : list clique) : Z :=
  let g := fold_right (fun e => Z.gcd (grid_of (fst e))) 0 (flat_map parts cliques) in if 0 <? g then g else 1.

(** Of a buffer in a clique, beside a; sizes are rounded up if no two of the clique and a can share bytes. *)
Definition member_of (p : problem) (g : Z) (rounded : bool) (a : buffer) (index : M.t edge) (part : part) : list member :=
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
            takes_above := size b - Z.max 0 (size a - over e); shares := snd part |}]
  end.
Definition group_of (p : problem) (g : Z) (a : buffer) (index : M.t edge) (rounded : bool) (c : clique) : group :=
  {| own := if rounded then up (size a) g else size a; members := flat_map (member_of p g rounded a index) (parts c) |}.

Definition is_listed (cliques : list clique) (a : buffer) : bool :=
  existsb (fun e => number (fst e) =? number a) (flat_map parts cliques).
Definition node_of (p : problem) (g : Z) (cliques : list clique) (table : M.t (list edge)) (a : buffer) : node :=
  let edges := get [] table (key a) in
  let index := map_of other (fun e => e) edges in
  let rounded := if is_listed cliques a then map (group_of p g a index true) (filter strict cliques) else [] in
  let groups := rounded ++ map (group_of p g a index false) cliques in
  {| self := a; edges := edges; groups := filter (fun g => match members g with _ :: _ :: _ => true | _ => false end) groups |}.

(* ---------------------------------------------------------------- the whole *)

Definition root (p : problem) (claim : Z) : outcome :=
  let low b := place p claim true b 0 in
  let top b := place p claim false b (size b) in
  if existsb (fun b => claim <=? low b + top b) (items p) then Impossible
  else Going {| lows := map_of key low (items p); tops := map_of key top (items p); truth := M.empty bool |}
         {| raised := []; made := []; near := map_of key (fun _ => tt) (items p) |}.

Definition statement_of (table : M.t (list edge)) (pair : Z * Z) : list statement :=
  map (fun e => (on e, side e))
    (filter (fun e => Pos.eqb (other e) (Z.to_pos (snd pair + 1))) (get [] table (Z.to_pos (fst pair + 1)))).

(** No clause needs 2^30 steps. *)
Definition depth : nat := 30.

Definition is_refuted (p : problem) (claim : Z) (cliques : list (list Z)) (clauses : list (list (Z * Z))) : bool :=
  let cliques := map (clique_of p) cliques in
  let pairs := numbered (pairs_of p (items p)) in
  let table := edge_table pairs in
  let nodes := map_of key (node_of p (grid cliques) cliques table) (items p) in
  let is_pair s := match statement_of table s with [] => false | _ => true end in
  forallb (is_clique p) cliques && forallb (forallb is_pair) clauses &&
  refute p claim pairs nodes depth (M.empty _) (drive p claim pairs nodes (M.empty _) depth (root p claim))
    (map (flat_map (statement_of table)) clauses).

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
    destruct (proj1 valid_y b i) as [nonneg _]. specialize (all_below b i). destruct (_ && _) eqn:e; lia.
  Qed.
  Lemma item_may b : In b (items p) -> may_be_at p b (x (key b)).
  Proof. intros i. rewrite (x_key b i). apply in_items in i. apply (proj1 valid_y b), i. Qed.
  Lemma item_end b : In b (items p) -> x (key b) + size b <= claim - 1.
  Proof. intros i. rewrite (x_key b i). apply all_below, in_items, i. Qed.
  Lemma item_below a b : In a (items p) -> In b (items p) -> conflicts p a b = true -> below p y a b \/ below p y b a.
  Proof. intros ia ib c. apply in_items in ia, ib. apply (proj1 (proj2 valid_y)); try tauto. apply conflicts_conflict; tauto. Qed.
  Lemma item_strict a b : In a (items p) -> In b (items p) -> is_strict p a b = true ->
    x (key a) + size a <= x (key b) \/ x (key b) + size b <= x (key a).
  Proof. intros i j s. rewrite (x_key a i), (x_key b j). apply in_items in i, j. apply (strict_apart p); tauto. Qed.

  Lemma residue_divides b z : may_be_at p b z -> (fst (residue b) | z - snd (residue b)).
  Proof.
    intros [_ [al [fx _]]]. unfold residue. destruct (fixed b) as [f|]; cbn.
    - rewrite (fx f eq_refl), Z.sub_diag. apply Z.divide_0_r.
    - rewrite Z.sub_0_r. exact al.
  Qed.

  Lemma apart_le a b : In a (items p) -> In b (items p) -> below p y a b -> x (key a) + apart p a b <= x (key b).
  Proof.
    intros ia ib h. apply below_gap in h. rewrite <- (x_key a ia), <- (x_key b ib) in h. unfold apart.
    pose proof (residue_divides a _ (item_may a ia)) as da. pose proof (residue_divides b _ (item_may b ib)) as db.
    destruct (0 <? _) eqn:pos; [|exact h]. apply Z.ltb_lt in pos. set (g := Z.gcd _ _) in *.
    enough (up (gap p a b - (snd (residue b) - snd (residue a))) g <=
      (x (key b) - snd (residue b)) - (x (key a) - snd (residue a))) by lia.
    apply up_least; [exact pos| |lia]. apply Z.divide_sub_r.
    - apply (Z.divide_trans _ (fst (residue b))); [apply Z.gcd_divide_r|exact db].
    - apply (Z.divide_trans _ (fst (residue a))); [apply Z.gcd_divide_l|exact da].
  Qed.

  (* ---------------------------------------------------------------- pairs and edges *)

  Definition is_right (r : pair) : Prop :=
    0 <= rise r /\ 0 <= fall r /\ (x (first r) + rise r <= x (second r) \/ x (second r) + fall r <= x (first r)).

  Lemma pairs_right l : incl l (items p) -> forall r, In r (pairs_of p l) -> is_right r.
  Proof.
    induction l as [|a l ih]; intros sub r; cbn [pairs_of]; [intros []|]. apply incl_cons_inv in sub. destruct sub as [ia sub].
    rewrite in_app_iff, in_flat_map. intros [[b [ib i]]|i]; [|exact (ih sub r i)]. apply sub in ib. unfold pair_of in i.
    destruct (conflicts p a b) eqn:c; [|destruct i]. cbn [rise fall] in i. destruct (_ && _) eqn:e; [|destruct i].
    destruct i as [<-|[]]. rewrite !andb_true_iff, !Z.leb_le in e. split; [apply e|]. split; [apply e|]. cbn.
    destruct (item_below a b ia ib c); [left|right]; apply apart_le; assumption.
  Qed.

  Lemma numbered_right l : (forall r, In r l -> is_right r) -> forall q r, M.find q (numbered l) = Some r -> is_right r.
  Proof.
    intros each. unfold numbered. apply (fold_ok (fun m => forall q r, M.find q (snd m) = Some r -> is_right r)).
    - intros [n m] r i h. apply (find_add (fun _ => is_right)); [exact h|apply each, i].
    - intros q r. cbn. rewrite M.gempty. discriminate.
  Qed.

  Let pairs := numbered (pairs_of p (items p)).
  Definition d (q : positive) : bool :=
    match M.find q pairs with Some r => x (first r) + rise r <=? x (second r) | None => true end.

  Lemma pairs_are_right q r : M.find q pairs = Some r -> is_right r.
  Proof. apply numbered_right, pairs_right, incl_refl. Qed.
  Lemma pairs_are_ok q r : M.find q pairs = Some r -> pair_ok x d q r.
  Proof. intros e. unfold pair_ok, d. rewrite e. destruct (pairs_are_right q r e) as [_ [_ h]]. rewrite Z.leb_le, Z.leb_gt. lia.
  Qed.

  Lemma table_ok k e : In e (get [] (edge_table pairs) k) -> edge_ok claim x d k e.
  Proof.
    revert k e. unfold edge_table. apply (fold_ok (fun m => forall k e, In e (get [] m k) -> edge_ok claim x d k e)).
    - intros m [q r] i h k e j. apply M.elements_complete in i. destruct (pairs_are_ok q r i) as [h1 h2].
      destruct (pairs_are_right q r i) as [h3 [h4 _]].
      apply in_add_at in j. destruct j as [[-> ->]|j]; [|apply in_add_at in j; destruct j as [[-> ->]|j]; [|exact (h k e j)]];
        (split; [assumption|]; split; [assumption|]); intros [] s; cbn in *;
          [apply h2 in s|apply h1 in s|apply h1 in s|apply h2 in s]; lia.
    - intros k e. unfold get. rewrite M.gempty. intros [].
  Qed.

  (* ---------------------------------------------------------------- groups *)

  Lemma sum_shares (l : list (positive * Z)) k :
    let most := sum (fun e => if Pos.eqb (fst e) k then Z.max 0 (snd e) else 0) l in
    0 <= most /\ forall s, In (k, s) l -> s <= most.
  Proof.
    cbn zeta. set (f := fun e => _). assert (nonneg : forall e, In e l -> 0 <= f e).
    { intros e _. unfold f. destruct (Pos.eqb _ _); lia. }
    split; [apply sum_nonneg, nonneg|]. intros s i. transitivity (f (k, s)); [|apply sum_in; assumption].
    unfold f. cbn. rewrite Pos.eqb_refl. lia.
  Qed.

  Variable cliques : list (list Z).
  Let made := map (clique_of p) cliques.
  Let g := grid made.
  Hypothesis are_cliques : forall c, In c made -> is_clique p c = true.

  Lemma parts_are c : In c made -> exists l, parts c = map (fun a => (a, shares_of p l a)) l /\ incl l (items p) /\
    NoDup (map number l) /\ (forall a b, In a l -> In b l -> number a <> number b -> conflicts p a b = true) /\
    (strict c = true -> forall a b, In a l -> In b l -> number a <> number b -> is_strict p a b = true).
  Proof.
    intros ic. pose proof (is_each_true _ _ (are_cliques c ic)) as co. apply in_map_iff in ic. destruct ic as [listed [<- _]].
    cbn [parts strict clique_of] in *. rewrite map_map, map_id in co. set (l := filter _ (items p)) in *. exists l.
    split; [reflexivity|]. split; [intros b i; apply filter_In in i; apply i|].
    split; [apply NoDup_map_filter, NoDup_map_filter, distinct|]. split; [exact co|apply is_each_true].
  Qed.

  Lemma grid_ok : 0 < g /\ forall c e, In c made -> In e (parts c) -> (g | x (key (fst e))).
  Proof.
    unfold g, grid. set (all := flat_map parts made). set (z := fold_right (fun e => Z.gcd (grid_of (fst e))) 0 all).
    destruct (0 <? z) eqn:pos; [|split; [lia|intros; apply Z.divide_1_l]]. apply Z.ltb_lt in pos. split; [exact pos|].
    intros c e ic ie. assert (i : In e all) by (apply in_flat_map; eauto).
    assert (div : (z | grid_of (fst e))).
    { subst z. clear - i. induction all as [|f l ih]; [destruct i|]. cbn [fold_right].
      destruct i as [->|i]; [apply Z.gcd_divide_l|]. apply (Z.divide_trans _ _ _ (Z.gcd_divide_r _ _) (ih i)). }
    apply (Z.divide_trans _ _ _ div). destruct (parts_are c ic) as [l [eq [sub _]]]. rewrite eq in ie. apply in_map_iff in ie.
    destruct ie as [b [<- ib]]. destruct (item_may b (sub b ib)) as [_ [al [fx _]]]. unfold grid_of. cbn [fst].
    destruct (fixed b) as [f|]; [|exact al]. destruct (0 <? f); [|exact al]. rewrite (fx f eq_refl). apply Z.divide_refl.
  Qed.

  Lemma on_grid a b s : (g | x (key a)) -> (g | x (key b)) -> x (key a) + s <= x (key b) -> x (key a) + up s g <= x (key b).
  Proof.
    intros h h' le. enough (up s g <= x (key b) - x (key a)) by lia.
    apply up_least; [apply grid_ok|apply Z.divide_sub_r; assumption|lia].
  Qed.

  Section Group.
    Variable c : clique.
    Hypothesis c_made : In c made.
    Variable a : buffer.
    Hypothesis item_a : In a (items p).
    Variable index : M.t edge.
    Hypothesis index_ok : forall k e, M.find k index = Some e -> edge_ok claim x d (key a) e /\ other e = k.
    Variable rounded : bool.

    Lemma member_facts part m : In m (member_of p g rounded a index part) ->
      member_of p g rounded a index part = [m] /\ other (link m) = key (fst part) /\ edge_ok claim x d (key a) (link m) /\
      bytes m = size (fst part) /\
      if rounded then is_strict p a (fst part) = true /\ takes_below m = up (bytes m) g /\ takes_above m = bytes m /\ shares m = []
      else takes_below m = Z.min (under (link m)) (bytes m) /\ takes_above m = bytes m - Z.max 0 (size a - over (link m)) /\
        shares m = snd part.
    Proof.
      unfold member_of. destruct (M.find (key (fst part)) index) as [e|] eqn:f; [|intros []]. destruct (index_ok _ _ f) as [ok o].
      destruct rounded; [destruct (is_strict p a (fst part)) eqn:s; [|intros []]|]; intros [<-|[]]; cbn; auto 10.
    Qed.

    Lemma group_nodup l : (forall e, In e l -> In (fst e) (items p)) -> NoDup (map (fun e => number (fst e)) l) ->
      NoDup (map number_of (flat_map (member_of p g rounded a index) l)).
    Proof.
      induction l as [|e l ih]; intros sub nodup; [constructor|]. cbn [map] in nodup. inversion_clear nodup as [|? ? out nodup'].
      specialize (ih (fun f i => sub f (or_intror i)) nodup'). cbn [flat_map].
      destruct (member_of p g rounded a index e) as [|m more] eqn:h; [exact ih|].
      destruct (member_facts e m) as [one_ [o _]]; [rewrite h; left; reflexivity|]. rewrite h in one_. injection one_ as ->.
      cbn [app map]. constructor; [|exact ih]. intros i. apply out. apply in_map_iff in i. destruct i as [n [q i]].
      apply in_flat_map in i. destruct i as [f [jf i]]. destruct (member_facts f n i) as [_ [o' _]]. unfold number_of in q.
      rewrite o, o', !key_number in q by (apply sub; auto using in_eq, in_cons). apply in_map_iff. exists f.
      split; [lia|exact jf].
    Qed.

    Lemma group_is_ok : (rounded = true -> strict c = true /\ (g | x (key a))) ->
      group_ok claim x d (key a) (group_of p g a index rounded c).
    Proof.
      intros round. destruct (parts_are c c_made) as [l [parts_l [sub [nodup [co st]]]]].
      destruct grid_ok as [g_pos grids]. pose proof (in_items a item_a) as pos_a. pose proof (up_facts (size a) g g_pos) as up_a.
      assert (grid_l : forall b, In b l -> (g | x (key b))).
      { intros b i. apply (grids c (b, shares_of p l b) c_made). rewrite parts_l.
        apply (in_map (fun a => (a, shares_of p l a))), i. }
      assert (from : forall m, In m (members (group_of p g a index rounded c)) ->
                exists b, In b l /\ In m (member_of p g rounded a index (b, shares_of p l b))).
      { intros m i. cbn [members group_of] in i. apply in_flat_map in i. destruct i as [e [ie i]]. rewrite parts_l in ie.
        apply in_map_iff in ie. destruct ie as [b [<- ib]]. eauto. }
      split; [|split].
      - cbn [members group_of]. rewrite parts_l. apply group_nodup.
        + intros e i. apply in_map_iff in i. destruct i as [b [<- i]]. apply sub, i.
        + rewrite map_map. exact nodup.
      - intros m i. destruct (from m i) as [b [ib j]]. destruct (member_facts _ m j) as [_ [o [[over_ [under_ least]] [by_ h]]]].
        cbn [fst snd] in *. pose proof (item_end b (sub b ib)) as end_b. pose proof (in_items b (sub b ib)) as pos_b. split.
        + intros n. unfold share_of. destruct rounded; [destruct h as [_ [_ [_ ->]]]; reflexivity|destruct h as [_ [_ ->]]].
          exact (proj1 (sum_shares _ (other (link n)))).
        + intros u pos s. specialize (least (negb u) s). unfold begin, base, takes in *. rewrite o in *. rewrite by_ in *.
          cbn [own group_of]. destruct rounded.
          * destruct h as [s' [tb [ta _]]]. rewrite ?tb, ?ta in *. destruct (round eq_refl) as [_ ga].
            pose proof (item_strict a b item_a (sub b ib) s') as two.
            pose proof (on_grid b a (size b) (grid_l b ib) ga). pose proof (on_grid a b (size a) ga (grid_l b ib)).
            destruct u; cbn in *; lia.
          * destruct h as [tb [ta _]]. rewrite ?tb, ?ta in *. destruct u; cbn in *; lia.
      - intros m n u i j lt. destruct (from m i) as [b [ib jb]], (from n j) as [b' [ib' jb']].
        destruct (member_facts _ m jb) as [_ [o [_ [by_ h]]]], (member_facts _ n jb') as [_ [o' [_ [by_' h']]]].
        cbn [fst snd] in *. unfold number_of in lt. rewrite o, o', (key_number b (sub b ib)), (key_number b' (sub b' ib')) in lt.
        pose proof (in_items b (sub b ib)) as pos. pose proof (in_items b' (sub b' ib')) as pos'.
        unfold share_ok, begin, base, takes. rewrite o, o'. destruct rounded.
        + destruct h as [_ [-> [-> sh]]], h' as [_ [-> [-> _]]]. unfold share_of. rewrite sh, by_, by_'. cbn [sum].
          destruct (item_strict b b' (sub b ib) (sub b' ib') (st (proj1 (round eq_refl)) b b' ib ib' ltac:(lia))) as [two|two];
            apply on_grid in two as two'; auto; destruct u; cbn; lia.
        + destruct h as [-> [-> sh]], h' as [-> [-> _]]. rewrite by_, by_'.
          assert (most : shareable p b b' <= share_of m n).
          { unfold share_of. rewrite sh, o'. destruct (sum_shares (shares_of p l b) (key b')) as [nonneg most].
            destruct (Z_le_gt_dec (shareable p b b') 0) as [?|some]; [lia|]. apply most. apply in_flat_map. exists b'.
            split; [exact ib'|]. replace (_ && _) with true by lia. left. reflexivity. }
          pose proof (overlap_shareable p y b b' (item_below b b' (sub b ib) (sub b' ib') (co b b' ib ib' ltac:(lia)))) as two.
          rewrite <- (x_key b (sub b ib)), <- (x_key b' (sub b' ib')) in two. destruct u; cbn; lia.
    Qed.
  End Group.

  (* ---------------------------------------------------------------- nodes *)

  Lemma node_is_ok a : In a (items p) -> node_ok p claim x d (key a) (node_of p g made (edge_table pairs) a).
  Proof.
    intros ia. unfold node_of. set (table := edge_table pairs). set (index := map_of other _ _).
    assert (index_ok : forall k e, M.find k index = Some e -> edge_ok claim x d (key a) e /\ other e = k).
    { apply map_of_ok. intros e i. split; [exact (table_ok _ _ i)|reflexivity]. }
    split; [exact (item_may a ia)|]. split; [intros e i; exact (table_ok _ _ i)|]. cbn [groups]. intros h i.
    apply filter_In, proj1, in_app_iff in i. destruct i as [i|i].
    - destruct (is_listed made a) eqn:listed; [|destruct i]. apply in_map_iff in i. destruct i as [c [<- i]].
      apply filter_In in i. destruct i as [i s]. apply (group_is_ok c i a ia index index_ok true). intros _. split; [exact s|].
      apply existsb_exists in listed. destruct listed as [e [ie h]]. apply in_flat_map in ie. destruct ie as [c' [i' ie]].
      apply Z.eqb_eq in h. unfold key. rewrite <- h. exact (proj2 grid_ok c' e i' ie).
    - apply in_map_iff in i. destruct i as [c [<- i]]. apply (group_is_ok c i a ia index index_ok false). discriminate.
  Qed.

  Lemma root_ok : outcome_ok claim x d (root p claim).
  Proof.
    assert (each : forall up b, In b (items p) -> place p claim up b (if up then 0 else size b) <= dist claim x up (key b)).
    { intros up b i. apply (place_le p claim x x_bounds); [exact (item_may b i)|]. pose proof (item_end b i).
      pose proof (x_bounds (key b)). destruct up; cbn; lia. }
    unfold root. destruct (existsb _ _) eqn:h.
    - apply existsb_exists in h. destruct h as [b [i h]]. apply Z.leb_le in h. pose proof (each true b i).
      pose proof (each false b i). cbn in *. lia.
    - split; [split|split; intros t []]; [|intros q b; cbn; rewrite M.gempty; discriminate]. intros up k. unfold room, get.
      cbn [lows tops]. destruct (M.find k _) as [z|] eqn:e; [|pose proof (x_bounds k); destruct up; cbn; lia].
      revert k z e. destruct up; apply map_of_ok; [exact (each true)|exact (each false)].
  Qed.

  Lemma not_refuted clauses : is_refuted p claim cliques clauses = true -> False.
  Proof.
    unfold is_refuted. generalize depth as n. intros n h. apply andb_true_iff in h. destruct h as [_ h]. fold made g pairs in h.
    set (nodes := map_of _ _ _) in h.
    assert (nodes_ok : forall k n, M.find k nodes = Some n -> node_ok p claim x d k n).
    { apply map_of_ok. exact node_is_ok. }
    assert (none : clauses_ok d (M.empty _)) by (intros s c; unfold with_statement, get; rewrite M.gempty; intros []).
    refine (refute_sound p claim pairs nodes n x d x_bounds pairs_are_ok nodes_ok _ _ _ none _ h).
    exact (drive_ok p claim pairs nodes _ x d x_bounds pairs_are_ok nodes_ok none n _ root_ok).
  Qed.
End Sound.

Theorem is_refuted_least p claim cliques clauses : NoDup (map number (buffers p)) -> is_refuted p claim cliques clauses = true ->
  least p claim.
Proof.
  intros distinct h y v. destruct (reaches_or p y claim) as [?|[pos ends]]; [assumption|]. exfalso.
  refine (not_refuted p claim y pos distinct v ends cliques _ clauses h). apply forallb_forall.
  unfold is_refuted in h. rewrite !andb_true_iff in h. apply h.
Qed.
