(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What follows from statements that a buffer lies below another, for the reason [pairs]. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
From Neap Require Import problem bytes load place lowest.
Import ListNotations.
Open Scope Z_scope.

Module M := PositiveMap.

(** Of two buffers that conflict, by their keys: the distance of the offsets if [first] lies below, and if it does not.
    Which of the two holds in a layout is a choice, since overlap allowances can permit both at once. *)
Record pair := { first : positive; second : positive; rise : Z; fall : Z }.
(** A pair, by its number, and whether [first] lies below. *)
Definition statement := (positive * bool)%type.
Definition opposite (s : statement) : statement := (fst s, negb (snd s)).

(** A pair from the side of one buffer: [(on, side)] says that it lies below [other], at least [over] bytes lower; or else it
    is at least [under] bytes higher. *)
Record edge := { other : positive; on : positive; side : bool; over : Z; under : Z }.

(** Buffers of a clique that conflict with one buffer: what each takes at least below that one, what above the end of it, and
    the most bytes that it can share with others, each pair counted once. *)
Record member := { link : edge; bytes : Z; takes_below : Z; takes_above : Z; shares : list (positive * Z) }.
(** The buffer itself takes [own] bytes. *)
Record group := { own : Z; members : list member }.

Record node := { self : buffer; edges : list edge; groups : list group }.

(** The lowest and the highest offset that each buffer can still have, and the statements that are true.  The highest is the
    claim less 1 and the distance to the top. *)
Record state := { lows : M.t Z; highs : M.t Z; truth : M.t bool }.
(** What is left to do: offsets that a buffer is at or above (true), or at or below; statements that are true; buffers whose
    pairs may have become certain. *)
Record agenda := { raised : list (bool * positive * Z); made : list statement; near : M.t unit }.
Inductive outcome := Impossible | Quiet (s : state) | Going (s : state) (a : agenda).

(** The highest offset up to y that window, fixed offset and alignment allow. *)
Definition highest_from (b : buffer) (y : Z) : Z :=
  match fixed b with
  | Some f => if f <=? y then f else -1
  | None =>
      let y := match high b with Some h => Z.min y (h - size b) | None => y end in
      if 0 <? alignment b then y / alignment b * alignment b else y
  end.

(** Most buffers can be wherever their windows and alignments allow, which [highs] regard. *)
Definition is_scattered (p : problem) : bool :=
  match holes p with [] => existsb (fun b => match bank b with Some _ => true | None => false end) (buffers p) | _ => true end.

Section Propagate.
  Variable p : problem.
  Variable claim : Z.
  Variable scattered : bool.
  Variable pairs : M.t pair.
  Variable nodes : M.t node.
  Variable depth : nat.

  Definition low_of (s : state) (k : positive) : Z := match M.find k (lows s) with Some y => y | None => 0 end.
  Definition high_of (s : state) (k : positive) : Z := match M.find k (highs s) with Some y => y | None => claim end.
  Definition is_stated (truth : M.t bool) (q : positive) (b : bool) : bool :=
    match M.find q truth with Some t => eqb t b | None => false end.

  (* ---------------------------------------------------------------- stacks *)

  Definition share_of (l : list (positive * Z)) (k : positive) : Z :=
    sum (fun e => if Pos.eqb (fst e) k then snd e else 0) l.
  Definition least_taken (takes : member -> Z) (those : list member) (m : member) : Z :=
    match shares m with
    | [] => takes m
    | l => takes m - Z.min (takes m) (sum (fun n => share_of l (other (link n))) those)
    end.
  Definition stack_of (takes : member -> Z) (those : list member) : Z := sum (least_taken takes those) those.

  Definition lowest_low (s : state) (those : list member) : Z :=
    fold_right (fun m y => Z.min (low_of s (other (link m))) y) claim those.
  Definition lies_below (t : M.t bool) (m : member) : bool := is_stated t (on (link m)) (negb (side (link m))).
  Definition lies_above (t : M.t bool) (m : member) : bool := is_stated t (on (link m)) (side (link m)).

  (** What a group says of the lowest and the highest offset of its buffer. *)
  Definition group_low (s : state) (g : group) : Z :=
    match filter (lies_below (truth s)) (members g) with
    | (_ :: _ :: _) as those => lowest_low s those + stack_of takes_below those
    | _ => 0
    end.
  Definition group_high (s : state) (g : group) : Z :=
    match filter (lies_above (truth s)) (members g) with
    | (_ :: _ :: _) as those => claim - 1 - own g - stack_of takes_above those
    | _ => claim
    end.

  (* ---------------------------------------------------------------- steps *)

  Definition raise_low (s : state) (a : agenda) (k : positive) (from : Z) : outcome :=
    match M.find k nodes with
    | None => Going s a
    | Some n =>
        let from := fold_left (fun y g => Z.max y (group_low s g)) (groups n) from in
        if from <=? low_of s k then Going s a
        else
          let y := lowest p (self n) from in
          if high_of s k <? y then Impossible
          else
            Going {| lows := M.add k y (lows s); highs := highs s; truth := truth s |}
                  {| raised := fold_left (fun l e => if is_stated (truth s) (on e) (side e) then (true, other e, y + over e) :: l else l)
                                 (edges n) (raised a);
                     made := made a; near := M.add k tt (near a) |}
    end.

  Definition raise_high (s : state) (a : agenda) (k : positive) (from : Z) : outcome :=
    match M.find k nodes with
    | None => Going s a
    | Some n =>
        let from := fold_left (fun y g => Z.min y (group_high s g)) (groups n) from in
        if high_of s k <=? from then Going s a
        else
          let y := highest_from (self n) from in
          if y <? low_of s k then Impossible
          else
            Going {| lows := lows s; highs := M.add k y (highs s); truth := truth s |}
                  {| raised := fold_left (fun l e => if is_stated (truth s) (on e) (negb (side e)) then (false, other e, y - under e) :: l else l)
                                 (edges n) (raised a);
                     made := made a; near := M.add k tt (near a) |}
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
  (** The statements that are the last ones of their clauses; None if a clause has none left. *)
  Fixpoint last_left (t : M.t bool) (clauses : list (list statement)) (found : list statement) : option (list statement) :=
    match clauses with
    | [] => Some found
    | c :: clauses => match left t c [] with [] => None | [s] => last_left t clauses (s :: found) | _ => last_left t clauses found end
    end.

  (** The clauses that have a statement. *)
  Definition key_of (s : statement) : positive := if snd s then xI (fst s) else xO (fst s).
  Definition clauses_with (users : M.t (list (list statement))) (s : statement) : list (list statement) :=
    match M.find (key_of s) users with Some l => l | None => [] end.

  Variable users : M.t (list (list statement)).

  Definition make (s : state) (a : agenda) (st : statement) : outcome :=
    let '(q, b) := st in
    match M.find q (truth s), M.find q pairs with
    | Some t, _ => if eqb t b then Going s a else Impossible
    | None, None => Going s a
    | None, Some r =>
        let t := M.add q b (truth s) in
        match last_left t (clauses_with users (opposite st)) (made a) with
        | None => Impossible
        | Some made =>
            let '(lower, upper, apart) := if b then (first r, second r, rise r) else (second r, first r, fall r) in
            Going {| lows := lows s; highs := highs s; truth := t |}
                  {| raised := (true, upper, low_of s lower + apart) :: (false, lower, high_of s upper - apart) :: raised a;
                     made := made; near := M.add lower tt (M.add upper tt (near a)) |}
        end
    end.

  (** Whether a buffer cannot be at y or above. *)
  Definition is_too_far (s : state) (k : positive) (y : Z) : bool :=
    high_of s k <? (if scattered then match M.find k nodes with Some n => lowest p (self n) y | None => y end else y).
  (** The statements about a buffer that are true because the opposites are not possible. *)
  Definition certain (s : state) (found : list statement) (k : positive) : list statement :=
    match M.find k nodes with
    | None => found
    | Some n =>
        fold_left (fun found e =>
          match M.find (on e) (truth s) with
          | Some _ => found
          | None =>
              if is_too_far s (other e) (low_of s k + over e) then (on e, negb (side e)) :: found
              else if is_too_far s k (low_of s (other e) + under e) then (on e, side e) :: found
              else found
          end) (edges n) found
    end.

  Definition step (s : state) (a : agenda) : outcome :=
    match raised a, made a with
    | (true, k, y) :: rest, _ => raise_low s {| raised := rest; made := made a; near := near a |} k y
    | (false, k, y) :: rest, _ => raise_high s {| raised := rest; made := made a; near := near a |} k y
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

  (** A layout below the claim, and a choice of direction for each pair. *)
  Variable x : positive -> Z.
  Variable d : positive -> bool.

  Definition holds (s : statement) : Prop := d (fst s) = snd s.
  Definition pair_ok (q : positive) (r : pair) : Prop :=
    (d q = true -> x (first r) + rise r <= x (second r)) /\ (d q = false -> x (second r) + fall r <= x (first r)).
  Definition edge_ok (k : positive) (e : edge) : Prop :=
    (d (on e) = side e -> x k + over e <= x (other e)) /\ (d (on e) = negb (side e) -> x (other e) + under e <= x k) /\
    0 <= over e /\ 0 <= under e.
  Definition member_ok (k : positive) (g : group) (m : member) : Prop :=
    edge_ok k (link m) /\ 0 <= takes_below m /\ 0 <= takes_above m /\ x (other (link m)) + bytes m <= claim - 1 /\
    (d (on (link m)) = negb (side (link m)) -> x (other (link m)) + takes_below m <= x k) /\
    (d (on (link m)) = side (link m) -> x k + own g <= claim - 1 /\
      (takes_above m = 0 \/ x k + own g + takes_above m <= x (other (link m)) + bytes m)).
  (** Two intervals share so many bytes at most. *)
  Definition share_ok (m n : member) : Prop :=
    let y := x (other (link m)) in let z := x (other (link n)) in
    let most := share_of (shares m) (other (link n)) in
    0 <= most /\ Z.min (y + takes_below m) (z + takes_below n) - Z.max y z <= most /\
    Z.min (y + bytes m) (z + bytes n) - Z.max (y + bytes m - takes_above m) (z + bytes n - takes_above n) <= most.
  Definition number_of (m : member) : Z := Zpos (other (link m)).
  Definition group_ok (k : positive) (g : group) : Prop :=
    NoDup (map number_of (members g)) /\ (forall m, In m (members g) -> member_ok k g m) /\
    (forall m n, In m (members g) -> In n (members g) -> (other (link m) < other (link n))%positive -> share_ok m n) /\
    (forall m n, In m (members g) -> 0 <= share_of (shares m) (other (link n))).
  Definition node_ok (k : positive) (n : node) : Prop :=
    may_be_at p (self n) (x k) /\ (forall e, In e (edges n) -> edge_ok k e) /\ (forall g, In g (groups n) -> group_ok k g).

  Hypothesis bounds : forall k, 0 <= x k <= claim - 1.
  Hypothesis pairs_ok : forall q r, M.find q pairs = Some r -> pair_ok q r.
  Hypothesis nodes_ok : forall k n, M.find k nodes = Some n -> node_ok k n.

  Definition clause_ok (c : list statement) : Prop := exists s, In s c /\ holds s.
  Definition users_ok (users : M.t (list (list statement))) : Prop := forall s c, In c (clauses_with users s) -> clause_ok c.
  Hypothesis all_users_ok : users_ok users.

  Definition sat (s : state) : Prop :=
    (forall k y, M.find k (lows s) = Some y -> y <= x k) /\ (forall k y, M.find k (highs s) = Some y -> x k <= y) /\
    (forall q b, M.find q (truth s) = Some b -> d q = b).
  Definition raised_ok (t : bool * positive * Z) : Prop :=
    let '(is_low, k, y) := t in if is_low : bool then y <= x k else x k <= y.
  Definition agenda_ok (a : agenda) : Prop := (forall t, In t (raised a) -> raised_ok t) /\ (forall s, In s (made a) -> holds s).
  Definition outcome_ok (o : outcome) : Prop :=
    match o with Impossible => False | Quiet s => sat s | Going s a => sat s /\ agenda_ok a end.

  Lemma low_le s k : sat s -> low_of s k <= x k.
  Proof. intros [h _]. unfold low_of. destruct (M.find k (lows s)) eqn:e; [exact (h k z e)|apply bounds]. Qed.
  Lemma high_ge s k : sat s -> x k <= high_of s k.
  Proof. intros [_ [h _]]. unfold high_of. destruct (M.find k (highs s)) eqn:e; [exact (h k z e)|]. pose proof (bounds k). lia. Qed.
  Lemma stated_true s q b : sat s -> is_stated (truth s) q b = true -> d q = b.
  Proof.
    intros [_ [_ h]]. unfold is_stated. destruct (M.find q (truth s)) as [t|] eqn:e; [|discriminate].
    intros f. apply eqb_prop in f. rewrite <- f. exact (h q t e).
  Qed.

  Lemma add_ok {A} (P : positive -> A -> Prop) m k a : (forall i b, M.find i m = Some b -> P i b) -> P k a ->
    forall i b, M.find i (M.add k a m) = Some b -> P i b.
  Proof.
    intros h ok i b. destruct (Pos.eq_dec i k) as [->|ne].
    - rewrite M.gss. intros [= <-]. exact ok.
    - rewrite M.gso by exact ne. apply h.
  Qed.

  (** The intervals lie in [from, to). *)
  Lemma stack_fits takes (lo : member -> Z) those from to : NoDup (map number_of those) -> from <= to ->
    (forall m, In m those -> 0 <= takes m /\ from <= lo m /\ lo m + takes m <= to) ->
    (forall m n, In m those -> In n those -> 0 <= share_of (shares m) (other (link n))) ->
    (forall m n, In m those -> In n those -> (other (link m) < other (link n))%positive ->
       Z.min (lo m + takes m) (lo n + takes n) - Z.max (lo m) (lo n) <= share_of (shares m) (other (link n))) ->
    from + stack_of takes those <= to.
  Proof.
    intros distinct le inside pos two.
    pose (enters := fun m n : member => Pos.ltb (other (link m)) (other (link n))).
    assert (one_enters : forall m n, number_of m <> number_of n -> enters m n = true \/ enters n m = true).
    { intros m n ne. unfold enters, number_of in *. rewrite !Pos.ltb_lt. lia. }
    pose proof (load number_of (fun m => lo m - from) takes those distinct ltac:(intros m i; destruct (inside m i); lia) enters one_enters
      (fun m n => share_of (shares m) (other (link n)))
      ltac:(intros m n i j _ e; apply Pos.ltb_lt in e; pose proof (pos m n i j); pose proof (two m n i j e); lia)
      (to - from) ltac:(intros m i; destruct (inside m i); lia) ltac:(lia)) as h.
    enough (stack_of takes those <= sum takes those - sum (let_in_at_most number_of takes those enters (fun m n => share_of (shares m) (other (link n)))) those) by lia.
    unfold stack_of. enough (sum (fun m => least_taken takes those m + let_in_at_most number_of takes those enters (fun m n => share_of (shares m) (other (link n))) m) those <= sum takes those) as e.
    { rewrite sum_plus in e. lia. }
    apply sum_le. intros m i. unfold least_taken, let_in_at_most. pose proof (pos m) as posm. destruct (inside m i) as [nonneg _].
    set (a := sum (fun n => if negb (number_of m =? number_of n) && enters m n then share_of (shares m) (other (link n)) else 0) those).
    assert (h1 : a <= sum (fun n => share_of (shares m) (other (link n))) those).
    { apply sum_le. intros n j. specialize (posm n i j). destruct (_ && _); lia. }
    assert (h2 : 0 <= a) by (apply sum_nonneg; intros n j; specialize (posm n i j); destruct (_ && _); lia).
    destruct (shares m) as [|s l] eqn:e; [|lia].
    assert (sum (fun n => share_of [] (other (link n))) those = 0) by (clear; induction those; cbn in *; lia). lia.
  Qed.

  Lemma lowest_low_le s those m : In m those -> lowest_low s those <= low_of s (other (link m)).
  Proof. unfold lowest_low. induction those as [|n l ih]; [intros []|]. cbn [fold_right]. intros [->|i]; [lia|]. specialize (ih i). lia. Qed.

  Lemma group_low_le s k g : sat s -> group_ok k g -> group_low s g <= x k.
  Proof.
    intros ok [distinct [each [two nonneg]]]. unfold group_low. pose proof (bounds k) as b.
    destruct (filter (lies_below (truth s)) (members g)) as [|m [|n l]] eqn:f; try lia. set (those := m :: n :: l) in *.
    assert (sub : forall i, In i those -> In i (members g) /\ d (on (link i)) = negb (side (link i))).
    { intros i ii. rewrite <- f in ii. apply filter_In in ii. destruct ii as [ii st]. split; [exact ii|]. exact (stated_true s _ _ ok st). }
    assert (from : forall i, In i those -> lowest_low s those <= x (other (link i))).
    { intros i ii. pose proof (lowest_low_le s those i ii). pose proof (low_le s (other (link i)) ok). lia. }
    apply (stack_fits takes_below (fun i => x (other (link i)))).
    - rewrite <- f. apply NoDup_map_filter, distinct.
    - destruct (sub m (or_introl eq_refl)) as [im dm]. destruct (each m im) as [_ [pos [_ [_ [h _]]]]].
      specialize (h dm). specialize (from m (or_introl eq_refl)). lia.
    - intros i ii. destruct (sub i ii) as [im dm]. destruct (each i im) as [_ [pos [_ [_ [h _]]]]]. specialize (h dm). auto.
    - intros i j ii ij. apply nonneg, (sub i ii).
    - intros i j ii ij lt. apply (two i j (proj1 (sub i ii)) (proj1 (sub j ij)) lt).
  Qed.

  Lemma group_high_ge s k g : sat s -> group_ok k g -> x k <= group_high s g.
  Proof.
    intros ok [distinct [each [two nonneg]]]. unfold group_high. pose proof (bounds k) as b.
    destruct (filter (lies_above (truth s)) (members g)) as [|m [|n l]] eqn:f; try lia. set (those := m :: n :: l) in *.
    assert (sub : forall i, In i those -> In i (members g) /\ d (on (link i)) = side (link i)).
    { intros i ii. rewrite <- f in ii. apply filter_In in ii. destruct ii as [ii st]. split; [exact ii|]. exact (stated_true s _ _ ok st). }
    enough (x k + own g + stack_of takes_above those <= claim - 1) by lia.
    apply (stack_fits takes_above (fun i => Z.max (x k + own g) (x (other (link i)) + bytes i - takes_above i))).
    - rewrite <- f. apply NoDup_map_filter, distinct.
    - destruct (sub m (or_introl eq_refl)) as [im dm]. destruct (each m im) as [_ [_ [pos [end_ [_ h]]]]]. specialize (h dm). lia.
    - intros i ii. destruct (sub i ii) as [im dm]. destruct (each i im) as [_ [_ [pos [end_ [_ h]]]]]. specialize (h dm). lia.
    - intros i j ii ij. apply nonneg, (sub i ii).
    - intros i j ii ij lt. destruct (sub i ii) as [im di], (sub j ij) as [jm dj]. destruct (two i j im jm lt) as [zero [_ h]].
      destruct (each i im) as [_ [_ [_ [_ [_ hi]]]]]. destruct (each j jm) as [_ [_ [_ [_ [_ hj]]]]]. specialize (hi di). specialize (hj dj). lia.
  Qed.

  Lemma fold_ok {A B} (P : A -> Prop) (f : A -> B -> A) l : (forall a b, In b l -> P a -> P (f a b)) -> forall a, P a -> P (fold_left f l a).
  Proof.
    induction l as [|b l ih]; intros h a ok; [exact ok|]. cbn [fold_left]. apply ih; [intros c e i; apply h; right; exact i|].
    apply h; [left; reflexivity|exact ok].
  Qed.

  Lemma highest_from_ge b y z : may_be_at p b y -> 0 <= y <= z -> y <= highest_from b z.
  Proof.
    intros [_ [[q e] [fix_ [end_ _]]]] le. unfold highest_from. destruct (fixed b) as [f|].
    - rewrite <- (fix_ f eq_refl) in *. destruct (y <=? z) eqn:h; [lia|]. apply Z.leb_gt in h. lia.
    - set (w := match high b with Some h => Z.min z (h - size b) | None => z end).
      assert (h : y <= w) by (subst w; destruct (high b) as [h|]; [specialize (end_ h eq_refl)|]; lia).
      destruct (0 <? alignment b) eqn:pos; [|exact h]. apply Z.ltb_lt in pos. rewrite e in *.
      apply Z.mul_le_mono_nonneg_r; [lia|]. apply Z.div_le_lower_bound; lia.
  Qed.

  Lemma raise_low_ok s a k y : sat s -> agenda_ok a -> y <= x k -> outcome_ok (raise_low s a k y).
  Proof.
    intros ok [tasks statements] le. unfold raise_low. destruct (M.find k nodes) as [n|] eqn:e; [|split; [|split]; assumption].
    destruct (nodes_ok k n e) as [may [edges_ groups_]]. set (from := fold_left _ (groups n) y).
    assert (from_le : from <= x k).
    { apply (fold_ok (fun y => y <= x k)); [|exact le]. intros z g i h. pose proof (group_low_le s k g ok (groups_ g i)). lia. }
    destruct (from <=? _); [split; [|split]; assumption|]. pose proof (lowest_le p (self n) (x k) may from from_le) as low_.
    destruct (high_of s k <? _) eqn:h; [apply Z.ltb_lt in h; pose proof (high_ge s k ok); cbn; lia|]. clear h.
    destruct ok as [oklow [okhigh oktruth]]. split; [split; [|split; assumption]|split; [|exact statements]].
    - cbn. apply (add_ok (fun k y => y <= x k)); assumption.
    - cbn. apply (fold_ok (fun l => forall t, In t l -> raised_ok t)); [|exact tasks]. intros l f i h. destruct (is_stated _ _ _) eqn:st; [|exact h].
      intros t [<-|j]; [|exact (h t j)]. cbn. apply (stated_true s) in st; [|split; [|split]; assumption].
      destruct (edges_ f i) as [up_ _]. specialize (up_ st). lia.
  Qed.

  Lemma raise_high_ok s a k y : sat s -> agenda_ok a -> x k <= y -> outcome_ok (raise_high s a k y).
  Proof.
    intros ok [tasks statements] le. unfold raise_high. destruct (M.find k nodes) as [n|] eqn:e; [|split; [|split]; assumption].
    destruct (nodes_ok k n e) as [may [edges_ groups_]]. set (from := fold_left _ (groups n) y).
    assert (from_ge : x k <= from).
    { apply (fold_ok (fun y => x k <= y)); [|exact le]. intros z g i h. pose proof (group_high_ge s k g ok (groups_ g i)). lia. }
    destruct (_ <=? from); [split; [|split]; assumption|].
    pose proof (highest_from_ge (self n) (x k) from may ltac:(pose proof (bounds k); lia)) as high_.
    destruct (_ <? low_of s k) eqn:h; [apply Z.ltb_lt in h; pose proof (low_le s k ok); cbn; lia|]. clear h.
    destruct ok as [oklow [okhigh oktruth]]. split; [split; [exact oklow|split; [|exact oktruth]]|split; [|exact statements]].
    - cbn. apply (add_ok (fun k y => x k <= y)); assumption.
    - cbn. apply (fold_ok (fun l => forall t, In t l -> raised_ok t)); [|exact tasks]. intros l f i h. destruct (is_stated _ _ _) eqn:st; [|exact h].
      intros t [<-|j]; [|exact (h t j)]. cbn. apply (stated_true s) in st; [|split; [|split]; assumption].
      destruct (edges_ f i) as [_ [down _]]. specialize (down st). lia.
  Qed.

  (** What is left of a clause holds the statement that is true. *)
  Lemma left_ok t clause : (forall q b, M.find q t = Some b -> d q = b) -> forall found, (exists s, In s (clause ++ found) /\ holds s) ->
    exists s, In s (left t clause found) /\ (holds s \/ exists r l, left t clause found = s :: r :: l).
  Proof.
    intros oktruth. induction clause as [|c clause ih]; intros found [s [i h]]; cbn [left app] in *; [eauto|].
    destruct (M.find (fst c) t) as [b|] eqn:e.
    - apply oktruth in e. destruct (eqb b (snd c)) eqn:f.
      + apply eqb_prop in f. exists c. split; [left; reflexivity|]. left. unfold holds. congruence.
      + apply ih. exists s. split; [|exact h]. destruct i as [->|i]; [|exact i]. unfold holds in h. rewrite <- e, h, eqb_reflx in f. discriminate.
    - destruct found as [|r found].
      + apply ih. exists s. split; [|exact h]. rewrite app_nil_r in i. rewrite in_app_iff. cbn. destruct i; tauto.
      + exists c. split; [left; reflexivity|]. right. eauto.
  Qed.

  Lemma last_left_ok t clauses : (forall q b, M.find q t = Some b -> d q = b) -> (forall c, In c clauses -> clause_ok c) ->
    forall found, (forall s, In s found -> holds s) ->
    match last_left t clauses found with None => False | Some l => forall s, In s l -> holds s end.
  Proof.
    intros oktruth. induction clauses as [|c clauses ih]; intros each found h; [exact h|]. cbn [last_left].
    assert (rest : forall c, In c clauses -> clause_ok c) by (intros e i; apply each; right; exact i).
    destruct (each c (or_introl eq_refl)) as [s [i hs]].
    destruct (left_ok t c oktruth [] ltac:(exists s; rewrite app_nil_r; auto)) as [r [j hr]].
    destruct (left t c []) as [|u [|v l]]; [destruct j| |apply ih; assumption]. apply ih; [exact rest|].
    intros w [<-|k]; [|exact (h w k)]. destruct j as [->|[]]. destruct hr as [hr|[? [? hr]]]; [exact hr|discriminate].
  Qed.

  Lemma make_ok s a st : sat s -> agenda_ok a -> holds st -> outcome_ok (make s a st).
  Proof.
    intros ok [tasks statements] h. destruct st as [q b]. unfold make. unfold holds in h. cbn [fst snd] in h. pose proof ok as [oklow [okhigh oktruth]].
    destruct (M.find q (truth s)) as [t|] eqn:e.
    - apply oktruth in e. replace (eqb t b) with true; [split; [|split]; assumption|]. rewrite <- e, h. symmetry. apply eqb_reflx.
    - destruct (M.find q pairs) as [r|] eqn:f; [|split; [|split]; assumption]. destruct (pairs_ok q r f) as [up_ down].
      assert (oktruth' : forall r c, M.find r (M.add q b (truth s)) = Some c -> d r = c) by (apply (add_ok (fun q b => d q = b)); assumption).
      pose proof (last_left_ok (M.add q b (truth s)) (clauses_with users (opposite (q, b))) oktruth' ltac:(intros c; apply all_users_ok) (made a) statements) as l.
      destruct (last_left _ _ _) as [m|]; [|exact l]. destruct b; (split; [split; [|split]; assumption|]; split; [|exact l]); cbn;
        intros t [<-|[<-|i]]; try (exact (tasks t i)); cbn.
      + pose proof (low_le s (first r) ok). specialize (up_ h). lia.
      + pose proof (high_ge s (second r) ok). specialize (up_ h). lia.
      + pose proof (low_le s (second r) ok). specialize (down h). lia.
      + pose proof (high_ge s (first r) ok). specialize (down h). lia.
  Qed.

  Lemma too_far s k y : sat s -> is_too_far s k y = true -> x k < y.
  Proof.
    intros ok h. unfold is_too_far in h. apply Z.ltb_lt in h. pose proof (high_ge s k ok) as b. destruct (Z_le_gt_dec y (x k)) as [le|gt]; [|lia].
    destruct scattered; [|lia]. destruct (M.find k nodes) as [n|] eqn:e; [|lia].
    pose proof (lowest_le p (self n) (x k) (proj1 (nodes_ok k n e)) y le). lia.
  Qed.

  Lemma certain_ok s found k : sat s -> (forall t, In t found -> holds t) -> forall t, In t (certain s found k) -> holds t.
  Proof.
    intros ok h. unfold certain. destruct (M.find k nodes) as [n|] eqn:e; [|exact h]. destruct (nodes_ok k n e) as [_ [edges_ _]].
    apply (fold_ok (fun l => forall t, In t l -> holds t)); [|exact h]. clear h found. intros found f i h. destruct (edges_ f i) as [up_ [down _]].
    pose proof (low_le s k ok). pose proof (low_le s (other f) ok).
    destruct (M.find (on f) (truth s)); [exact h|]. destruct (is_too_far s (other f) _) eqn:far; [|destruct (is_too_far s k _) eqn:far'; [|exact h]].
    - apply too_far in far; [|exact ok]. intros t [<-|j]; [|exact (h t j)]. unfold holds. cbn. destruct (d (on f)), (side f); try reflexivity; specialize (up_ eq_refl); lia.
    - apply too_far in far'; [|exact ok]. intros t [<-|j]; [|exact (h t j)]. unfold holds. cbn. destruct (d (on f)), (side f); try reflexivity; specialize (down eq_refl); lia.
  Qed.

  Lemma step_ok s a : sat s -> agenda_ok a -> outcome_ok (step s a).
  Proof.
    intros ok [tasks statements]. unfold step. destruct (raised a) as [|[[is_low k] y] rest].
    - destruct (made a) as [|st rest].
      + set (l := map fst (M.elements (near a))).
        assert (h : forall t, In t (fold_left (certain s) l []) -> holds t).
        { apply (fold_ok (fun l => forall t, In t l -> holds t)); [|intros t []]. intros found k _ h. exact (certain_ok s found k ok h). }
        destruct (fold_left (certain s) l []); [exact ok|]. split; [exact ok|]. split; [intros t []|exact h].
      + apply make_ok; [exact ok| |apply statements; left; reflexivity]. split; [intros t []|intros t i; apply statements; right; exact i].
    - assert (rest_ok : agenda_ok {| raised := rest; made := made a; near := near a |}) by (split; [intros t i; apply tasks; right; exact i|exact statements]).
      pose proof (tasks _ (or_introl eq_refl)) as h. destruct is_low; [apply raise_low_ok|apply raise_high_ok]; assumption.
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
