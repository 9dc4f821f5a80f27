(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What is alive after a set of operators, and while one more runs. *)
From Coq Require Import ZArith List Lia Bool.
From Neap Require Import bytes graph.
Import ListNotations.
Open Scope Z_scope.

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
  unfold is_in. rewrite existsb_exists. split; [intros [j [i e]]; apply Pos.eqb_eq in e; subst; exact i|].
  intros i. exists k. split; [exact i|apply Pos.eqb_refl].
Qed.

Definition is_operator (g : graph) (k : positive) : bool := is_in k (operators g).

Lemma is_operator_true g k : is_operator g k = true <-> In k (operators g).
Proof. apply is_in_true. Qed.

(** Values and needs name only operators, and no size is negative. *)
Definition is_sound_value (g : graph) (v : value) : bool :=
  (0 <=? bytes_of v) && match maker v with Some m => is_operator g m | None => true end && forallb (is_operator g) (readers v).
Definition is_sound (g : graph) : bool :=
  forallb (is_sound_value g) (values g) && forallb (fun p => is_operator g (fst p) && is_operator g (snd p)) (needs g).

Definition ran_before (o : order) (k : positive) : ops := fun a => o a <? o k.

Lemma existsb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> existsb f l = existsb h l.
Proof.
  induction l as [|a l ih]; cbn; intros e; [reflexivity|]. rewrite (e a (or_introl eq_refl)), ih; [reflexivity|].
  intros b i. apply e. right. exact i.
Qed.

Lemma forallb_ext {A} (f h : A -> bool) l : (forall a, In a l -> f a = h a) -> forallb f l = forallb h l.
Proof.
  induction l as [|a l ih]; cbn; intros e; [reflexivity|]. rewrite (e a (or_introl eq_refl)), ih; [reflexivity|].
  intros b i. apply e. right. exact i.
Qed.

Lemma counted_ext f h g : (forall v, In v (values g) -> f v = h v) -> counted f g = counted h g.
Proof.
  unfold counted. intros e. induction (values g) as [|v vs ih]; cbn [sum]; [reflexivity|].
  rewrite (e v (or_introl eq_refl)), ih; [reflexivity|]. intros w i. apply e. right. exact i.
Qed.

