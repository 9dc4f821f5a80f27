(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The part [order] with [set], [run] and [stop]: a list of sets that no order below the bound leaves. *)
From Coq Require Import NArith.
From Neap Require Import bytes graph moments cut flow check_order.

(** Bit k - 1 is operator k. *)
Definition bits := N.
Definition in_bits (s : bits) : ops := fun k => N.testbit s (Pos.pred_N k).
Definition with_operator (s : bits) (k : positive) : bits := N.setbit s (Pos.pred_N k).

Lemma in_add s k a : in_bits (with_operator s k) a = in_bits s a || Pos.eqb a k.
Proof.
  unfold in_bits, with_operator. rewrite N.setbit_eqb, orb_comm. f_equal.
  destruct (Pos.eqb_spec a k) as [->|ne]; [apply N.eqb_refl|]. apply N.eqb_neq. intros e. apply ne.
  rewrite !N.pos_pred_spec in e. lia.
Qed.

(** Each possible operator leads on; a chain is run; or no order goes on, because the cut of an operator is too large. *)
Inductive way_on := All | Chain (chain : list positive) | Stop (c : cut).
Definition entry := (bits * way_on)%type.

Section Check.
  Variable g : graph.
  Variable bound : Z.
  (** The sets of the list. *)
  Variable listed : bits -> bool.

  Definition is_ready (s : bits) (k : positive) : bool :=
    negb (in_bits s k) && forallb (fun p => if Pos.eqb (fst p) k then in_bits s (snd p) else true) (needs g).
  Definition is_possible (s : bits) (k : positive) : bool := is_ready s k && (moment g (in_bits s) k <? bound).

  (** The set after a chain, or None if it cannot run; [from]: what was alive at first; [last]: the operator before. *)
  Fixpoint follow (from : Z) (last : option positive) (s : bits) (chain : list positive) : option bits :=
    match chain with
    | [] => if live g (in_bits s) <=? from then Some s else None
    | k :: chain =>
        if is_operator g k && is_possible s k &&
           match last with
           | None => true
           | Some j => existsb (fun p => Pos.eqb (fst p) k && Pos.eqb (snd p) j) (needs g) && (from <=? live g (in_bits s))
           end
        then follow from (Some k) (with_operator s k) chain else None
    end.

  Definition waits_for (s : bits) (k : positive) : list pair :=
    map (fun a => (k, a)) (filter (in_bits s) (operators g)).

  Definition is_entry (e : entry) : bool :=
    let s := fst e in
    existsb (fun a => negb (in_bits s a)) (operators g) &&
    match snd e with
    | All => forallb (fun k => if is_possible s k then listed (with_operator s k) else true) (operators g)
    | Chain [] => false
    | Chain chain => match follow (live g (in_bits s)) None s chain with Some s => listed s | None => false end
    | Stop c => negb (in_bits s (cut_at c)) && reaches_bound g (waits_for s (cut_at c) ++ needs g) bound c
    end.
End Check.

