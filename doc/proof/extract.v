(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Prints what the theorems rest on, and writes the checker in OCaml. *)
From Coq Require Import ExtrOcamlBasic.
From Neap Require Import certificate.

Print Assumptions accepts_least_sound.
Print Assumptions accepts_peak_sound.

Extraction Language OCaml.
Extraction "checker.ml" accepts_peak accepts_least add_digit.
