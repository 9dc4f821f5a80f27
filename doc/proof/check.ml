(* SPDX-License-Identifier: GPL-3.0-or-later *)
(* Reads a certificate and gives it to the checker that is proven.  Nothing here is proven: it only says what the text states. *)
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
  else String.fold_left (fun n c -> add_digit n (small (Char.code c - Char.code '0'))) Z0 word

let optional word = if word = "-" then None else Some (number word)

(* ---------------------------------------------------------------- lines *)

let fields line = String.split_on_char ' ' line

(* The fields after `buffer NAME `, where NAME is a JSON string. *)
let after_name line =
  let length = String.length line in
  let rec past at =
    if at >= length then refuse "a name does not end"
    else match line.[at] with '"' -> at + 1 | '\\' -> past (at + 2) | _ -> past (at + 1)
  in
  let begins = String.index line '"' in
  let ends = past (begins + 1) in
  if ends >= length || line.[ends] <> ' ' then refuse "a buffer is malformed";
  fields (String.sub line (ends + 1) (length - ends - 1))

let rec lifetimes = function
  | [] -> []
  | from :: until :: words -> { start = number from; stop = number until } :: lifetimes words
  | [ _ ] -> refuse "a time is missing"

let buffer at line =
  match after_name line with
  | size :: alignment :: fixed :: low :: high :: bank :: offset :: times ->
      ( { number = small at; size = number size; alignment = number alignment; fixed = optional fixed; low = number low;
          high = optional high; bank = optional bank; lives = lifetimes times },
        optional offset )
  | _ -> refuse "a buffer is malformed"

type stated = {
  mutable count : int;
  mutable placed : (buffer * z option) list;
  mutable constraints : problem;
  mutable why : reason option;
}

let statement stated line =
  let c = stated.constraints in
  match fields line with
  | "buffer" :: _ ->
      stated.placed <- buffer stated.count line :: stated.placed;
      stated.count <- stated.count + 1
  | [ "reserved"; low; high; from; until ] ->
      let hole = { bottom = number low; top = optional high; during = { start = number from; stop = number until } } in
      stated.constraints <- { c with holes = hole :: c.holes }
  | [ "separation"; i; j; "0" ] -> stated.constraints <- { c with separations = (number i, number j) :: c.separations }
  | [ "exclusion"; i; j; "0" ] -> stated.constraints <- { c with exclusions = (number i, number j) :: c.exclusions }
  | [ "overlap"; i; j; d ] -> stated.constraints <- { c with overlaps = ((number i, number j), number d) :: c.overlaps }
  | "load" :: moment :: _ when stated.why = None -> stated.why <- Some (Load (number moment))
  | word :: _ -> refuse (Printf.sprintf "'%s' is not covered by the proof" word)
  | [] -> refuse "a line is empty"

let offset = function b, Some o -> (b, o) | _, None -> refuse "a buffer has no offset"

let check lines =
  let head, claim, statements =
    match lines with head :: claim :: lines -> (head, fields claim, lines) | _ -> refuse "the text is cut off"
  in
  if head <> "neap-certificate 1" then refuse "it is no certificate of version 1";
  let none = { buffers = []; holes = []; separations = []; exclusions = []; overlaps = [] } in
  let stated = { count = 0; placed = []; constraints = none; why = None } in
  List.iter (statement stated) statements;
  let placed = List.rev stated.placed in
  let p = { stated.constraints with buffers = List.map fst placed } in
  let why = Option.value stated.why ~default:Nothing in
  match claim with
  | [ "peak"; peak ] -> accepts_peak p (List.map offset placed) (number peak) why
  | [ "least"; least ] -> accepts_least p (number least) why
  | _ -> refuse (Printf.sprintf "the claim '%s' is not covered by the proof" (String.concat " " claim))

let lines_of path =
  let channel = open_in_bin path in
  let rec read lines = match input_line channel with line -> read (line :: lines) | exception End_of_file -> lines in
  let lines = read [] in
  close_in channel;
  match lines with
  | last :: lines when List.nth_opt (fields last) 1 = Some (string_of_int (List.length lines)) -> List.rev lines
  | _ -> refuse "the text is cut off"

let () =
  match check (lines_of Sys.argv.(1)) with
  | true -> print_endline "accepted"
  | false -> print_endline "rejected"; exit 1
  | exception Refused text -> prerr_endline text; exit 2
