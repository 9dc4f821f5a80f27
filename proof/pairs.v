(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What follows from statements that a buffer lies below another, for the reason [pairs]. *)
From Neap Require Import problem bytes load place grid lowest.

(** Two buffers that conflict, by their keys: the distance of their offsets if [first] lies below, and if [second] does. *)
Record pair := { first : positive; second : positive; rise : Z; fall : Z }.
(** A pair, by its number, and whether [first] lies below. *)
Definition statement := (positive * bool)%type.
Definition opposite (s : statement) : statement := (fst s, negb (snd s)).

(** A pair from the side of one buffer: by the statement [(on, side)] it lies below [other], at least [over] bytes lower, by
    the opposite at least [under] bytes higher. *)
Record edge := { other : positive; on : positive; side : bool; over : Z; under : Z }.

(** Buffers of a clique that conflict with one buffer, of [own] bytes: what each takes at least below that one, what above
    its end, and the most bytes that it can share with others of them, each two counted once. *)
Record member := { link : edge; bytes : Z; takes_below : Z; takes_above : Z; shares : list (positive * Z) }.
Record group := { own : Z; members : list member }.
Record node := { self : buffer; edges : list edge; groups : list group }.

(** How far from the bottom, and from the top, each offset is at least; the statements that are true. *)
Record state := { lows : M.t Z; tops : M.t Z; truth : M.t bool }.
(** What is left to do: new lows (true) and tops, statements that are true, and buffers that can make others certain. *)
Record agenda := { raised : list (bool * positive * Z); made : list statement; near : M.t unit }.
Inductive outcome := Impossible | Quiet (s : state) | Going (s : state) (a : agenda).

(** The highest offset up to y that window, fixed offset and alignment allow. *)
Definition highest (b : buffer) (y : Z) : Z :=
  match fixed b with
  | Some f => if f <=? y then f else -1
  | None =>
      let y := match high b with Some h => Z.min y (h - size b) | None => y end in
      if 0 <? alignment b then y / alignment b * alignment b else y
  end.

(** Of the layouts, [up] is the distance from the bottom, and else that from the top: what one distance is at least, follows
    in the same way from either end. *)
