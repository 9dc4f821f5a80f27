(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What is alive after a set of operators, and while one more runs. *)
From Neap Require Import bytes graph.

(** Whether an operator is in a set. *)
Definition ops := positive -> bool.

Definition is_there (ran : ops) (v : value) : bool := match maker v with Some m => ran m | None => true end.
Definition is_wanted (ran : ops) (v : value) : bool := stays v || existsb (fun r => negb (ran r)) (readers v).
Definition is_live (ran : ops) (v : value) : bool := is_there ran v && is_wanted ran v.

(** While k runs after a set; [lead]: the set is empty. *)
Definition is_live_with (lead : bool) (ran : ops) (k : positive) (v : value) : bool :=
  (is_there ran v || is_made_by k v) &&
  (is_wanted ran v || is_made_by k v || match maker v, readers v with None, [] => lead | _, _ => false end).

Definition counted (f : value -> bool) (g : graph) : Z := sum (fun v => if f v then bytes_of v else 0) (values g).
Definition live (g : graph) (ran : ops) : Z := counted (is_live ran) g.
Definition is_lead (g : graph) (ran : ops) : bool := forallb (fun a => negb (ran a)) (operators g).
Definition moment (g : graph) (ran : ops) (k : positive) : Z := counted (is_live_with (is_lead g ran) ran k) g.

Definition is_in (k : positive) (l : list positive) : bool := existsb (Pos.eqb k) l.

Lemma is_in_true k l : is_in k l = true <-> In k l.
Proof.
  unfold is_in. rewrite existsb_exists. split; [intros [j [i ->%Pos.eqb_eq]]; exact i|]. exists k. auto using Pos.eqb_refl.
Qed.

Definition is_operator (g : graph) (k : positive) : bool := is_in k (operators g).

(** Values and needs name only operators, and no size is negative. *)
Definition is_sound_value (g : graph) (v : value) : bool :=
  (0 <=? bytes_of v) && match maker v with Some m => is_operator g m | None => true end && forallb (is_operator g) (readers v).
Definition is_sound (g : graph) : bool :=
  forallb (is_sound_value g) (values g) && forallb (fun p => is_operator g (fst p) && is_operator g (snd p)) (needs g).

Definition ran_before (o : order) (k : positive) : ops := fun a => o a <? o k.

Lemma existsb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> existsb f l = existsb h l.
Proof. induction l; cbn; intros e; f_equal; auto. Qed.

Lemma forallb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> forallb f l = forallb h l.
Proof. induction l; cbn; intros e; f_equal; auto. Qed.

Lemma counted_ext f h g : (forall v, In v (values g) -> f v = h v) -> counted f g = counted h g.
Proof. intros e. apply sum_ext. intros v i. rewrite (e v i). reflexivity. Qed.

