(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** What a problem and a layout are, as certificate.md says: the definitions that a reader has to believe. *)
From Coq Require Import ZArith List Relations.
Import ListNotations.
Open Scope Z_scope.

(** A buffer is alive during each [start, stop). *)
Record lifetime := { start : Z; stop : Z }.

(** All bytes of a buffer lie in [low, high) and in one bank of [bank] bytes. *)
Record buffer := {
  number : Z;
  size : Z;
  alignment : Z;
  fixed : option Z;
  low : Z;
  high : option Z;
  bank : option Z;
  lives : list lifetime
}.

(** Bytes [bottom, top) that no buffer may use during a time; without [top], all from [bottom] on. *)
Record hole := { bottom : Z; top : option Z; during : lifetime }.

(** Pairs are numbers of buffers.  [(i, j, d)] in [overlaps]: j may begin d bytes above the offset of i, or higher, although
    i does not end there; in [colocations]: the offset of j is that of i plus d; in [bank_separations]: no bank of d bytes has
    bytes of both. *)
Record problem := {
  buffers : list buffer;
  holes : list hole;
  separations : list (Z * Z);
  exclusions : list (Z * Z);
  overlaps : list (Z * Z * Z);
  colocations : list (Z * Z * Z);
  bank_separations : list (Z * Z * Z)
}.

(** The offset of each number. *)
Definition layout := Z -> Z.

Definition within (t : Z) (l : lifetime) := start l <= t < stop l.
Definition alive (b : buffer) (t : Z) := exists l, In l (lives b) /\ within t l.
Definition meet (a b : buffer) := exists t, alive a t /\ alive b t.
Definition named (i j : Z) (pairs : list (Z * Z)) := In (i, j) pairs \/ In (j, i) pairs.

(** Directly or through others. *)
Definition colocated (p : problem) := clos_refl_sym_trans Z (fun i j => exists d, In (i, j, d) (colocations p)).

(** Of two buffers that conflict, one lies below the other. *)
Definition conflict (p : problem) (a b : buffer) :=
  number a <> number b /\ 0 < size a /\ 0 < size b /\
  (named (number a) (number b) (separations p) \/
   meet a b /\ ~ named (number a) (number b) (exclusions p) /\ ~ colocated p (number a) (number b)).

Definition below (p : problem) (x : layout) (a b : buffer) :=
  x (number a) + size a <= x (number b) \/
  exists d, In (number a, number b, d) (overlaps p) /\ x (number a) + d <= x (number b).

(** Where a buffer may be by itself. *)
Definition may_be_at (p : problem) (b : buffer) (at_ : Z) :=
  low b <= at_ /\
  (alignment b | at_) /\
  (forall f, fixed b = Some f -> at_ = f) /\
  (forall h, high b = Some h -> at_ + size b <= h) /\
  (forall k, bank b = Some k -> 0 < size b -> at_ / k = (at_ + size b - 1) / k) /\
  (forall h t, In h (holes p) -> 0 < size b -> alive b t -> within t (during h) ->
     at_ + size b <= bottom h \/ exists u, top h = Some u /\ u <= at_).

(** A byte of the buffer is in bank k of d bytes. *)
Definition uses (x : layout) (b : buffer) (d k : Z) := exists y, x (number b) <= y < x (number b) + size b /\ y / d = k.

Definition valid (p : problem) (x : layout) :=
  (forall b, In b (buffers p) -> 0 <= x (number b) /\ may_be_at p b (x (number b))) /\
  (forall a b, In a (buffers p) -> In b (buffers p) -> conflict p a b -> below p x a b \/ below p x b a) /\
  (forall a b d k, In a (buffers p) -> In b (buffers p) -> In (number a, number b, d) (bank_separations p) ->
     ~ (uses x a d k /\ uses x b d k)) /\
  (forall a b d, In a (buffers p) -> In b (buffers p) -> In (number a, number b, d) (colocations p) ->
     x (number b) = x (number a) + d).

(** Offsets in a pool are multiples of [grain], and all bytes are below [capacity]. *)
Record pool := { index : Z; capacity : option Z; grain : Z; reserved : list hole }.

(** The problem of the buffers that [q] has in a pool. *)
Definition inside (p : problem) (q : Z -> Z) (k : pool) : problem := {|
  buffers := filter (fun b => q (number b) =? index k) (buffers p); holes := reserved k; separations := separations p;
  exclusions := exclusions p; overlaps := overlaps p; colocations := colocations p; bank_separations := bank_separations p |}.

(** [(i, k)] in [choices]: buffer i may be in pool k. *)
Definition may_be_in (choices : list (Z * Z)) (q : Z -> Z) (x : layout) (b : buffer) (k : pool) :=
  q (number b) = index k /\ In (number b, index k) choices /\ (grain k | x (number b)) /\
  forall c, capacity k = Some c -> x (number b) + size b <= c.

Definition valid_in_pools (p : problem) (pools : list pool) (choices : list (Z * Z)) (q : Z -> Z) (x : layout) :=
  (forall b, In b (buffers p) -> exists k, In k pools /\ may_be_in choices q x b k) /\
  (forall i j, colocated p i j -> q i = q j) /\
  (forall k, In k pools -> valid (inside p q k) x).

(** [reaches p x h]: the peak of the layout is h or more; [fits p x h]: it is h or less. *)
Definition reaches (p : problem) (x : layout) (h : Z) :=
  h <= 0 \/ exists b, In b (buffers p) /\ h <= x (number b) + size b.
Definition fits (p : problem) (x : layout) (h : Z) :=
  0 <= h /\ forall b, In b (buffers p) -> x (number b) + size b <= h.

(** No layout has a peak below h. *)
Definition least (p : problem) (h : Z) := forall x, valid p x -> reaches p x h.
(** A layout has a peak of h, and no layout has a lower one. *)
Definition optimal (p : problem) (x : layout) (h : Z) := valid p x /\ fits p x h /\ least p h.
