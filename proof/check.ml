(* SPDX-License-Identifier: GPL-3.0-or-later *)
(* Reads a certificate and gives what it states to the proven checker.  Nothing in this file is proven. *)
open Checker

exception Refused of string

let refuse text = raise (Refused text)

(* ---------------------------------------------------------------- numbers *)

let rec positive n = if n = 1 then XH else if n land 1 = 0 then XO (positive (n lsr 1)) else XI (positive (n lsr 1))
let small n = if n = 0 then Z0 else if n < 0 then Zneg (positive (-n)) else Zpos (positive n)

let number word =
  let is_digits = word <> "" && String.length word <= 19 && String.for_all (fun c -> '0' <= c && c <= '9') word in
  if not is_digits || (word.[0] = '0' && word <> "0") then refuse (Printf.sprintf "'%s' is not a number" word);
  if String.length word <= 18 then small (int_of_string word)
  else String.fold_left (fun n c -> Z.add (Z.mul (small 10) n) (small (Char.code c - Char.code '0'))) Z0 word

(* Only distances may be negative. *)
let distance word =
  if word <> "" && word.[0] = '-' then Z.mul (small (-1)) (number (String.sub word 1 (String.length word - 1))) else number word

let optional word = if word = "-" then None else Some (number word)

(* ---------------------------------------------------------------- lines *)

let fields line = String.split_on_char ' ' line

(* The fields after `buffer NAME ` or `pool NAME `, where NAME is a JSON string. *)
let after_name line =
  let length = String.length line in
  let rec past at =
    if at >= length then refuse "a name does not end"
    else match line.[at] with '"' -> at + 1 | '\\' -> past (at + 2) | _ -> past (at + 1)
  in
  let begins = String.index line '"' in
  let ends = past (begins + 1) in
  if ends >= length || line.[ends] <> ' ' then refuse "a line is malformed";
  fields (String.sub line (ends + 1) (length - ends - 1))

let rec lifetimes = function
  | [] -> []
  | from :: until :: words -> { start = number from; stop = number until } :: lifetimes words
  | [ _ ] -> refuse "a time is missing"

let buffer line =
  match after_name line with
  | size :: alignment :: fixed :: low :: high :: bank :: offset :: times ->
      ( { number = Z0; size = number size; alignment = number alignment; fixed = optional fixed; low = number low;
          high = optional high; bank = optional bank; lives = lifetimes times },
        optional offset )
  | _ -> refuse "a buffer is malformed"

(* ---------------------------------------------------------------- the problem *)

(* [offsets], of buffers, and [chosen], their pools: of the last one first. *)
type statements = { p : problem; offsets : z option list; pools : pool list; chosen : z option list; choices : (z * z) list; why : reason }

let no_problem =
  { buffers = []; holes = []; separations = []; exclusions = []; overlaps = []; colocations = []; bank_separations = [] }
let nothing = { p = no_problem; offsets = []; pools = []; chosen = []; choices = []; why = Nothing }

let index word =
  match int_of_string_opt word with Some n when n >= 0 && string_of_int n = word -> n | _ -> refuse "no such number"

let rec two_by_two = function
  | [] -> []
  | i :: j :: words -> (number i, number j) :: two_by_two words
  | [ _ ] -> refuse "a statement is cut off"

let hole low high from until =
  let until = Option.value (optional until) ~default:nowhere in
  { bottom = number low; top = optional high; during = { start = number from; stop = until } }

let pool at line =
  match after_name line with
  | [ capacity; alignment; _ ] -> { index = small at; capacity = optional capacity; grain = number alignment; reserved = [] }
  | _ -> refuse "a pool is malformed"