Section Sound.
  Variable g : graph.
  Hypothesis sound : is_sound g = true.

  Lemma sound_value v : In v (values g) -> 0 <= bytes_of v /\ (forall m, maker v = Some m -> In m (operators g)) /\
    (forall r, In r (readers v) -> In r (operators g)).
  Proof.
    intros i. unfold is_sound in sound. apply andb_true_iff in sound. destruct sound as [s _]. rewrite forallb_forall in s.
    specialize (s v i). unfold is_sound_value in s. rewrite !andb_true_iff, Z.leb_le, forallb_forall in s.
    destruct s as [[s m] r]. split; [exact s|].
    split; [intros k e; rewrite e in m; apply is_in_true, m|intros k ir; apply is_in_true, r, ir].
  Qed.

  Lemma sound_need k j : In (k, j) (needs g) -> In k (operators g) /\ In j (operators g).
  Proof.
    intros i. unfold is_sound in sound. rewrite andb_true_iff, !forallb_forall in sound. destruct sound as [_ s].
    specialize (s _ i). apply andb_true_iff in s. destruct s. split; apply is_in_true; assumption.
  Qed.

  Lemma same_ext p q v : In v (values g) -> (forall a, In a (operators g) -> p a = q a) ->
    is_there p v = is_there q v /\ is_wanted p v = is_wanted q v.
  Proof.
    intros i e. destruct (sound_value v i) as [_ [m r]]. unfold is_there, is_wanted. split; [destruct (maker v); auto|].
    f_equal. apply existsb_ext. intros a ia. rewrite (e a (r a ia)). reflexivity.
  Qed.

  Lemma live_ext p q : (forall a, In a (operators g) -> p a = q a) -> live g p = live g q.
  Proof. intros e. apply counted_ext. intros v i. unfold is_live. destruct (same_ext p q v i e) as [-> ->]. reflexivity. Qed.

  Lemma moment_ext p q k : (forall a, In a (operators g) -> p a = q a) -> moment g p k = moment g q k.
  Proof.
    intros e. apply counted_ext. intros v i. unfold is_live_with. destruct (same_ext p q v i e) as [-> ->].
    replace (is_lead g p) with (is_lead g q); [reflexivity|]. apply forallb_ext. intros a j. rewrite (e a j). reflexivity.
  Qed.

  Lemma alive_at_moment o k : (forall a b, In a (operators g) -> In b (operators g) -> o a = o b -> a = b) ->
    In k (operators g) -> alive_at g o k = moment g (ran_before o k) k.
  Proof.
    intros different ik. apply counted_ext. intros v i. destruct (sound_value v i) as [_ [m _]].
    unfold is_alive, is_live_with, is_there, is_wanted, is_made_by, is_lead, ran_before.
    rewrite (existsb_ext (fun r => o k <=? o r) (fun r => negb (o r <? o k))) by (intros; lia).
    rewrite (forallb_ext (fun a => o k <=? o a) (fun a => negb (o a <? o k))) by (intros; lia).
    destruct (maker v) as [j|]; [|reflexivity]. f_equal. pose proof (different j k (m j eq_refl) ik).
    destruct (Pos.eqb_spec j k) as [->|ne]; lia.
  Qed.
End Sound.

(** An order in which everything is below the bound. *)
Definition is_below (g : graph) (bound : Z) (o : order) : Prop :=
  possible g o /\ forall k, In k (operators g) -> alive_at g o k < bound.

(** The operators in the set run before those outside it. *)
Definition begins_with (g : graph) (o : order) (s : ops) : Prop :=
  forall a b, In a (operators g) -> In b (operators g) -> s a = true -> s b = false -> o a < o b.

(** Some order below the bound begins with the set. *)
Definition leads_on (g : graph) (bound : Z) (s : ops) : Prop := exists o, is_below g bound o /\ begins_with g o s.

(** The place of k in a list, or its length. *)
Fixpoint place_in (k : positive) (l : list positive) : Z :=
  match l with [] => 0 | a :: l => if Pos.eqb a k then 0 else 1 + place_in k l end.

Lemma place_in_range k l : 0 <= place_in k l <= Z.of_nat (length l) /\ (is_in k l = true -> place_in k l < Z.of_nat (length l)).
Proof.
  induction l as [|a l ih]; cbn [place_in length is_in existsb]; [cbn; split; [lia|discriminate]|]. fold (is_in k l).
  rewrite Pos.eqb_sym. destruct (Pos.eqb k a); lia.
Qed.

Lemma place_in_app k l m : place_in k (l ++ m) = if is_in k l then place_in k l else Z.of_nat (length l) + place_in k m.
Proof.
  induction l as [|a l ih]; cbn [place_in app length is_in existsb]; [reflexivity|]. fold (is_in k l). rewrite Pos.eqb_sym, ih.
  destruct (Pos.eqb k a), (is_in k l); cbn [orb]; lia.
Qed.

Lemma place_in_inj a b l : is_in a l = true -> is_in b l = true -> place_in a l = place_in b l -> a = b.
Proof.
  induction l as [|c l ih]; cbn [place_in is_in existsb]; [discriminate|]. fold (is_in a l) (is_in b l).
  rewrite (Pos.eqb_sym a), (Pos.eqb_sym b). pose proof (place_in_range a l). pose proof (place_in_range b l).
  destruct (Pos.eqb_spec c a), (Pos.eqb_spec c b); intros; try lia; apply ih; lia.
