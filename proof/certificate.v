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

(** [peak P]. *)
Definition accepts_peak (p : problem) (x : layout) (claim : Z) (why : reason) : bool :=
  accepts_least p claim why && (0 <=? claim) && forallb (fun b => x (number b) + size b <=? claim) (buffers p) && is_valid p x.

Theorem accepts_peak_sound p x claim why : accepts_peak p x claim why = true -> optimal p x claim.
Proof.
  unfold accepts_peak. rewrite !andb_true_iff, forallb_forall, Z.leb_le. intros [[[least_ pos] ends] v].
  split; [apply is_valid_true, v|]. split; [|apply (accepts_least_sound _ claim why least_)]. split; [exact pos|].
  intros b i. apply Z.leb_le, ends, i.
Qed.