Section Sound.
  Variable g : graph.
  Hypothesis sound : is_sound g = true.

  Lemma sound_value v : In v (values g) -> 0 <= bytes_of v /\ (forall m, maker v = Some m -> In m (operators g)) /\
    (forall r, In r (readers v) -> In r (operators g)).
  Proof.
    intros i. unfold is_sound in sound. apply andb_true_iff in sound. destruct sound as [s _]. rewrite forallb_forall in s.
    specialize (s v i). unfold is_sound_value in s. rewrite !andb_true_iff, Z.leb_le, forallb_forall in s. destruct s as [[s m] r].
    repeat split; [exact s| |].
    - intros k e. rewrite e in m. apply is_operator_true, m.
    - intros k ir. apply is_operator_true, r, ir.
  Qed.

  Lemma sound_need k j : In (k, j) (needs g) -> In k (operators g) /\ In j (operators g).
  Proof.
    intros i. unfold is_sound in sound. apply andb_true_iff in sound. destruct sound as [_ s]. rewrite forallb_forall in s.
    specialize (s _ i). cbn in s. rewrite andb_true_iff, !is_operator_true in s. exact s.
  Qed.

  Lemma is_there_ext p q v : In v (values g) -> (forall a, In a (operators g) -> p a = q a) -> is_there p v = is_there q v.
  Proof.
    intros i e. destruct (sound_value v i) as [_ [m _]]. unfold is_there. destruct (maker v) as [k|]; [|reflexivity].
    apply e, m. reflexivity.
  Qed.

  Lemma is_wanted_ext p q v : In v (values g) -> (forall a, In a (operators g) -> p a = q a) -> is_wanted p v = is_wanted q v.
  Proof.
    intros i e. destruct (sound_value v i) as [_ [_ r]]. unfold is_wanted. f_equal. apply existsb_ext. intros a ia.
    rewrite (e a (r a ia)). reflexivity.
  Qed.

  Lemma live_ext p q : (forall a, In a (operators g) -> p a = q a) -> live g p = live g q.
  Proof.
    intros e. apply counted_ext. intros v i. unfold is_live. rewrite (is_there_ext p q v i e), (is_wanted_ext p q v i e). reflexivity.
  Qed.

  Lemma moment_ext p q k : (forall a, In a (operators g) -> p a = q a) -> moment g p k = moment g q k.
  Proof.
    intros e. unfold moment. replace (is_lead g p) with (is_lead g q).
    - apply counted_ext. intros v i. unfold is_live_with. rewrite (is_there_ext p q v i e), (is_wanted_ext p q v i e). reflexivity.
    - unfold is_lead. apply forallb_ext. intros a i. rewrite (e a i). reflexivity.
  Qed.

  Lemma alive_at_moment o k : (forall a b, In a (operators g) -> In b (operators g) -> o a = o b -> a = b) ->
    In k (operators g) -> alive_at g o k = moment g (ran_before o k) k.
  Proof.
    intros different ik. apply counted_ext. intros v i. destruct (sound_value v i) as [_ [m r]].
    unfold is_alive, is_live_with, is_there, is_wanted, is_made_by, is_lead, ran_before.
    assert (er : existsb (fun r => o k <=? o r) (readers v) = existsb (fun r => negb (o r <? o k)) (readers v)).
    { apply existsb_ext. intros a _. rewrite Z.ltb_antisym, negb_involutive. reflexivity. }
    assert (el : forallb (fun a => o k <=? o a) (operators g) = forallb (fun a => negb (o a <? o k)) (operators g)).
    { apply forallb_ext. intros a _. rewrite Z.ltb_antisym, negb_involutive. reflexivity. }
    rewrite er, el. destruct (maker v) as [j|]; [|reflexivity]. specialize (m j eq_refl).
    replace (o j <=? o k) with ((o j <? o k) || Pos.eqb j k); [reflexivity|].
    destruct (Pos.eqb_spec j k) as [->|ne]; [rewrite orb_true_r; symmetry; apply Z.leb_refl|].
    rewrite orb_false_r. assert (o j <> o k) by (intros e; apply ne, different; assumption).
    destruct (o j <? o k) eqn:a, (o j <=? o k) eqn:b; rewrite ?Z.ltb_lt, ?Z.ltb_ge, ?Z.leb_le, ?Z.leb_gt in *; lia || reflexivity.
  Qed.
End Sound.

Section Orders.
  Variable g : graph.
  Variable bound : Z.

  (** An order in which everything is below the bound. *)
  Definition is_below (o : order) : Prop := possible g o /\ forall k, In k (operators g) -> alive_at g o k < bound.

  (** The operators in the set run before those outside it. *)
  Definition begins_with (o : order) (s : ops) : Prop :=
    forall a b, In a (operators g) -> In b (operators g) -> s a = true -> s b = false -> o a < o b.

  (** Some order below the bound begins with the set. *)
  Definition leads_on (s : ops) : Prop := exists o, is_below o /\ begins_with o s.
End Orders.

(** The place of k in a list, or its length. *)
Fixpoint place_in (k : positive) (l : list positive) : Z :=
  match l with [] => 0 | a :: l => if Pos.eqb a k then 0 else 1 + place_in k l end.

Lemma place_in_range k l : 0 <= place_in k l <= Z.of_nat (length l).
Proof. induction l as [|a l ih]; cbn [place_in length]; [lia|]. destruct (Pos.eqb a k); lia. Qed.

Lemma place_in_app k l m : place_in k (l ++ m) = if is_in k l then place_in k l else Z.of_nat (length l) + place_in k m.
Proof.
  induction l as [|a l ih]; cbn [place_in app length is_in existsb]; [reflexivity|]. fold (is_in k l). rewrite Pos.eqb_sym.
  destruct (Pos.eqb_spec k a); cbn [orb]; [reflexivity|]. rewrite ih. destruct (is_in k l); lia.
Qed.

