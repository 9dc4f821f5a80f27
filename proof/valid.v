(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Whether a layout keeps all constraints. *)
From Neap Require Import problem bytes load place tree.

(** The numbers of each body: of buffers that are colocated. *)
Definition join (bodies : list (list Z)) (pair : Z * Z * Z) : list (list Z) :=
  let '(i, j, _) := pair in
  let meets body := has i body || has j body in
  (i :: j :: concat (filter meets bodies)) :: filter (fun body => negb (meets body)) bodies.
Definition bodies_of (p : problem) : list (list Z) := fold_left join (colocations p) [].

Definition suits_together (p : problem) (x : layout) (bodies : list (list Z)) (a b : buffer) : bool :=
  let i := number a in
  let j := number b in
  is_apart p x a b || (i =? j) || is_named i j (exclusions p) || existsb (fun body => has i body && has j body) bodies.

(** Whether all buffers of two numbers pass a test. *)
Definition with_number (n : Z) (p : problem) : list buffer := filter (fun b => number b =? n) (buffers p).
Definition is_passed (p : problem) (test : buffer -> buffer -> bool) (pair : Z * Z) : bool :=
  forallb (fun a => forallb (test a) (with_number (snd pair) p)) (with_number (fst pair) p).

Definition is_separated (p : problem) (x : layout) (a b : buffer) : bool :=
  (size a <=? 0) || (size b <=? 0) || is_apart p x a b.
Definition is_colocated (x : layout) (d : Z) (a b : buffer) : bool := x (number b) =? x (number a) + d.
Definition is_bank_separated (x : layout) (d : Z) (a b : buffer) : bool :=
  let ends b := (x (number b) + size b - 1) / d in
  (0 <? d) && ((size a <=? 0) || (size b <=? 0) || (ends a <? x (number b) / d) || (ends b <? x (number a) / d)).

Definition is_valid (p : problem) (x : layout) : bool :=
  forallb (fun b => is_own_place p b (x (number b))) (buffers p) &&
  forallb (is_passed p (is_separated p x)) (separations p) &&
  forallb (fun e => is_passed p (is_bank_separated x (snd e)) (fst e)) (bank_separations p) &&
  forallb (fun e => is_passed p (is_colocated x (snd e)) (fst e)) (colocations p) &&
  are_suited x (suits_together p x (bodies_of p)) (buffers p).

Definition has_room (choices : list (Z * Z)) (q : Z -> Z) (x : layout) (b : buffer) (k : pool) : bool :=
  (q (number b) =? index k) && existsb (fun c => (fst c =? number b) && (snd c =? index k)) choices &&
  (0 <? grain k) && (x (number b) mod grain k =? 0) && option_all (Z.leb (x (number b) + size b)) (capacity k).
Definition is_valid_in_pools (p : problem) (pools : list pool) (choices : list (Z * Z)) (q : Z -> Z) (x : layout) : bool :=
  forallb (fun b => existsb (has_room choices q x b) pools) (buffers p) &&
  forallb (fun c => q (fst (fst c)) =? q (snd (fst c))) (colocations p) &&
  forallb (fun k => is_valid (inside p q k) x) pools.

Lemma bodies_of_ok p body i j : In body (bodies_of p) -> has i body = true -> has j body = true -> colocated p i j.
Proof.
  pose proof (rst_trans Z) as trans_. pose proof (rst_sym Z) as sym.
  set (ok := fun bodies => forall body i j, In body bodies -> has i body = true -> has j body = true -> colocated p i j).
  enough (h : ok (bodies_of p)) by exact (h body i j). apply (fold_ok ok); [|intros ? ? ? []]. clear body i j.
  intros bodies [[i j] d] c each. assert (ij : colocated p i j) by (apply rst_step; eauto). cbn [join].
  set (meets := fun body => has i body || has j body).
  assert (to_i : forall m, has m (i :: j :: concat (filter meets bodies)) = true -> colocated p m i).
  { intros m h. apply existsb_exists in h. destruct h as [n [h ->%Z.eqb_eq]].
    destruct h as [<-|[<-|h]]; [apply rst_refl|apply sym, ij|]. apply in_concat in h. destruct h as [body [h im]].
    assert (m_ : has n body = true) by (apply existsb_exists; exists n; split; [exact im|apply Z.eqb_refl]).
    apply filter_In in h. destruct h as [h [o|o]%orb_true_iff]; [exact (each body n i h m_ o)|].
    eapply trans_; [exact (each body n j h m_ o)|apply sym, ij]. }
  intros body m n [<-|h] im in_; [eapply trans_; [|apply sym]; apply to_i; assumption|].
  apply filter_In in h. exact (each body m n (proj1 h) im in_).
Qed.

