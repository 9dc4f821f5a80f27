(* SPDX-License-Identifier: GPL-3.0-or-later *)
(** Prints what the theorems rest on, and writes the checker in OCaml. *)
From Coq Require Import ExtrOcamlBasic.
From Neap Require Import graph lowest valid certificate check_order check_sets.

Print Assumptions accepts_least_sound.
Print Assumptions accepts_peak_sound.
Print Assumptions is_valid_in_pools_true.
Print Assumptions accepts_order_sound.
Print Assumptions accepts_sets_sound.

Extraction Language OCaml.
Extraction "checker.ml" is_valid is_valid_in_pools accepts_peak accepts_least accepts_order accepts_sets with_operator nowhere.