Section Sound.
  Variable g : graph.
  Variable bound : Z.
  Hypothesis sound : is_sound g = true.
  Variable entries : list entry.
  Variable listed : bits -> bool.
  Hypothesis listed_in : forall s, listed s = true -> exists w, In (s, w) entries.
  Hypothesis fine : forall e, In e entries -> is_entry g bound listed e = true.

  Notation leads_on := (leads_on g bound).

  Lemma leads_on_ext p q : (forall a, In a (operators g) -> p a = q a) -> leads_on p -> leads_on q.
  Proof.
    intros e [o [b f]]. exists o. split; [exact b|]. intros a c ia ic qa qc. apply f; auto; rewrite e; auto.
  Qed.

  Lemma is_ready_true s k : is_ready g s k = true <->
    in_bits s k = false /\ forall j, In (k, j) (needs g) -> in_bits s j = true.
  Proof.
    unfold is_ready. rewrite andb_true_iff, negb_true_iff, forallb_forall. split; intros [n h]; (split; [exact n|]).
    - intros j i. specialize (h _ i). cbn in h. rewrite Pos.eqb_refl in h. exact h.
    - intros [a b] i. cbn. destruct (Pos.eqb_spec a k) as [->|]; auto.
  Qed.

  (** The next operator of an order that begins with a set. *)
  Lemma next o s : is_below g bound o -> begins_with g o (in_bits s) ->
    (exists a, In a (operators g) /\ in_bits s a = false) ->
    exists k, In k (operators g) /\ is_possible g bound s k = true /\ begins_with g o (in_bits (with_operator s k)).
  Proof.
    intros below first [a [ia na]].
    destruct (least_of o (filter (fun b => negb (in_bits s b)) (operators g))) as [k [ik least]].
    { intros e. apply (in_nil (a := a)). rewrite <- e, filter_In, na. auto. }
    apply filter_In in ik. destruct ik as [ik nk]. apply negb_true_iff in nk.
    assert (later : forall b, In b (operators g) -> in_bits s b = false -> o k <= o b).
    { intros b ib nb. apply least. rewrite filter_In, nb. auto. }
    destruct (proj1 below) as [different kept].
    assert (same : forall b, In b (operators g) -> ran_before o k b = in_bits s b).
    { intros b ib. unfold ran_before. pose proof (first b k ib ik). pose proof (later b ib). destruct (in_bits s b); lia. }
    exists k. split; [exact ik|]. split.
    - unfold is_possible. apply andb_true_iff. split.
      + apply is_ready_true. split; [exact nk|]. intros j i. destruct (sound_need g sound k j i) as [_ ij].
        destruct (in_bits s j) eqn:z; [reflexivity|]. specialize (later j ij z). specialize (kept k j i). lia.
      + apply Z.ltb_lt. rewrite <- (moment_ext g sound (ran_before o k) (in_bits s) k same).
        rewrite <- (alive_at_moment g sound o k different ik). apply (proj2 below), ik.
    - intros b c ib ic. rewrite !in_add. pose proof (first b c ib ic). pose proof (later c ic). pose proof (different c k ic ik).
      destruct (Pos.eqb_spec b k) as [->|]; lia.
  Qed.

  Lemma in_fold l : forall s a, in_bits (fold_left with_operator l s) a = with_those (in_bits s) l a.
  Proof.
    unfold with_those. induction l as [|k l ih]; cbn; intros s a; [rewrite orb_false_r; reflexivity|]. rewrite ih, in_add.
    fold (is_in a l). destruct (in_bits s a), (Pos.eqb a k), (is_in a l); reflexivity.
  Qed.

  Lemma follow_some chain : forall from last s s', follow g bound from last s chain = Some s' ->
    s' = fold_left with_operator chain s /\ live g (in_bits s') <= from /\
    forall done k rest, chain = done ++ k :: rest -> let t := fold_left with_operator done s in
      In k (operators g) /\ is_possible g bound t k = true /\
      match last_of last done with Some j => In (k, j) (needs g) /\ from <= live g (in_bits t) | None => True end.
  Proof.
    induction chain as [|k chain ih]; intros from last s s'; cbn [follow].
    - destruct (_ <=? from) eqn:z; [|discriminate]. intros [= <-]. split; [reflexivity|]. split; [lia|].
      intros [|? ?]; discriminate.
    - destruct (_ && _) eqn:ok; [|discriminate]. intros f. rewrite !andb_true_iff in ok. destruct ok as [[op poss] link].
      destruct (ih _ _ _ _ f) as [same [frees turn]]. split; [exact same|]. split; [exact frees|].
      intros [|b done] i rest [= <- e]; [|exact (turn done i rest e)]. split; [apply is_in_true, op|]. split; [exact poss|].
      destruct last as [j|]; [|exact I]. apply andb_true_iff in link. destruct link as [link le]. split; [|apply Z.leb_le, le].
      apply existsb_exists in link. destruct link as [[a c] [ia h]]. cbn in h. rewrite andb_true_iff, !Pos.eqb_eq in h.
      destruct h as [-> ->]. exact ia.
  Qed.

  Lemma chain_on s chain s' : chain <> [] -> follow g bound (live g (in_bits s)) None s chain = Some s' ->
    leads_on (in_bits s) -> leads_on (in_bits s').
  Proof.
    intros some f on. destruct (follow_some chain _ None s s' f) as [-> [frees turn]].
    apply (leads_on_ext (after (in_bits s) chain)); [intros a _; symmetry; apply in_fold|]. apply chain_leads_on; auto.
    - intros done k rest e. destruct (turn done k rest e) as [op [poss link]]. unfold is_possible in poss.
      apply andb_true_iff in poss. destruct poss as [ready low]. apply is_ready_true in ready. destruct ready as [nk ready].
      rewrite <- (live_ext g sound _ _ (fun a _ => in_fold done s a)), <- (moment_ext g sound _ _ k (fun a _ => in_fold done s a)).
      rewrite <- in_fold. repeat split; auto; [|lia]. intros j i. rewrite <- in_fold. auto.
    - unfold after. rewrite <- (live_ext g sound _ _ (fun a _ => in_fold chain s a)). exact frees.
  Qed.

  Definition left_of (s : bits) : nat := Z.to_nat (sum (fun a => one (negb (in_bits s a))) (operators g)).

  Lemma fewer_left s chain k : In k (operators g) -> is_possible g bound s k = true -> In k chain ->
    (left_of (fold_left with_operator chain s) < left_of s)%nat.
  Proof.
    intros ik poss ck%is_in_true. unfold is_possible, is_ready in poss. unfold left_of.
    pose (more := fun a => one (negb (in_bits s a) && is_in a chain)).
    pose (rest := fun a => one (negb (in_bits (fold_left with_operator chain s) a))).
    fold rest. rewrite (sum_ext (fun a => one (negb (in_bits s a))) (fun a => rest a + more a)), sum_plus.
    - assert (1 <= sum more (operators g)).
      { transitivity (more k); [unfold more; rewrite ck; destruct (in_bits s k); [discriminate|reflexivity]|].
        apply sum_in; [intros; apply one_nonneg|exact ik]. }
      enough (0 <= sum rest (operators g)) by lia. apply sum_nonneg. intros. apply one_nonneg.
    - intros a _. unfold rest, more. rewrite in_fold. unfold with_those. destruct (in_bits s a), (is_in a chain); reflexivity.
  Qed.

  Theorem no_way_on : forall n s, (left_of s < n)%nat -> listed s = true -> ~ leads_on (in_bits s).
  Proof.
    induction n as [|n ih]; intros s len here on; [lia|]. destruct (listed_in s here) as [w i]. specialize (fine _ i).
    unfold is_entry in fine. cbn [fst snd] in fine. apply andb_true_iff in fine. destruct fine as [more ok].
    apply existsb_exists in more. destruct more as [a [ia na]]. apply negb_true_iff in na. destruct w as [|chain|c].
    - destruct on as [o [below first]]. destruct (next o s below first) as [k [ik [poss on]]]; [exists a; auto|].
      rewrite forallb_forall in ok. specialize (ok k ik). rewrite poss in ok.
      apply (ih (with_operator s k)); [|exact ok|exists o; auto].
      pose proof (fewer_left s [k] k ik poss (in_eq k _)). cbn in *. lia.
    - destruct chain as [|k chain]; [discriminate|]. destruct (follow _ _ _ _ _ _) as [s'|] eqn:f; [|discriminate].
      pose proof (chain_on s (k :: chain) s' ltac:(discriminate) f on) as on'.
      apply (ih s'); [|exact ok|exact on'].
      destruct (follow_some _ _ None s s' f) as [-> [_ turn]]. destruct (turn [] k chain eq_refl) as [ik [poss _]].
      pose proof (fewer_left s (k :: chain) k ik poss (in_eq k _)). lia.
    - apply andb_true_iff in ok. destruct ok as [nk ok]. apply negb_true_iff in nk. destruct on as [o [below first]].
      destruct (proj1 below) as [different kept].
      destruct (reaches_bound_true g o bound (fun v i => proj1 (sound_value g sound v i)) (waits_for g s (cut_at c) ++ needs g) c)
        as [k [ik high]].
      + intros b j h. apply in_app_or in h. destruct h as [h|h]; [|auto]. unfold waits_for in h. apply in_map_iff in h.
        destruct h as [d [[= <- <-] h]]. apply filter_In in h. destruct h as [id sd]. apply first; auto.
        unfold reaches_bound in ok. apply andb_true_iff in ok. destruct ok as [op _]. apply is_in_true, op.
      + exact ok.
      + pose proof (proj2 below k ik). lia.
  Qed.
End Sound.

(* ---------------------------------------------------------------- the list *)

Definition key (s : bits) : positive := N.succ_pos s.
Definition index_of (entries : list entry) : set := fold_left (fun m e => M.add (key (fst e)) tt m) entries (M.empty unit).

Lemma index_of_in entries s : has (key s) (index_of entries) = true -> exists w, In (s, w) entries.
Proof.
  unfold index_of. apply (fold_ok (fun m => has (key s) m = true -> exists w, In (s, w) entries)).
  - intros m [r w] i h e. apply has_add in e. destruct e as [e|e]; [|auto]. exists w. replace s with r; [exact i|].
    unfold key in e. apply (f_equal N.pos) in e. rewrite !N.succ_pos_spec in e. cbn in e. lia.
  - rewrite has_empty. discriminate.
Qed.

(** Every order begins with the operators [lead], in some order: the last of them needs the others, and all others need it. *)
Definition is_lead_list (g : graph) (lead : list positive) : bool :=
  let s := fold_left with_operator lead 0%N in
  match lead with
  | [] => true
  | k :: _ =>
      let k := last lead k in
      let past := past_of (needs g) k in
      let rest := rest_of (needs g) k in
      is_operator g k &&
      forallb (fun a => if in_bits s a then has a past else has a rest && negb (Pos.eqb a k)) (operators g)
  end.

(** [order B N] with the first N operators. *)
Definition accepts_sets (g : graph) (bound : Z) (lead : list positive) (entries : list entry) : bool :=
  let index := index_of entries in
  let listed := fun s => has (key s) index in
  is_sound g && is_lead_list g lead && listed (fold_left with_operator lead 0%N) && forallb (is_entry g bound listed) entries.

Theorem accepts_sets_sound g bound lead entries : accepts_sets g bound lead entries = true -> least_order g bound.
Proof.
  unfold accepts_sets. rewrite !andb_true_iff, forallb_forall. intros [[[sound first] start] fine] o poss.
  destruct (one_or_none (fun k => bound <=? alive_at g o k) (operators g)) as [[k [i h]]|none].
  { exists k. split; [exact i|]. apply Z.leb_le, h. }
  exfalso. set (s := fold_left with_operator lead 0%N) in *.
  apply (no_way_on g bound sound entries _ (index_of_in entries) fine (S (left_of g s)) s (le_n _) start).
  exists o. split; [split; [exact poss|intros k i; specialize (none k i); lia]|].
  destruct poss as [different kept]. unfold is_lead_list in first. fold s in first. destruct lead as [|k lead]; [discriminate|].
  set (z := last (k :: lead) k) in *. apply andb_true_iff in first. destruct first as [op all]. apply is_in_true in op.
  rewrite forallb_forall in all. intros a b ia ib sa sb. pose proof (all a ia) as ha. pose proof (all b ib) as hb.
  rewrite sa in ha. rewrite sb in hb. apply andb_true_iff in hb. destruct hb as [hb ne]. apply negb_true_iff, Pos.eqb_neq in ne.
  apply (past_before o (needs g) kept) in ha. apply (rest_after o (needs g) kept) in hb.
  assert (o b <> o z) by (intros e; apply ne, different; assumption). lia.
Qed.