Lemma place_in_lt k l : is_in k l = true -> place_in k l < Z.of_nat (length l).
Proof.
  induction l as [|a l ih]; cbn [is_in existsb place_in length]; [discriminate|]. fold (is_in k l). rewrite Pos.eqb_sym.
  destruct (Pos.eqb_spec a k); cbn [orb]; [lia|]. intros h. specialize (ih h). lia.
Qed.

Lemma place_in_inj a b l : is_in a l = true -> is_in b l = true -> place_in a l = place_in b l -> a = b.
Proof.
  induction l as [|c l ih]; cbn [is_in existsb place_in]; [discriminate|]. fold (is_in a l) (is_in b l).
  rewrite (Pos.eqb_sym a), (Pos.eqb_sym b).
  pose proof (place_in_range a l). pose proof (place_in_range b l).
  destruct (Pos.eqb_spec c a), (Pos.eqb_spec c b); cbn [orb]; intros; subst; auto; try lia. apply ih; auto. lia.
Qed.

Section Chain.
  Variable g : graph.
  Variable bound : Z.
  Hypothesis sound : is_sound g = true.
  Variable s : ops.
  Variable chain : list positive.

  (** The set with the chain. *)
  Definition after : ops := fun a => s a || is_in a chain.

  Hypothesis members : forall k, In k chain -> In k (operators g) /\ s k = false.
  (** Each operator of the chain is possible in turn. *)
  Hypothesis in_turn : forall done k rest, chain = done ++ k :: rest -> is_in k done = false ->
    (forall j, In (k, j) (needs g) -> s j = true \/ is_in j done = true) /\
    moment g (fun a => s a || is_in a done) k < bound.
  (** It needs the one before. *)
  Hypothesis linked : forall done j k rest, chain = done ++ j :: k :: rest -> In (k, j) (needs g).
  (** After the whole chain, no more is alive than before it; after a beginning, no less. *)
  Hypothesis frees : live g after <= live g s.
  Hypothesis needed : forall done rest, chain = done ++ rest -> rest <> [] -> live g s <= live g (fun a => s a || is_in a done).
  Hypothesis some : chain <> [].

  Section Exchange.
    Variable o : order.
    Hypothesis below : is_below g bound o.
    Hypothesis first : begins_with g o s.

    Definition span : Z := Z.of_nat (length chain) + sum (fun a => Z.abs (o a)) (operators g) + 1.
    Definition moved : order := fun a => if s a then o a - span else if is_in a chain then place_in a chain else o a + span.

    Lemma in_span a : In a (operators g) -> Z.abs (o a) + Z.of_nat (length chain) < span.
    Proof.
      intros i. unfold span. enough (forall l, In a l -> Z.abs (o a) <= sum (fun a => Z.abs (o a)) l) as h by (specialize (h _ i); lia).
      clear i. induction l as [|b l ih]; intros i; [destruct i|]. cbn [sum].
      assert (0 <= sum (fun a => Z.abs (o a)) l) by (apply sum_nonneg; lia).
      destruct i as [<-|i]; [lia|]. specialize (ih i). lia.
    Qed.

    Lemma moved_different a b : In a (operators g) -> In b (operators g) -> moved a = moved b -> a = b.
    Proof.
      intros ia ib. pose proof (in_span a ia). pose proof (in_span b ib).
      pose proof (place_in_range a chain). pose proof (place_in_range b chain). unfold moved.
      destruct (proj1 below) as [different _].
      destruct (s a), (s b); [|destruct (is_in b chain)|destruct (is_in a chain)|
        destruct (is_in a chain) eqn:ca, (is_in b chain) eqn:cb]; intros e; try lia; try (apply different; auto; lia).
      apply place_in_inj in e; assumption.
    Qed.

    Lemma chain_splits k : is_in k chain = true -> exists done rest, chain = done ++ k :: rest /\ is_in k done = false.
    Proof.
      clear. induction chain as [|a l ih]; cbn [is_in existsb]; [discriminate|]. fold (is_in k l).
      destruct (Pos.eqb_spec k a) as [->|ne]; cbn [orb].
      - intros _. exists [], l. split; reflexivity.
      - intros h. destruct (ih h) as [done [rest [e n]]]. exists (a :: done), rest. split; [cbn; f_equal; exact e|].
        cbn. fold (is_in k done). rewrite n. apply Pos.eqb_neq in ne. rewrite ne. reflexivity.
    Qed.

    Lemma place_of_split done k rest : chain = done ++ k :: rest -> is_in k done = false -> place_in k chain = Z.of_nat (length done).
    Proof. intros e n. rewrite e, place_in_app, n. cbn [place_in]. rewrite Pos.eqb_refl. lia. Qed.

    Lemma before_in_chain done k rest a : chain = done ++ k :: rest -> is_in k done = false ->
      is_in a chain = true -> (place_in a chain <? place_in k chain) = is_in a done.
    Proof.
      intros e n ia. rewrite (place_of_split done k rest e n), e, place_in_app.
      destruct (is_in a done) eqn:d.
      - apply place_in_lt in d. apply Z.ltb_lt. exact d.
      - pose proof (place_in_range a (k :: rest)). apply Z.ltb_ge. lia.
    Qed.

    Lemma moved_keeps k j : In (k, j) (needs g) -> moved j < moved k.
    Proof.
      intros i. destruct (sound_need g sound k j i) as [ik ij]. destruct (proj1 below) as [_ kept]. pose proof (kept k j i).
      pose proof (in_span k ik). pose proof (in_span j ij). pose proof (place_in_range j chain). pose proof (place_in_range k chain).
      unfold moved. destruct (s k) eqn:sk.
      - destruct (s j) eqn:sj; [lia|]. specialize (first k j ik ij sk sj). lia.
      - destruct (is_in k chain) eqn:ck.
        + destruct (chain_splits k ck) as [done [rest [e n]]]. destruct (in_turn done k rest e n) as [ready _].
          destruct (ready j i) as [sj|dj]; [rewrite sj; lia|]. destruct (s j); [lia|].
          assert (cj : is_in j chain = true).
          { rewrite e. apply is_in_true, in_or_app. left. apply is_in_true, dj. }
          rewrite cj. apply Z.ltb_lt. rewrite (before_in_chain done k rest j e n cj). exact dj.
        + destruct (s j); [lia|]. destruct (is_in j chain); lia.
    Qed.

    (** The operators of the chain that are in p are a beginning of it. *)
    Lemma beginning (p : ops) : (forall k j, In (k, j) (needs g) -> p k = true -> p j = true) ->
      exists done rest, chain = done ++ rest /\ forall a, In a chain -> p a = is_in a done.
    Proof.
      intros closed. clear - linked closed. revert linked. induction chain as [|a l ih]; intros linked.
      { exists [], []. split; [reflexivity|intros a []]. }
      destruct (p a) eqn:pa.
      - destruct l as [|b l'].
        + exists [a], []. split; [reflexivity|]. intros b [<-|[]]. cbn. rewrite Pos.eqb_refl. exact pa.
        + destruct ih as [done [rest [e d]]].
          { intros done j k rest e. apply (linked (a :: done) j k rest). cbn. f_equal. exact e. }
          exists (a :: done), rest. split; [cbn; f_equal; exact e|]. intros c [<-|i].
          * cbn. rewrite Pos.eqb_refl. exact pa.
          * cbn. fold (is_in c done). destruct (Pos.eqb_spec c a) as [->|ne]; [exact pa|]. apply d, i.
      - exists [], (a :: l). split; [reflexivity|]. cbn. intros c i.
        enough (forall m c, incl (a :: m) (a :: l) -> (exists t, a :: l = (a :: m) ++ t) -> In c (a :: m) -> p c = false) as h.
        { apply (h l c (incl_refl _)); [exists []; rewrite app_nil_r; reflexivity|exact i]. }
        clear i c ih. intros m. induction m as [|b m ih] using rev_ind; intros c sub [t e] i.
        { destruct i as [<-|[]]. exact pa. }
        assert (prefix : exists t', a :: l = (a :: m) ++ t').
        { exists (b :: t). rewrite e. cbn. rewrite <- app_assoc. reflexivity. }
        assert (sub' : incl (a :: m) (a :: l)).
        { intros z iz. apply sub. cbn in iz |- *. destruct iz as [iz|iz]; [auto|right; apply in_or_app; left; exact iz]. }
        specialize (ih) as prev. cbn in i. destruct i as [<-|i]; [exact pa|]. apply in_app_or in i. destruct i as [i|[<-|[]]].
        { apply (prev c sub' prefix). right. exact i. }
        destruct (p b) eqn:pb; [|reflexivity].
        destruct (exists_last (l := a :: m)) as [front [z ez]]; [discriminate|].
        assert (need : In (b, z) (needs g)).
        { apply (linked front z b t). rewrite e. change ((a :: m ++ [b]) ++ t) with (((a :: m) ++ [b]) ++ t). rewrite ez.
          rewrite <- !app_assoc. reflexivity. }
        specialize (closed b z need pb).
        assert (p z = false); [|congruence].
        apply (prev z sub' prefix). rewrite ez. apply in_or_app. right. left. reflexivity.
    Qed.

    (** A moment after the chain has been taken out needs no more than before. *)
    Lemma no_more (t : ops) k : In k (operators g) -> t k = false -> s k = false -> is_in k chain = false ->
      (forall a, In a (operators g) -> s a = true -> t a = true) ->
      (forall k j, In (k, j) (needs g) -> t k = true -> t j = true) ->
      moment g (fun a => t a || is_in a chain) k <= moment g t k.
    Proof.
      intros ik tk sk ck larger closed. destruct (beginning t closed) as [done [rest [e d]]].
      set (u := fun a => t a || is_in a chain). set (sd := fun a => s a || is_in a done).
      assert (in_done : forall a, is_in a done = true -> is_in a chain = true).
      { intros a h. rewrite e. apply is_in_true, in_or_app. left. apply is_in_true, h. }
      assert (sd_t : forall a, In a (operators g) -> sd a = true -> t a = true).
      { intros a i h. unfold sd in h. apply orb_true_iff in h. destruct h as [h|h]; [auto|]. rewrite d; [exact h|].
        apply is_in_true, in_done, h. }
      assert (rest_t : forall a, is_in a chain = true -> sd a = false -> t a = false).
      { intros a h n. unfold sd in n. apply orb_false_iff in n. destruct n as [_ n]. rewrite d; [exact n|apply is_in_true, h]. }
      assert (lead : is_lead g u = false).
      { destruct chain as [|c l]; [congruence|]. destruct (members c (or_introl eq_refl)) as [ic _].
        destruct (is_lead g u) eqn:z; [|reflexivity]. unfold is_lead in z. rewrite forallb_forall in z. specialize (z c ic).
        unfold u in z. cbn in z. rewrite Pos.eqb_refl, orb_true_r in z. discriminate. }
      assert (ends : live g after <= live g sd).
      { destruct rest as [|r rest].
        - rewrite app_nil_r in e. subst done. unfold after, sd. lia.
        - transitivity (live g s); [exact frees|]. apply (needed done (r :: rest) e). discriminate. }
      enough (moment g u k + live g sd <= moment g t k + live g after) by lia.
      unfold moment, live, counted. rewrite <- !sum_plus. apply sum_le. intros v iv.
      destruct (sound_value g sound v iv) as [pos [om or_]]. rewrite lead.
      enough (h : (is_live_with false u k v = true -> is_live sd v = true ->
                   is_live_with (is_lead g t) t k v = true /\ is_live after v = true) /\
                  (is_live_with false u k v = true \/ is_live sd v = true ->
                   is_live_with (is_lead g t) t k v = true \/ is_live after v = true)).
      { destruct h as [both one]. destruct (is_live_with false u k v), (is_live sd v); try (destruct (both eq_refl eq_refl) as [-> ->]; lia);
          try (destruct one as [-> | ->]; [auto|destruct (is_live after v)|destruct (is_live_with _ t k v)]; lia).
        destruct (is_live_with _ t k v), (is_live after v); lia. }
      destruct (is_made_by k v) eqn:made.
      - assert (B : is_live sd v = false).
        { unfold is_live, is_there. unfold is_made_by in made. destruct (maker v) as [m|]; [|discriminate].
          apply Pos.eqb_eq in made. subst m. destruct (sd k) eqn:z; [|reflexivity]. rewrite (sd_t k ik z) in tk. discriminate. }
        rewrite B. assert (C : is_live_with (is_lead g t) t k v = true).
        { unfold is_live_with. rewrite made, !orb_true_r. reflexivity. }
        split; [discriminate|auto].
      - assert (t_u : forall a, t a = true -> u a = true) by (intros a h; unfold u; rewrite h; reflexivity).
        assert (after_u : forall a, In a (operators g) -> after a = true -> u a = true).
        { intros a i h. unfold after in h. unfold u. apply orb_true_iff in h. destruct h as [h|h]; [rewrite (larger a i h)|rewrite h, orb_true_r]; reflexivity. }
        assert (sd_after : forall a, sd a = true -> after a = true).
        { intros a h. unfold sd in h. unfold after. apply orb_true_iff in h. destruct h as [h|h]; [rewrite h; reflexivity|].
          rewrite (in_done a h), orb_true_r. reflexivity. }
        assert (C : is_there t v = true -> is_wanted t v = true -> is_live_with (is_lead g t) t k v = true).
        { intros x y. unfold is_live_with. rewrite x, y. reflexivity. }
        assert (A : is_live_with false u k v = true -> is_there u v = true /\ is_wanted u v = true).
        { unfold is_live_with. rewrite made. rewrite !orb_false_r, !andb_true_iff, !orb_true_iff. intros [x [y|y]]; [auto|].
          destruct (maker v); [discriminate|]. destruct (readers v); discriminate. }
        assert (wanted : is_wanted u v = true -> is_wanted t v = true /\ is_wanted after v = true).
        { unfold is_wanted. rewrite !orb_true_iff, !existsb_exists. intros [h|[r [ir h]]]; [auto|]. apply negb_true_iff in h.
          split; right; exists r; (split; [exact ir|]); apply negb_true_iff.
          - destruct (t r) eqn:z; [|reflexivity]. rewrite (t_u r z) in h. discriminate.
          - destruct (after r) eqn:z; [|reflexivity]. rewrite (after_u r (or_ r ir) z) in h. discriminate. }
        assert (there_sd : is_there sd v = true -> is_there t v = true /\ is_there after v = true).
        { unfold is_there. destruct (maker v) as [m|]; [|auto]. intros h. split; [apply sd_t; [apply om; reflexivity|exact h]|apply sd_after, h]. }
        assert (there_u : is_there u v = true -> is_there t v = true \/ (is_there after v = true /\ is_there sd v = false)).
        { unfold is_there. destruct (maker v) as [m|]; [|auto]. intros h. destruct (t m) eqn:z; [auto|]. right.
          unfold u in h. rewrite z in h. cbn in h. split; [unfold after; rewrite h, orb_true_r; reflexivity|].
          destruct (sd m) eqn:y; [|reflexivity]. rewrite (sd_t m (om m eq_refl) y) in z. discriminate. }
        unfold is_live. rewrite !andb_true_iff. split.
        + intros a [b1 b2]. destruct (A a) as [a1 a2]. destruct (wanted a2) as [w1 w2]. destruct (there_sd b1) as [h1 h2]. auto.
        + intros [a|[b1 b2]].
          * destruct (A a) as [a1 a2]. destruct (wanted a2) as [w1 w2]. destruct (there_u a1) as [h|[h _]]; auto.
          * destruct (there_sd b1) as [h1 h2]. unfold is_wanted in b2. apply orb_true_iff in b2. destruct b2 as [b2|b2].
            { left. apply C; [exact h1|]. unfold is_wanted. rewrite b2. reflexivity. }
            apply existsb_exists in b2. destruct b2 as [r [ir nr]]. apply negb_true_iff in nr.
            destruct (t r) eqn:z.
            -- right. split; [exact h2|]. unfold is_wanted. apply orb_true_iff. right. apply existsb_exists. exists r. split; [exact ir|].
               apply negb_true_iff. unfold after. unfold sd in nr. apply orb_false_iff in nr. destruct nr as [nr1 nr2]. rewrite nr1. cbn.
               destruct (is_in r chain) eqn:y; [|reflexivity]. rewrite (rest_t r y) in z; [discriminate|]. unfold sd. rewrite nr1, nr2. reflexivity.
            -- left. apply C; [exact h1|]. unfold is_wanted. apply orb_true_iff. right. apply existsb_exists. exists r. split; [exact ir|].
               rewrite z. reflexivity.
    Qed.

    Lemma moved_below : is_below g bound moved /\ begins_with g moved after.
    Proof.
      split; [split; [split|]|].
      - exact moved_different.
      - exact moved_keeps.
      - intros k ik. rewrite (alive_at_moment g sound moved k moved_different ik).
        pose proof (in_span k ik). destruct (proj1 below) as [different kept].
        destruct (s k) eqn:sk; [|destruct (is_in k chain) eqn:ck].
        + rewrite (moment_ext g sound (ran_before moved k) (ran_before o k)).
          * rewrite <- (alive_at_moment g sound o k different ik). apply (proj2 below), ik.
          * intros a ia. pose proof (in_span a ia). pose proof (place_in_range a chain). unfold ran_before, moved. rewrite sk.
            destruct (s a) eqn:sa.
            { destruct (o a <? o k) eqn:z; [apply Z.ltb_lt in z; apply Z.ltb_lt; lia|apply Z.ltb_ge in z; apply Z.ltb_ge; lia]. }
            specialize (first k a ik ia sk sa). replace (o a <? o k) with false by (symmetry; apply Z.ltb_ge; lia).
            apply Z.ltb_ge. destruct (is_in a chain); lia.
        + destruct (chain_splits k ck) as [done [rest [e n]]]. destruct (in_turn done k rest e n) as [_ m].
          rewrite (moment_ext g sound (ran_before moved k) (fun a => s a || is_in a done)); [exact m|].
          intros a ia. pose proof (in_span a ia). pose proof (place_in_range k chain). unfold ran_before, moved. rewrite sk, ck.
          destruct (s a) eqn:sa; [cbn; apply Z.ltb_lt; lia|]. cbn. destruct (is_in a chain) eqn:ca.
          * apply (before_in_chain done k rest a e n ca).
          * replace (is_in a done) with false; [apply Z.ltb_ge; lia|]. symmetry. destruct (is_in a done) eqn:d; [|reflexivity].
            assert (is_in a chain = true); [|congruence]. rewrite e. apply is_in_true, in_or_app. left. apply is_in_true, d.
        + rewrite (moment_ext g sound (ran_before moved k) (fun a => ran_before o k a || is_in a chain)).
          * apply (Z.le_lt_trans _ (moment g (ran_before o k) k)).
            -- apply no_more; auto.
               ++ unfold ran_before. apply Z.ltb_irrefl.
               ++ intros a ia sa. unfold ran_before. apply Z.ltb_lt. apply first; auto.
               ++ intros a j h. unfold ran_before. rewrite !Z.ltb_lt. specialize (kept a j h). lia.
            -- rewrite <- (alive_at_moment g sound o k different ik). apply (proj2 below), ik.
          * intros a ia. pose proof (in_span a ia). pose proof (place_in_range a chain). unfold ran_before, moved. rewrite sk, ck.
            destruct (s a) eqn:sa.
            { specialize (first a k ia ik sa sk). replace (o a <? o k) with true by (symmetry; apply Z.ltb_lt; lia). cbn. apply Z.ltb_lt. lia. }
            destruct (is_in a chain) eqn:ca; [rewrite orb_true_r; apply Z.ltb_lt; lia|]. rewrite orb_false_r.
            destruct (o a <? o k) eqn:z; [apply Z.ltb_lt in z; apply Z.ltb_lt; lia|apply Z.ltb_ge in z; apply Z.ltb_ge; lia].
      - intros a b ia ib sa sb. pose proof (in_span a ia). pose proof (in_span b ib). pose proof (place_in_range a chain).
        unfold after in sa, sb. apply orb_false_iff in sb. destruct sb as [sb cb]. unfold moved. rewrite sb, cb.
        destruct (s a); [lia|]. cbn in sa. rewrite sa. lia.
    Qed.
  End Exchange.

  Theorem chain_leads_on : leads_on g bound s -> leads_on g bound after.
  Proof. intros [o [b f]]. exists (moved o). apply moved_below; assumption. Qed.
End Chain.