Lemma is_apart_sym p x a b : is_apart p x a b = is_apart p x b a.
Proof. unfold is_apart. apply orb_comm. Qed.

Lemma apart_suit p x bodies a b : end_of x a <= x (number b) \/ end_of x b <= x (number a) -> suits_together p x bodies a b = true.
Proof.
  unfold suits_together, is_apart, is_below, end_of. intros [->%Z.leb_le | ->%Z.leb_le]; rewrite ?orb_true_r; reflexivity.
Qed.

Lemma is_passed_true p test a b : In a (buffers p) -> In b (buffers p) -> is_passed p test (number a, number b) = true ->
  test a b = true.
Proof.
  intros ia ib s. unfold is_passed in s. rewrite forallb_forall in s. cbn [fst snd] in s.
  assert (own : forall c, In c (buffers p) -> In c (with_number (number c) p)) by (intros c i; apply filter_In; auto using Z.eqb_refl).
  specialize (s a (own a ia)). rewrite forallb_forall in s. exact (s b (own b ib)).
Qed.

Lemma uses_within x b d k : 0 < d -> uses x b d k -> 0 < size b /\ x (number b) / d <= k <= (x (number b) + size b - 1) / d.
Proof. intros pos [y [within_ <-]]. split; [lia|]. split; apply Z.div_le_mono; lia. Qed.

Theorem is_valid_true p x : is_valid p x = true -> valid p x.
Proof.
  unfold is_valid. rewrite !andb_true_iff, !forallb_forall. intros [[[[own separated] banks] together] suited].
  split; [|split; [|split]].
  - intros b h. apply is_own_place_true, own, h.
  - intros a b ia ib [different [pa [pb c]]]. apply is_apart_true.
    destruct c as [[c|c]|[[t [[la [ila wa]] [lb [ilb wb]]]] [not_excluded free]]].
    + specialize (separated _ c). apply is_passed_true in separated; auto. unfold is_separated in separated. lia.
    + specialize (separated _ c). apply is_passed_true in separated; auto. unfold is_separated in separated.
      rewrite is_apart_sym. lia.
    + assert (no : forall c e, number c = number a /\ number e = number b \/ number c = number b /\ number e = number a ->
                suits_together p x (bodies_of p) c e = true -> is_apart p x c e = true).
      { intros c e same s. unfold suits_together in s. rewrite !orb_true_iff, Z.eqb_eq, is_named_true, existsb_exists in s.
        destruct s as [[[s|s]|s]|[body [ib_ [h1 h2]%andb_true_iff]]]; [exact s|lia|exfalso; unfold named in *|exfalso].
        - destruct same as [[e1 e2]|[e1 e2]]; rewrite e1, e2 in s; tauto.
        - apply free. pose proof (rst_sym Z) as sym. destruct same as [[<- <-]|[<- <-]]; [|apply sym];
            exact (bodies_of_ok p body _ _ ib_ h1 h2). }
      destruct (are_suited_true _ _ (apart_suit p x _) _ suited a b la lb t ia ib ltac:(congruence) pa pb ila ilb wa wb) as [s|s];
        [|rewrite is_apart_sym]; apply no in s; auto.
  - intros a b d k ia ib i [ua ub]. specialize (banks _ i). apply is_passed_true in banks; auto.
    unfold is_bank_separated in banks. cbn in banks. apply andb_true_iff in banks. destruct banks as [pos h]. apply Z.ltb_lt in pos.
    apply uses_within in ua, ub; try exact pos. lia.
  - intros a b d ia ib i. specialize (together _ i). apply is_passed_true in together; auto. apply Z.eqb_eq, together.
Qed.

Theorem is_valid_in_pools_true p pools choices q x : is_valid_in_pools p pools choices q x = true ->
  valid_in_pools p pools choices q x.
Proof.
  unfold is_valid_in_pools. rewrite !andb_true_iff, !forallb_forall. intros [[rooms tied] valids]. split; [|split].
  - intros b h. specialize (rooms b h). apply existsb_exists in rooms. destruct rooms as [k [ik r]]. exists k. split; [exact ik|].
    unfold has_room in r. rewrite !andb_true_iff, !Z.eqb_eq, Z.ltb_lt, existsb_exists in r.
    destruct r as [[[[e [[i n] [ic c]]] pos] al] end_]. cbn in c. rewrite andb_true_iff, !Z.eqb_eq in c. destruct c as [-> ->].
    repeat split; [exact e|exact ic|apply Z.mod_divide; [lia|exact al]|intros m em; rewrite em in end_; apply Z.leb_le, end_].
  - intros i j c. induction c as [i j [d c]| | |]; [exact (proj1 (Z.eqb_eq _ _) (tied _ c))|reflexivity|congruence|congruence].
  - intros k ik. apply is_valid_true, valids, ik.
Qed.
