(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** The checker, and what it proves when it accepts. *)
From Neap Require Import problem bytes load place valid check_load banks column check_pairs.

Inductive reason :=
| Nothing
| Load (moment : Z)
| Banks (bytes : Z) (listed : list Z)
| Column (listed : list Z)
| Pairs (cliques : list (list Z)) (clauses : list (list (Z * Z))).

Fixpoint is_numbered (from : Z) (l : list buffer) : bool :=
  match l with [] => true | b :: l => if number b =? from then is_numbered (from + 1) l else false end.

Lemma is_numbered_true l : forall from, is_numbered from l = true ->
  NoDup (map number l) /\ forall b, In b l -> from <= number b.
Proof.
  induction l as [|b l ih]; cbn; intros from; [repeat constructor; tauto|].
  destruct (number b =? from) eqn:e; [|discriminate]. apply Z.eqb_eq in e. intros h. apply ih in h. destruct h as [nodup lowest].
  split.
  - constructor; [|exact nodup]. intros i. apply in_map_iff in i. destruct i as [c [f i]]. apply lowest in i. lia.
  - intros c [<-|i]; [lia|]. apply lowest in i. lia.
Qed.

Definition is_least (p : problem) (claim : Z) (why : reason) : bool :=
  match why with
  | Nothing => claim <=? 0
  | Load t => claim =? need_of_load p t
  | Banks d listed => need_banks p d listed claim
  | Column listed => is_column p claim listed
  | Pairs cliques clauses => is_refuted p claim cliques clauses
  end.

(** [least L]. *)
Definition accepts_least (p : problem) (claim : Z) (why : reason) : bool := is_numbered 0 (buffers p) && is_least p claim why.

Theorem accepts_least_sound p claim why : accepts_least p claim why = true -> least p claim.
Proof.
  unfold accepts_least. rewrite andb_true_iff. intros [h l]. apply is_numbered_true in h. destruct h as [nodup _].
  destruct why as [|t|d listed|listed|cliques clauses]; cbn in l.
  - apply Z.leb_le in l. intros x _. left. exact l.
  - apply Z.eqb_eq in l. subst. apply need_of_load_least, nodup.
  - exact (need_banks_least p d listed claim nodup l).
  - exact (is_column_least p claim listed nodup l).
  - exact (is_refuted_least p claim cliques clauses nodup l).
Qed.

(** [peak P]: offsets are in the order of the buffers. *)
Definition ends_by (claim : Z) (e : placed) : bool := snd e + size (fst e) <=? claim.

Definition accepts_peak (p : problem) (l : list placed) (claim : Z) (why : reason) : bool :=
  let p := {| buffers := map fst l; holes := holes p; separations := separations p; exclusions := exclusions p;
              overlaps := overlaps p; bank_separations := bank_separations p |} in
  accepts_least p claim why && (0 <=? claim) && forallb (ends_by claim) l && is_valid p l.

Theorem accepts_peak_sound p l claim why : buffers p = map fst l -> accepts_peak p l claim why = true ->
  optimal p (offsets l) claim.
Proof.
  intros of_p. unfold accepts_peak. destruct p as [bs hs se ex ov ba]. cbn in *. subst bs.
  rewrite !andb_true_iff, forallb_forall, Z.leb_le. intros [[[le pos] ends] v].
  destruct (is_numbered_true (map fst l) 0) as [nodup _]; [apply andb_true_iff in le; apply le|].
  split; [|split].
  - apply is_valid_true; [reflexivity|exact nodup|exact v].
  - split; [exact pos|]. cbn. intros b i. apply in_map_iff in i. destruct i as [[c o] [<- i]]. cbn [fst] in *.
    rewrite (offsets_in l c o); [|rewrite map_map in nodup; exact nodup|exact i].
    specialize (ends _ i). apply Z.leb_le in ends. exact ends.
  - apply (accepts_least_sound _ claim why le).
Qed.

(** Reads a number digit by digit. *)
Definition add_digit (n digit : Z) : Z := 10 * n + digit.