Section Propagate.
  Variable p : problem.
  Variable claim : Z.
  Variable pairs : M.t pair.
  Variable nodes : M.t node.
  Variable depth : nat.

  Definition room (s : state) (up : bool) (k : positive) : Z := get 0 (if up then lows s else tops s) k.
  Definition with_room (s : state) (up : bool) (k : positive) (y : Z) : state :=
    {| lows := if up then M.add k y (lows s) else lows s; tops := if up then tops s else M.add k y (tops s); truth := truth s |}.
  Definition place (up : bool) (b : buffer) (y : Z) : Z := if up then lowest p b y else claim - 1 - highest b (claim - 1 - y).

  (** The statement by which the buffer is nearer to the end that counts than the other. *)
  Definition nearer (up : bool) (e : edge) : bool := eqb up (side e).
  Definition apart_by (up : bool) (e : edge) : Z := if up then over e else under e.
  Definition is_stated (s : state) (up : bool) (e : edge) : bool :=
    match M.find (on e) (truth s) with Some t => eqb t (nearer up e) | None => false end.

  (* ---------------------------------------------------------------- stacks *)

  Definition takes (up : bool) (m : member) : Z := if up then takes_below m else takes_above m.
  Definition base (up : bool) (m : member) (y : Z) : Z := if up then y else y - bytes m.
  Definition share_of (m n : member) : Z :=
    sum (fun e => if Pos.eqb (fst e) (other (link n)) then Z.max 0 (snd e) else 0) (shares m).
  Definition least_taken (up : bool) (those : list member) (m : member) : Z :=
    takes up m - match shares m with [] => 0 | _ => Z.min (takes up m) (sum (share_of m) those) end.

  (** What a group says of the distance of its buffer. *)
  Definition group_room (s : state) (up : bool) (g : group) : Z :=
    match filter (fun m => (0 <? takes up m) && is_stated s (negb up) (link m)) (members g) with
    | (m :: _ :: _) as those =>
        let bases := map (fun n => base up n (room s up (other (link n)))) those in
        fold_right Z.min (hd 0 bases) bases + sum (least_taken up those) those + if up then 0 else own g
    | _ => 0
    end.

  (* ---------------------------------------------------------------- steps *)

  Definition lift (s : state) (a : agenda) (up : bool) (k : positive) (from : Z) : outcome :=
    match M.find k nodes with
    | None => Going s a
    | Some n =>
        let from := fold_left (fun y g => Z.max y (group_room s up g)) (groups n) from in
        if from <=? room s up k then Going s a
        else
          let y := place up (self n) from in
          let next l e := if is_stated s up e then (up, other e, y + apart_by up e) :: l else l in
          if claim <=? y + room s (negb up) k then Impossible
          else Going (with_room s up k y)
                 {| raised := fold_left next (edges n) (raised a); made := made a; near := M.add k tt (near a) |}
    end.

  (** The statements of a clause that are not false, or two of them; one that is true is enough. *)
  Fixpoint left (t : M.t bool) (clause found : list statement) : list statement :=
    match clause with
    | [] => found
    | s :: clause =>
        match M.find (fst s) t with
        | Some b => if eqb b (snd s) then [s] else left t clause found
        | None => match found with [] => left t clause [s] | _ => s :: found end
        end
    end.
  (** The last statements of clauses that have only one left; None if a clause has none. *)
  Fixpoint last_left (t : M.t bool) (clauses : list (list statement)) (found : list statement) : option (list statement) :=
    match clauses with
    | [] => Some found
    | c :: clauses =>
        match left t c [] with [] => None | [s] => last_left t clauses (s :: found) | _ => last_left t clauses found end
    end.

  (** The clauses that have a statement. *)
  Definition clauses := M.t (list (list statement)).
  Definition key_of (s : statement) : positive := if snd s then xI (fst s) else xO (fst s).
  Definition with_statement (users : clauses) (s : statement) : list (list statement) := get [] users (key_of s).

  Variable users : clauses.

  Definition make (s : state) (a : agenda) (st : statement) : outcome :=
    let '(q, b) := st in
    match M.find q (truth s), M.find q pairs with
    | Some t, _ => if eqb t b then Going s a else Impossible
    | None, None => Going s a
    | None, Some r =>
        let t := M.add q b (truth s) in
        match last_left t (with_statement users (opposite st)) (made a) with
        | None => Impossible
        | Some made =>
            let '(lower, upper, apart) := if b then (first r, second r, rise r) else (second r, first r, fall r) in
            let more := [(true, upper, room s true lower + apart); (false, lower, room s false upper + apart)] in
            Going {| lows := lows s; tops := tops s; truth := t |}
              {| raised := more ++ raised a; made := made; near := M.add lower tt (M.add upper tt (near a)) |}
        end
    end.

  (** Whether an offset of y or more would reach the claim. *)
  Definition is_too_far (s : state) (k : positive) (y : Z) : bool :=
    match M.find k nodes with Some n => claim <=? lowest p (self n) y + room s false k | None => false end.
  (** The statements about a buffer that are true because their opposites are not possible. *)
  Definition certain (s : state) (found : list statement) (k : positive) : list statement :=
    let one found e :=
      match M.find (on e) (truth s) with
      | Some _ => found
      | None =>
          if is_too_far s (other e) (room s true k + over e) then (on e, negb (side e)) :: found
          else if is_too_far s k (room s true (other e) + under e) then (on e, side e) :: found else found
      end in
    match M.find k nodes with Some n => fold_left one (edges n) found | None => found end.

  Definition step (s : state) (a : agenda) : outcome :=
    match raised a, made a with
    | (up, k, y) :: rest, _ => lift s {| raised := rest; made := made a; near := near a |} up k y
    | [], st :: rest => make s {| raised := []; made := rest; near := near a |} st
    | [], [] =>
        match fold_left (certain s) (map fst (M.elements (near a))) [] with
        | [] => Quiet s
        | found => Going s {| raised := []; made := found; near := M.empty unit |}
        end
    end.

  (** Up to 2^n steps. *)
  Fixpoint drive (n : nat) (o : outcome) : outcome :=
    match n with
    | O => match o with Going s a => step s a | _ => o end
    | S n => match drive n o with Going s a => drive n (Going s a) | o => o end
    end.
  Definition follow (s : state) (made : list statement) : outcome :=
    drive depth (Going s {| raised := []; made := made; near := M.empty unit |}).

  (* ---------------------------------------------------------------- why they are right *)

  (** A layout below the claim, and for each pair one direction that it has: with overlap allowances, it may have both. *)
  Variable x : positive -> Z.
  Variable d : positive -> bool.

  Definition dist (up : bool) (k : positive) : Z := if up then x k else claim - 1 - x k.
  Definition holds (s : statement) : Prop := d (fst s) = snd s.
  Definition pair_ok (q : positive) (r : pair) : Prop :=
    (d q = true -> x (first r) + rise r <= x (second r)) /\ (d q = false -> x (second r) + fall r <= x (first r)).
  Definition edge_ok (k : positive) (e : edge) : Prop :=
    0 <= over e /\ 0 <= under e /\ forall up, d (on e) = nearer up e -> dist up k + apart_by up e <= dist up (other e).

  (** Where the bytes begin that a member takes. *)
  Definition begin (up : bool) (m : member) : Z := base up m (dist up (other (link m))).
  Definition member_ok (k : positive) (g : group) (up : bool) (m : member) : Prop := 0 < takes up m ->
    d (on (link m)) = nearer (negb up) (link m) -> begin up m + takes up m <= dist up k - if up then 0 else own g.
  (** Two members share so many bytes at most. *)
  Definition share_ok (up : bool) (m n : member) : Prop :=
    Z.min (begin up m + takes up m) (begin up n + takes up n) - Z.max (begin up m) (begin up n) <= share_of m n.
  Definition number_of (m : member) : Z := Zpos (other (link m)).
  Definition group_ok (k : positive) (g : group) : Prop :=
    NoDup (map number_of (members g)) /\
    (forall m, In m (members g) -> (forall n, 0 <= share_of m n) /\ forall up, member_ok k g up m) /\
    (forall m n up, In m (members g) -> In n (members g) -> number_of m < number_of n -> share_ok up m n).
  Definition node_ok (k : positive) (n : node) : Prop :=
    may_be_at p (self n) (x k) /\ (forall e, In e (edges n) -> edge_ok k e) /\ (forall g, In g (groups n) -> group_ok k g).

  Hypothesis bounds : forall k, 0 <= x k <= claim - 1.
  Hypothesis pairs_ok : forall q r, M.find q pairs = Some r -> pair_ok q r.
  Hypothesis nodes_ok : forall k n, M.find k nodes = Some n -> node_ok k n.

  Definition clause_ok (c : list statement) : Prop := exists s, In s c /\ holds s.
  Definition clauses_ok (users : clauses) : Prop := forall s c, In c (with_statement users s) -> clause_ok c.
  Hypothesis users_ok : clauses_ok users.

  Definition truth_ok (t : M.t bool) : Prop := forall q b, M.find q t = Some b -> d q = b.
  Definition sat (s : state) : Prop := (forall up k, room s up k <= dist up k) /\ truth_ok (truth s).
  Definition raised_ok (t : bool * positive * Z) : Prop := let '(up, k, y) := t in y <= dist up k.
  Definition agenda_ok (a : agenda) : Prop := (forall t, In t (raised a) -> raised_ok t) /\ (forall s, In s (made a) -> holds s).
  Definition outcome_ok (o : outcome) : Prop :=
    match o with Impossible => False | Quiet s => sat s | Going s a => sat s /\ agenda_ok a end.

  Lemma dists k : dist true k + dist false k = claim - 1 /\ 0 <= dist true k /\ 0 <= dist false k.
  Proof. pose proof (bounds k). cbn. lia. Qed.

  Lemma with_room_ok s up k y : sat s -> y <= dist up k -> sat (with_room s up k y).
  Proof.
    intros [ok t] le. split; [|exact t]. intros u i. specialize (ok u i). unfold room, with_room in *.
    destruct u, up; cbn in *; try exact ok; rewrite get_add; destruct (Pos.eqb_spec i k) as [->|]; assumption.
  Qed.

  Lemma stated s up e : sat s -> is_stated s up e = true -> d (on e) = nearer up e.
  Proof.
    intros [_ t] h. unfold is_stated in h. destruct (M.find (on e) (truth s)) as [b|] eqn:f; [|discriminate].
    rewrite (t _ _ f). apply eqb_prop, h.
  Qed.

  Lemma highest_ge b y z : may_be_at p b y -> 0 <= y <= z -> y <= highest b z.
  Proof.
    intros [_ [[q e] [fix_ [end_ _]]]] le. unfold highest. destruct (fixed b) as [f|].
    - rewrite <- (fix_ f eq_refl) in *. destruct (y <=? z) eqn:h; [lia|]. apply Z.leb_gt in h. lia.
    - set (w := match high b with Some h => Z.min z (h - size b) | None => z end).
      assert (h : y <= w) by (subst w; destruct (high b) as [h|]; [specialize (end_ h eq_refl)|]; lia).
      destruct (0 <? alignment b) eqn:pos; [|exact h]. apply Z.ltb_lt in pos. rewrite e in *.
      apply Z.mul_le_mono_nonneg_r; [lia|]. apply Z.div_le_lower_bound; lia.
  Qed.

  Lemma place_le up b k y : may_be_at p b (x k) -> y <= dist up k -> place up b y <= dist up k.
  Proof.
    intros may le. pose proof (bounds k). unfold place, dist in *. destruct up; [apply lowest_le; assumption|].
    pose proof (highest_ge b (x k) (claim - 1 - y) may). lia.
  Qed.

  (** What members of a clique take lies between their lowest beginning and [to]. *)
  Lemma stack_fits up those from to : those <> [] -> NoDup (map number_of those) ->
    (forall m, In m those -> 0 < takes up m /\ from <= begin up m /\ begin up m + takes up m <= to /\
      forall n, 0 <= share_of m n) ->
    (forall m n, In m those -> In n those -> number_of m < number_of n -> share_ok up m n) ->
    from + sum (least_taken up those) those <= to.
  Proof.
    intros some distinct each two. pose (enters := fun m n : member => number_of m <? number_of n).
    assert (le : from <= to) by (destruct those as [|m l]; [congruence|]; pose proof (each m (or_introl eq_refl)); lia).
    set (lost := let_in_at_most number_of (takes up) those enters share_of).
    assert (h : sum (takes up) those - sum lost those <= to - from).
    { apply (load number_of (fun m => begin up m - from) (takes up) those distinct).
      - intros m i. pose proof (each m i). lia.
      - intros m n ne. unfold enters. rewrite !Z.ltb_lt. lia.
      - intros m n i j _ e. apply Z.ltb_lt in e. pose proof (two m n i j e) as h. unfold share_ok in h.
        split; [apply (each m i)|lia].
      - intros m i. pose proof (each m i). lia.
      - lia. }
    enough (sum (fun m => least_taken up those m + lost m) those <= sum (takes up) those) by (rewrite sum_plus in *; lia).
    apply sum_le. intros m i. unfold least_taken, lost, let_in_at_most. destruct (each m i) as [pos [_ [_ nonneg]]].
    set (a := sum (fun n => if negb (number_of m =? number_of n) && enters m n then share_of m n else 0) those).
    assert (a <= sum (share_of m) those) by (apply sum_le; intros n _; specialize (nonneg n); destruct (_ && _); lia).
    destruct (shares m) eqn:e; [|lia]. enough (sum (share_of m) those = 0) by lia.
    unfold share_of. rewrite e. clear. induction those; cbn in *; lia.
  Qed.

  Lemma group_room_le s up k g : sat s -> group_ok k g -> group_room s up g <= dist up k.
  Proof.
    intros ok [distinct [each two]]. unfold group_room. pose proof (dists k) as b.
    assert (zero : 0 <= dist up k) by (destruct up; lia). destruct (filter _ _) as [|m [|n l]] eqn:f; [exact zero|exact zero|].
    set (those := m :: n :: l) in *. set (from := fold_right _ _ _).
    assert (sub : forall i, In i those -> In i (members g) /\ 0 < takes up i /\ d (on (link i)) = nearer (negb up) (link i)).
    { intros i ii. rewrite <- f in ii. apply filter_In in ii. destruct ii as [ii st]. apply andb_true_iff in st.
      rewrite Z.ltb_lt in st. split; [exact ii|]. split; [apply st|]. apply (stated s), st. exact ok. }
    enough (from + sum (least_taken up those) those <= dist up k - if up then 0 else own g) by lia.
    apply stack_fits.
    - discriminate.
    - rewrite <- f. apply NoDup_map_filter, distinct.
    - intros i ii. destruct (sub i ii) as [im [pos st]]. destruct (each i im) as [nonneg mem]. split; [exact pos|].
      split; [|split; [|exact nonneg]].
      + transitivity (base up i (room s up (other (link i)))).
        * subst from. clear - ii. generalize (hd 0 (map (fun n => base up n (room s up (other (link n)))) those)) as z. intros z.
          clearbody those. induction those as [|j rest ih]; [destruct ii|]. cbn [map fold_right]. destruct ii as [->|ii]; [lia|].
          specialize (ih ii). lia.
        * unfold begin, base. pose proof (proj1 ok up (other (link i))). destruct up; lia.
      + exact (mem up pos st).
    - intros i j ii jj. apply two; apply sub; assumption.
  Qed.

  Lemma lift_ok s a up k y : sat s -> agenda_ok a -> y <= dist up k -> outcome_ok (lift s a up k y).
  Proof.
    intros ok todo le. unfold lift. destruct (M.find k nodes) as [n|] eqn:e; [|split; assumption].
    destruct (nodes_ok k n e) as [may [edges_ groups_]]. set (from := fold_left _ (groups n) y).
    assert (from_le : from <= dist up k).
    { apply (fold_ok (fun y => y <= dist up k)); [|exact le]. intros z g i h.
      pose proof (group_room_le s up k g ok (groups_ g i)). lia. }
    destruct (from <=? _); [split; assumption|]. pose proof (place_le up (self n) k from may from_le) as h.
    destruct (claim <=? _) eqn:far.
    - apply Z.leb_le in far. pose proof (proj1 ok (negb up) k). pose proof (dists k). cbn. destruct up; cbn in *; lia.
    - split; [apply with_room_ok; assumption|]. split; [|apply todo]. cbn [raised].
      apply (fold_ok (fun l => forall t, In t l -> raised_ok t)); [|apply todo]. intros l f i rest.
      destruct (is_stated s up f) eqn:st; [|exact rest]. intros t [<-|j]; [|exact (rest t j)]. cbn.
      apply (stated s) in st; [|exact ok]. destruct (edges_ f i) as [_ [_ at_least]]. specialize (at_least up st). lia.
  Qed.

  (** What is left of a clause has a statement that is true, or more than one. *)
  Lemma left_ok t clause : truth_ok t -> forall found, (exists s, In s (clause ++ found) /\ holds s) ->
    match left t clause found with [] => False | [s] => holds s | _ => True end.
  Proof.
    intros oktruth. induction clause as [|c clause ih]; intros found [s [i h]]; cbn [left app] in *.
    - destruct found as [|r [|? ?]]; [destruct i|destruct i as [->|[]]; exact h|exact I].
    - destruct (M.find (fst c) t) as [b|] eqn:e; [apply oktruth in e; destruct (eqb b (snd c)) eqn:f|destruct found as [|r found]].
      + unfold holds. apply eqb_prop in f. congruence.
      + apply ih. exists s. split; [|exact h]. destruct i as [->|i]; [|exact i]. unfold holds in h.
        rewrite <- e, h, eqb_reflx in f. discriminate.
      + apply ih. exists s. split; [|exact h]. rewrite app_nil_r in i. rewrite in_app_iff. cbn. destruct i; tauto.
      + exact I.
  Qed.

  Lemma last_left_ok t clauses : truth_ok t -> (forall c, In c clauses -> clause_ok c) ->
    forall found, (forall s, In s found -> holds s) ->
    match last_left t clauses found with None => False | Some l => forall s, In s l -> holds s end.
  Proof.
    intros oktruth. induction clauses as [|c clauses ih]; intros each found h; [exact h|]. cbn [last_left].
    pose proof (left_ok t c oktruth [] ltac:(rewrite app_nil_r; apply each; left; reflexivity)) as l.
    assert (rest : forall c, In c clauses -> clause_ok c) by (intros e i; apply each; right; exact i).
    destruct (left t c []) as [|s [|? ?]]; [exact l| |apply ih; assumption]. apply ih; [exact rest|]. intros w [<-|k]; auto.
  Qed.

  Lemma make_ok s a st : sat s -> agenda_ok a -> holds st -> outcome_ok (make s a st).
  Proof.
    intros ok todo h. destruct st as [q b]. unfold make, holds in *. cbn [fst snd] in h. pose proof ok as [rooms oktruth].
    destruct (M.find q (truth s)) as [t|] eqn:e.
    - apply oktruth in e. replace (eqb t b) with true; [split; assumption|]. rewrite <- e, h. symmetry. apply eqb_reflx.
    - destruct (M.find q pairs) as [r|] eqn:f; [|split; assumption]. destruct (pairs_ok q r f) as [up_ down].
      assert (t : truth_ok (M.add q b (truth s))) by (unfold truth_ok; apply (find_add (fun q b => d q = b)); assumption).
      pose proof (last_left_ok _ (with_statement users (opposite (q, b))) t (users_ok _) (made a) (proj2 todo)) as l.
      destruct (last_left _ _ _) as [m|]; [|exact l].
      destruct b; (split; [split; assumption|]; split; [|exact l]); cbn; intros u [<-|[<-|i]]; try (exact (proj1 todo u i)).
      all: cbn; pose proof (rooms true (first r)); pose proof (rooms true (second r));
        pose proof (rooms false (first r)); pose proof (rooms false (second r)); cbn in *; intuition lia.
  Qed.

  Lemma too_far s k y : sat s -> is_too_far s k y = true -> x k < y.
  Proof.
    intros [rooms _] h. unfold is_too_far in h. destruct (M.find k nodes) as [n|] eqn:e; [|discriminate]. apply Z.leb_le in h.
    destruct (Z_le_gt_dec y (x k)) as [le|gt]; [|lia]. pose proof (lowest_le p (self n) (x k) (proj1 (nodes_ok k n e)) y le).
    pose proof (rooms false k). cbn in *. lia.
  Qed.

  Lemma certain_ok s found k : sat s -> (forall t, In t found -> holds t) -> forall t, In t (certain s found k) -> holds t.
  Proof.
    intros ok h. unfold certain. destruct (M.find k nodes) as [n|] eqn:e; [|exact h]. destruct (nodes_ok k n e) as [_ [edges_ _]].
    apply (fold_ok (fun l => forall t, In t l -> holds t)); [|exact h]. clear h found. intros found f i h.
    destruct (edges_ f i) as [_ [_ least]]. pose proof (least true) as up_. pose proof (least false) as down. unfold nearer in *.
    pose proof (proj1 ok true k) as r. pose proof (proj1 ok true (other f)) as r'. cbn in up_, down, r, r'.
    destruct (M.find (on f) (truth s)); [exact h|].
    destruct (is_too_far s (other f) _) eqn:far; [|destruct (is_too_far s k _) eqn:far'; [|exact h]];
      [apply too_far in far|apply too_far in far']; try exact ok; (intros t [<-|j]; [|exact (h t j)]); unfold holds; cbn;
      destruct (d (on f)), (side f); try reflexivity; try specialize (up_ eq_refl); try specialize (down eq_refl); lia.
  Qed.

  Lemma step_ok s a : sat s -> agenda_ok a -> outcome_ok (step s a).
  Proof.
    intros ok [tasks statements]. unfold step. destruct (raised a) as [|[[up k] y] rest]; [destruct (made a) as [|st rest]|].
    - pose proof (fold_ok (fun l => forall t, In t l -> holds t) (certain s) (map fst (M.elements (near a)))
        (fun found k _ h => certain_ok s found k ok h) [] ltac:(intros t [])) as h.
      destruct (fold_left _ _ _); [exact ok|]. split; [exact ok|]. split; [intros t []|exact h].
    - apply make_ok; [exact ok| |apply statements; left; reflexivity].
      split; [intros t []|intros t i; apply statements; right; exact i].
    - apply lift_ok; [exact ok| |exact (tasks _ (or_introl eq_refl))].
      split; [intros t i; apply tasks; right; exact i|exact statements].
  Qed.

  Lemma drive_ok n : forall o, outcome_ok o -> outcome_ok (drive n o).
  Proof.
    induction n as [|n ih]; intros o ok; cbn [drive].
    - destruct o as [|s|s a]; [exact ok|exact ok|]. apply step_ok; apply ok.
    - specialize (ih o ok) as h. destruct (drive n o) as [|s|s a]; [exact h|exact h|]. apply ih, h.
  Qed.

  Theorem follow_ok s made : sat s -> (forall t, In t made -> holds t) -> outcome_ok (follow s made).
  Proof. intros ok h. apply drive_ok. split; [exact ok|]. split; [intros t []|exact h]. Qed.
End Propagate.