(* Adds what a line says, last first. *)
let statement s line =
  let p = s.p in
  let triple i j d = ((number i, number j), number d) in
  match fields line with
  | "buffer" :: _ ->
      let b, offset = buffer line in
      { s with p = { p with buffers = b :: p.buffers }; offsets = offset :: s.offsets }
  | "pool" :: _ -> { s with pools = s.pools @ [ pool (List.length s.pools) line ] }
  | "in" :: i :: own :: choices ->
      { s with chosen = optional own :: s.chosen; choices = List.map (fun k -> (number i, number k)) choices @ s.choices }
  | [ "reserved"; low; high; from; until ] -> { s with p = { p with holes = hole low high from until :: p.holes } }
  | [ "reserved"; low; high; from; until; k ] ->
      let add own = if own.index = number k then { own with reserved = hole low high from until :: own.reserved } else own in
      { s with pools = List.map add s.pools }
  | [ "separation"; i; j; "0" ] -> { s with p = { p with separations = (number i, number j) :: p.separations } }
  | [ "exclusion"; i; j; "0" ] -> { s with p = { p with exclusions = (number i, number j) :: p.exclusions } }
  | [ "overlap"; i; j; d ] -> { s with p = { p with overlaps = triple i j d :: p.overlaps } }
  | [ "colocation"; i; j; d ] -> { s with p = { p with colocations = ((number i, number j), distance d) :: p.colocations } }
  | [ "bank_separation"; i; j; d ] -> { s with p = { p with bank_separations = triple i j d :: p.bank_separations } }
  | "load" :: moment :: _ when s.why = Nothing -> { s with why = Load (number moment) }
  | "banks" :: bytes :: items when s.why = Nothing -> { s with why = Banks (number bytes, List.map number items) }
  | "column" :: items when s.why = Nothing -> { s with why = Column (List.map number items) }
  | [ "pairs"; _ ] when s.why = Nothing -> { s with why = Pairs ([], []) }
  | "clique" :: items -> (
      match s.why with
      | Pairs (cliques, []) -> { s with why = Pairs (List.map number items :: cliques, []) }
      | _ -> refuse "a clique is in no pairs")
  | "below" :: items -> (
      match s.why with
      | Pairs (cliques, clauses) -> { s with why = Pairs (cliques, two_by_two items :: clauses) }
      | _ -> refuse "a clause is in no pairs")
  | word :: _ -> refuse (Printf.sprintf "'%s' is not covered by the proofs" word)
  | [] -> refuse "a line is empty"

let in_order = function Pairs (cliques, clauses) -> Pairs (List.rev cliques, List.rev clauses) | why -> why

(* The line before the clauses has their number. *)
let check_count lines = function
  | Pairs (_, clauses) when not (List.mem (Printf.sprintf "pairs %d" (List.length clauses)) lines) -> refuse "a clause is missing"
  | _ -> ()

let statements_of lines =
  let s = List.fold_left statement nothing lines in
  check_count lines s.why;
  let buffers = List.mapi (fun at b -> { b with number = small at }) (List.rev s.p.buffers) in
  { s with p = { s.p with buffers }; why = in_order s.why }

let rec int_of_positive = function XH -> 1 | XO n -> 2 * int_of_positive n | XI n -> (2 * int_of_positive n) + 1
let int_of = function Zpos n -> int_of_positive n | _ -> 0

(* What each buffer has, by its number. *)
let by_number last_first =
  let given = function Some n -> n | None -> refuse "a buffer has no place" in
  let table = Array.of_list (List.rev_map given last_first) in
  fun n -> table.(int_of n)

let is_sound s =
  if s.pools = [] then is_valid s.p (by_number s.offsets)
  else is_valid_in_pools s.p s.pools s.choices (by_number s.chosen) (by_number s.offsets)

(* The bodies of colocated buffers can need more than the proofs conclude. *)
let is_beyond s = s.p.colocations <> [] && refuse "what colocations require is not covered by the proofs"

let check_problem claim lines =
  match claim with
  | [ "peak"; peak ] ->
      let s = statements_of lines in
      accepts_peak s.p (by_number s.offsets) (number peak) s.why || (is_sound s && is_beyond s)
  | [ "least"; least ] ->
      let s = statements_of lines in
      accepts_least s.p (Option.value (optional least) ~default:nowhere) s.why || is_beyond s
  | _ -> refuse (Printf.sprintf "the claim '%s' is not covered by the proofs" (String.concat " " claim))

(* ---------------------------------------------------------------- the order *)

(* Operators count from 1 here. *)
let operator word = positive (index word + 1)
let operators words = if words = [ "-" ] then [] else List.map operator words

let value size maker life readers =
  let stays = match (life, readers) with "ends", _ -> false | "stays", [ "-" ] -> true | _ -> refuse "a value is malformed" in
  { bytes_of = number size; maker = (if maker = "-" then None else Some (operator maker)); stays;
    readers = operators readers }

(* The lines before the cuts, and what follows. *)
let rec graph values needs count = function
  | ("value" :: size :: maker :: life :: readers) :: lines -> graph (value size maker life readers :: values) needs count lines
  | ("operator" :: before) :: lines ->
      let needs = List.rev_append (List.map (fun j -> (positive (count + 1), j)) (operators before)) needs in
      graph values needs (count + 1) lines
  | lines -> ({ operators = List.init count (fun k -> positive (k + 1)); needs = List.rev needs; values = List.rev values }, lines)

let flow_of = function
  | [ "flow"; value; reader; bytes ] -> Some (index value, ((if reader = "-" then None else Some (operator reader)), number bytes))
  | _ -> None

let carry_of = function [ "need"; k; j; bytes ] -> Some ((operator k, operator j), number bytes) | _ -> None

