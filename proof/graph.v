(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What a graph and an order of its operators are, as certificate.md says: definitions that a reader has to believe. *)
From Neap Require Import bytes.

(** Bytes that are allocated together; [maker] is None if they are there from the start. *)
Record value := { bytes_of : Z; maker : option positive; stays : bool; readers : list positive }.

(** [(k, j)] in [needs]: operator j must run before operator k. *)
Record graph := { operators : list positive; needs : list (positive * positive); values : list value }.

(** When each operator runs. *)
Definition order := positive -> Z.

Definition possible (g : graph) (o : order) :=
  (forall a b, In a (operators g) -> In b (operators g) -> o a = o b -> a = b) /\
  (forall k j, In (k, j) (needs g) -> o j < o k).

Definition is_made_by (k : positive) (v : value) : bool :=
  match maker v with Some m => Pos.eqb m k | None => false end.

(** Whether a value is alive while an operator runs: those that nothing reads are alive while they are made, or, if they are there
    from the start, while the first operator runs. *)
Definition is_alive (g : graph) (o : order) (k : positive) (v : value) : bool :=
  match maker v with Some m => o m <=? o k | None => true end &&
  (stays v || existsb (fun r => o k <=? o r) (readers v) || is_made_by k v ||
   match maker v, readers v with None, [] => forallb (fun a => o k <=? o a) (operators g) | _, _ => false end).

(** The bytes alive while an operator runs; the bound of an order is the largest of these. *)
Definition alive_at (g : graph) (o : order) (k : positive) : Z :=
  sum (fun v => if is_alive g o k v then bytes_of v else 0) (values g).

(** In every order, at least so many bytes are alive while some operator runs. *)
Definition least_order (g : graph) (bound : Z) :=
  forall o, possible g o -> exists k, In k (operators g) /\ bound <= alive_at g o k.
