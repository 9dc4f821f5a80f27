/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap: the program, on top of the public interface of libneap. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/help/help.h"
#include "cli/options/parser.h"
#include "cli/output/messages.h"
#include "cli/run.h"

static int run_command(const struct command *command, int argc, char **argv) {
  struct arguments arguments;
  int code = arguments_parse(&arguments, command, argc, argv);
  if (code == 0) {
    if (arguments.help_brief) help_brief(stdout, command);
    else if (arguments_ask_help(&arguments, command))
      help_command(stdout, command, arguments.help_all);
    else code = command->run(&arguments);
  }
  arguments_clear(&arguments);
  return code;
}

static int run_named(const char *word, int argc, char **argv) {
  if (*word == '-')
    return message_usage(
        "expected a command before any option, found '%s'; 'neap --help' lists them", word);
  const struct command *command = command_find(word);
  return command ? run_command(command, argc - 1, argv + 1) : EXIT_USAGE;
}

static int run_program(int argc, char **argv) {
  if (argc < 2) return message_usage("expected a command; 'neap --help' lists them");
  const char *word = argv[1];
  if (strcmp(word, "-h") == 0) help_program_brief(stdout);
  else if (strcmp(word, "--help") == 0) help_program(stdout);
  else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
    printf("neap %s\n", neap_version());
  else return run_named(word, argc, argv);
  return EXIT_DONE;
}

/* A failure to write the results is an error, unless there was an earlier one to report. */
static int close_results(int code) {
  bool failed = ferror(stdout) != 0;
  if (fclose(stdout) == 0 && !failed) return code;
  if (errno == 0) errno = EIO;
  return code == EXIT_DONE ? message_system("standard output", "cannot write") : code;
}

int main(int argc, char **argv) {
  messages_init(MESSAGES_NORMAL);
  messages_reword_with(commands_reword);
  signal(SIGXFSZ, SIG_IGN); /* so exceeding a limit on file sizes is a write error */
  errno = 0;
  return run_exit_code(close_results(run_program(argc, argv)));
}