(* The lines of one kind in front. *)
let rec split_lines read found = function
  | line :: lines when read line <> None -> split_lines read (Option.get (read line) :: found) lines
  | lines -> (List.rev found, lines)

let flows_by_value count flows =
  let lists = Array.make count [] in
  List.iter (fun (v, f) -> if v < count then lists.(v) <- f :: lists.(v) else refuse "there is no such value") flows;
  Array.to_list lists

(* A cut with the lines that belong to it, and the lines after these. *)
let cut count k lines =
  let flows, lines = split_lines flow_of [] lines in
  let carries, lines = split_lines carry_of [] lines in
  ({ cut_at = operator k; flows = flows_by_value count flows; carries }, lines)

let rec steps count found rule = function
  | [ "before"; i; j ] :: lines when rule = None -> steps count found (Some (operator i, operator j)) lines
  | [ "cut"; k ] :: lines ->
      let way, lines = cut count k lines in
      steps count ({ rule; way } :: found) None lines
  | [] when rule = None -> List.rev found
  | (word :: _) :: _ -> refuse (Printf.sprintf "'%s' is not covered by the proofs" word)
  | _ -> refuse "the order is malformed"

(* A set of operators in hexadecimal. *)
let set word =
  let digit at c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | _ -> refuse (Printf.sprintf "'%s' is not a set" (String.sub word at 1))
  in
  let bit at c found k = if digit at c lsr k land 1 = 1 then ((4 * (String.length word - 1 - at)) + k + 1) :: found else found in
  let bits = List.concat (List.mapi (fun at c -> List.fold_left (bit at c) [] [ 0; 1; 2; 3 ]) (List.of_seq (String.to_seq word))) in
  List.fold_left (fun s k -> with_operator s (positive k)) N0 bits

let rec entries count found = function
  | [ "set"; s ] :: lines -> entries count ((set s, All) :: found) lines
  | ("run" :: s :: chain) :: lines -> entries count ((set s, Chain (List.map operator chain)) :: found) lines
  | [ "stop"; s; k ] :: lines ->
      let way, lines = cut count k lines in
      entries count ((set s, Stop way) :: found) lines
  | [] -> found
  | (word :: _) :: _ -> refuse (Printf.sprintf "'%s' is not covered by the proofs" word)
  | [] :: _ -> refuse "a line is empty"

let check_order bound lines =
  match List.map fields lines with
  | [ "order"; b; first ] :: lines when b = bound -> (
      let g, lines = graph [] [] 0 lines in
      let count = List.length g.values in
      match lines with
      | (("cut" | "before") :: _) :: _ when first = "0" -> accepts_order g (number bound) (steps count [] None lines)
      | _ -> accepts_sets g (number bound) (List.init (index first) (fun k -> positive (k + 1))) (entries count [] lines))
  | _ -> refuse "the order is not that of the claim"

(* ---------------------------------------------------------------- the whole *)

let is_order line = String.length line > 6 && String.sub line 0 6 = "order "

let check lines =
  match lines with
  | "neap-certificate 1" :: claim :: lines -> (
      let rec halves first = function line :: lines when not (is_order line) -> halves (line :: first) lines | lines -> (List.rev first, lines) in
      let problem, order = halves [] lines in
      match (fields claim, order) with
      | [ "peak"; peak; "order"; bound; _ ], _ :: _ -> check_problem [ "peak"; peak ] problem && check_order bound order
      | claim, [] -> check_problem claim problem
      | _ -> refuse "the claim says nothing of the order")
  | _ -> refuse "it is no certificate of version 1"

(* The lines, last first. *)
let lines_of path =
  let channel = open_in_bin path in
  let rec read lines = match input_line channel with line -> read (line :: lines) | exception End_of_file -> lines in
  let lines = read [] in
  close_in channel;
  lines

let whole = function
  | last :: lines when List.nth_opt (fields last) 1 = Some (string_of_int (List.length lines)) -> List.rev lines
  | _ -> refuse "the text is cut off"

(* Of certificates one after another: whether each layout keeps all constraints, whatever is claimed of it. *)
let rec layouts part = function
  | [] -> ()
  | line :: lines when String.starts_with ~prefix:"end " line -> layouts part lines
  | "neap-certificate 1" :: lines ->
      let s = statements_of (List.tl part) in
      layouts [] lines;
      print_char (if is_sound s then 's' else '-')
  | line :: lines -> layouts (line :: part) lines

let check_files = function
  | [ "--layouts"; path ] -> layouts [] (lines_of path); exit 0
  | [ path ] -> check (whole (lines_of path))
  | _ -> refuse "give one certificate"

let () =
  match check_files (List.tl (Array.to_list Sys.argv)) with
  | true -> print_endline "accepted"
  | false -> print_endline "rejected"; exit 1
  | exception Refused text -> prerr_endline text; exit 2