Qed.

Section Chain.
  Variable g : graph.
  Variable bound : Z.
  Hypothesis sound : is_sound g = true.
  Variable s : ops.
  Variable chain : list positive.

  (** The set with operators of the chain. *)
  Definition with_those (those : list positive) : ops := fun a => s a || is_in a those.
  Definition after : ops := with_those chain.
  Definition last_of (before : option positive) (those : list positive) : option positive := fold_left (fun _ a => Some a) those before.

  (** Each operator of the chain is possible in turn, and needs the one before; after a beginning of the chain, no less is
      alive than before it, and after the whole chain no more. *)
  Hypothesis in_turn : forall done k rest, chain = done ++ k :: rest -> In k (operators g) /\
    with_those done k = false /\ (forall j, In (k, j) (needs g) -> with_those done j = true) /\ moment g (with_those done) k < bound /\
    match last_of None done with Some j => In (k, j) (needs g) /\ live g s <= live g (with_those done) | None => True end.
  Hypothesis frees : live g after <= live g s.
  Hypothesis some : chain <> [].

  Lemma linked done j k rest : chain = done ++ j :: k :: rest -> In (k, j) (needs g).
  Proof.
    intros e. destruct (in_turn (done ++ [j]) k rest) as [_ [_ [_ [_ h]]]]; [rewrite <- app_assoc; exact e|].
    unfold last_of in h. rewrite fold_left_app in h. apply h.
  Qed.

  Lemma needed done rest : chain = done ++ rest -> rest <> [] -> live g s <= live g (with_those done).
  Proof.
    intros e ne. destruct rest as [|k rest]; [congruence|]. destruct (in_turn done k rest e) as [_ [_ [_ [_ h]]]].
    unfold last_of in h. destruct done as [|j done] using rev_ind; [|rewrite fold_left_app in h; apply h].
    rewrite (live_ext g sound s (with_those [])); [lia|]. intros a _. unfold with_those. cbn. lia.
  Qed.

  Lemma in_chain done rest a : chain = done ++ rest -> is_in a done = true -> is_in a chain = true.
  Proof. rewrite !is_in_true. intros -> i. apply in_or_app. auto. Qed.

  Section Exchange.
    Variable o : order.
    Hypothesis below : is_below g bound o.
    Hypothesis first : begins_with g o s.

    Definition span : Z := Z.of_nat (length chain) + sum (fun a => Z.abs (o a)) (operators g) + 1.
    Definition moved : order := fun a => if s a then o a - span else if is_in a chain then place_in a chain else o a + span.

    Lemma in_span a : In a (operators g) ->
      Z.abs (o a) + Z.of_nat (length chain) < span /\ 0 <= place_in a chain <= Z.of_nat (length chain).
    Proof.
      intros i. split; [|apply (proj1 (place_in_range a chain))]. unfold span.
      pose proof (sum_in (fun a => Z.abs (o a)) _ a ltac:(intros; lia) i) as le. cbn in le. lia.
    Qed.

    Lemma moved_different a b : In a (operators g) -> In b (operators g) -> moved a = moved b -> a = b.
    Proof.
      intros ia ib. pose proof (in_span a ia). pose proof (in_span b ib). pose proof (proj1 (proj1 below) a b ia ib).
      pose proof (place_in_inj a b chain). unfold moved.
      destruct (s a), (s b), (is_in a chain), (is_in b chain); intros; auto; lia.
    Qed.

    Lemma before_in_chain done k rest a : chain = done ++ k :: rest -> is_in a chain = true ->
      (place_in a chain <? place_in k chain) = is_in a done.
    Proof.
      intros e ia. destruct (in_turn done k rest e) as [_ [n _]]. unfold with_those in n.
      replace (place_in k chain) with (Z.of_nat (length done)).
      - rewrite e, place_in_app. pose proof (place_in_range a done). pose proof (place_in_range a (k :: rest)).
        destruct (is_in a done); lia.
      - rewrite e, place_in_app. cbn [place_in]. rewrite Pos.eqb_refl. destruct (is_in k done); lia.
    Qed.

    Lemma moved_keeps k j : In (k, j) (needs g) -> moved j < moved k.
    Proof.
      intros i. destruct (sound_need g sound k j i) as [ik ij]. pose proof (proj2 (proj1 below) k j i).
      pose proof (in_span k ik). pose proof (in_span j ij). pose proof (first k j ik ij). unfold moved.
      destruct (s k); [destruct (s j); lia|]. destruct (is_in k chain) eqn:ck; [|destruct (s j), (is_in j chain); lia].
      apply is_in_true, in_split in ck. destruct ck as [done [rest e]]. destruct (in_turn done k rest e) as [_ [_ [ready _]]].
      specialize (ready j i). unfold with_those in ready. destruct (s j); [lia|].
      pose proof (in_chain done _ j e ready) as cj. pose proof (before_in_chain done k rest j e cj). rewrite cj. lia.
    Qed.

    (** The operators of the chain that are in p are a beginning of it. *)
    Lemma beginning (p : ops) : (forall k j, In (k, j) (needs g) -> p k = true -> p j = true) ->
      exists done rest, chain = done ++ rest /\ forall a, is_in a chain = true -> p a = is_in a done.
    Proof.
      intros closed. pose proof linked as linked_. clear - linked_ closed. induction chain as [|a l ih].
      { exists [], []. split; [reflexivity|discriminate]. }
      destruct (p a) eqn:pa.
      - destruct ih as [done [rest [-> d]]].
        { intros done j k rest e. apply (linked_ (a :: done) j k rest). cbn. f_equal. exact e. }
        exists (a :: done), rest. split; [reflexivity|]. intros c i. specialize (d c). cbn in *.
        destruct (Pos.eqb_spec c a) as [->|ne]; [exact pa|apply d, i].
      - exists [], (a :: l). split; [reflexivity|]. intros c i. apply is_in_true in i. cbn. clear ih. revert a pa linked_ c i.
        induction l as [|b l ih]; intros a pa linked_ c [<-|i]; auto; [destruct i|].
        apply (ih b); [|intros done j k rest e; apply (linked_ (a :: done) j k rest); cbn; f_equal; exact e|exact i].
        specialize (closed b a (linked_ [] a b l eq_refl)). lia.
    Qed.

    (** A moment after the chain has been taken out needs no more than before. *)
    Lemma no_more (t : ops) k : In k (operators g) -> t k = false -> s k = false -> is_in k chain = false ->
      (forall a, In a (operators g) -> s a = true -> t a = true) ->
      (forall k j, In (k, j) (needs g) -> t k = true -> t j = true) ->
      moment g (fun a => t a || is_in a chain) k <= moment g t k.
    Proof.
      intros ik tk sk ck larger closed. destruct (beginning t closed) as [done [rest [e d]]].
      set (u := fun a => t a || is_in a chain). set (sd := with_those done).
      assert (each : forall a, In a (operators g) -> u a = t a || after a /\ sd a = t a && after a).
      { intros a i. specialize (larger a i). specialize (d a). pose proof (in_chain done rest a e).
        unfold u, sd, after, with_those. lia. }
      assert (lead : is_lead g u = false).
      { destruct chain as [|c l] eqn:ec; [congruence|]. destruct (in_turn [] c l) as [ic _]; [reflexivity|].
        apply not_true_iff_false. unfold is_lead. rewrite forallb_forall. intros z. specialize (z c ic).
        unfold u in z. cbn in z. rewrite Pos.eqb_refl in z. lia. }
      assert (ends : live g after <= live g sd).
      { destruct rest as [|r rest]; [rewrite app_nil_r in e; unfold after, sd; rewrite e; lia|].
        pose proof (needed done (r :: rest) e ltac:(discriminate)). unfold sd. lia. }
      enough (moment g u k + live g sd <= moment g t k + live g after) by lia.
      unfold moment, live, counted. rewrite <- !sum_plus. apply sum_le. intros v iv.
      destruct (sound_value g sound v iv) as [pos [om or_]]. rewrite lead. unfold is_live_with, is_live.
      assert (there : is_there u v = is_there t v || is_there after v /\ is_there sd v = is_there t v && is_there after v).
      { unfold is_there. destruct (maker v) as [m|]; [apply each, om|]; auto. }
      assert (made : is_made_by k v = true -> is_there t v = false /\ is_there after v = false).
      { unfold is_made_by, is_there. destruct (maker v) as [m|]; [|discriminate]. intros h. apply Pos.eqb_eq in h. subst.
        unfold after, with_those. rewrite tk, sk, ck. auto. }
      assert (wanted : (is_wanted u v = true -> is_wanted t v = true /\ is_wanted after v = true) /\
                is_wanted sd v = is_wanted t v || is_wanted after v).
      { unfold is_wanted. destruct (stays v); [auto|]. induction (readers v) as [|r l ih]; [cbn; auto|].
        specialize (ih (fun r i => or_ r (or_intror i))). cbn [existsb].
        destruct (each r (or_ r (or_introl eq_refl))) as [-> ->].
        destruct (t r), (after r); cbn in *; rewrite ?orb_true_r; tauto. }
      destruct there as [-> ->], wanted as [wanted ->]. clear - pos made wanted.
      destruct (is_made_by k v); [destruct (made eq_refl) as [-> ->]|clear made]; (destruct (is_wanted u v);
        [destruct (wanted eq_refl) as [-> ->]|clear wanted; destruct (is_wanted t v), (is_wanted after v)]);
        destruct (is_there t v), (is_there after v), (maker v), (readers v), (is_lead g t); cbn; lia.
    Qed.

    Lemma moved_below : is_below g bound moved /\ begins_with g moved after.
    Proof.
      destruct (proj1 below) as [different kept].
      split; [split; [split; [exact moved_different|exact moved_keeps]|]|].
      - intros k ik. rewrite (alive_at_moment g sound moved k moved_different ik). pose proof (in_span k ik).
        pose proof (proj2 below k ik) as low. rewrite (alive_at_moment g sound o k different ik) in low.
        destruct (s k) eqn:sk; [|destruct (is_in k chain) eqn:ck].
        + rewrite (moment_ext g sound _ (ran_before o k)); [exact low|].
          intros a ia. pose proof (in_span a ia). pose proof (first k a ik ia sk). unfold ran_before, moved. rewrite sk.
          destruct (s a), (is_in a chain); lia.
        + pose proof ck as i. apply is_in_true, in_split in i. destruct i as [done [rest e]].
          destruct (in_turn done k rest e) as [_ [_ [_ [m _]]]]. rewrite (moment_ext g sound _ (with_those done)); [exact m|].
          intros a ia. pose proof (in_span a ia). pose proof (in_chain done _ a e). pose proof (before_in_chain done k rest a e).
          unfold ran_before, moved, with_those. rewrite sk, ck. destruct (s a), (is_in a chain); lia.
        + rewrite (moment_ext g sound _ (fun a => ran_before o k a || is_in a chain)).
          * apply (Z.le_lt_trans _ _ _ (no_more (ran_before o k) k ik (Z.ltb_irrefl _) sk ck ltac:(
              intros a ia sa; specialize (first a k ia ik sa sk); unfold ran_before; lia) ltac:(
              intros a j h; specialize (kept a j h); unfold ran_before; lia)) low).
          * intros a ia. pose proof (in_span a ia). pose proof (first a k ia ik). unfold ran_before, moved. rewrite sk, ck.
            destruct (s a), (is_in a chain); lia.
      - intros a b ia ib. pose proof (in_span a ia). pose proof (in_span b ib). unfold after, with_those, moved.
        destruct (s a), (s b), (is_in a chain), (is_in b chain); try discriminate; lia.
    Qed.
  End Exchange.

  Theorem chain_leads_on : leads_on g bound s -> leads_on g bound after.
  Proof. intros [o [b f]]. exists (moved o). apply moved_below; assumption. Qed.
End Chain.
