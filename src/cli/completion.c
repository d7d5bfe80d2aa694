/* Completion of the command line by shells: a script for each of them, from the tables. */
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/words.h"

/* Words on an option without the characters that quoting in shells would trip over, and only their
 * first sentence. */
static void print_words(const char *help) {
    for (const char *p = help; *p && *p != ';'; p++)
        if (!strchr("'\"[]`$\\", *p)) putchar(*p);
}

static bool is_shown(const option_row *row, const command_row *command) {
    return row->help && row->commands & (int)command->command;
}

/* What follows an option is a file, unless its value is written otherwise in the table. */
static bool takes_file(const option_row *row) {
    return row->value && (strstr(row->value, "FILE") || strstr(row->value, "DIR") ||
                          strncmp(row->value, "F.", 2) == 0);
}

static void print_command_names(void) {
    for (int c = 0; c < COMMANDS; c++) printf("%s%s", c ? " " : "", COMMAND[c].name);
}

static void print_bash(void) {
    printf("# bash completion of taut\n"
           "_taut() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= "
           "options= w\n"
           "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
           "        case $w in -*) ;; *) command=$w; break ;; esac\n"
           "    done\n"
           "    if [ -z \"$command\" ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    print_command_names();
    printf(" --help --version' -- \"$word\"))\n        return\n    fi\n    case $command in\n");
    for (int c = 0; c < COMMANDS; c++) {
        printf("    %s) options='", COMMAND[c].name);
        for (int k = 0; k < OPTIONS; k++)
            if (is_shown(&OPTION[k], &COMMAND[c])) printf("%s ", OPTION[k].name);
        printf("' ;;\n");
    }
    printf("    esac\n"
           "    case $before in\n"
           "    --formulation) COMPREPLY=($(compgen -W 'natural reference relative minimal' -- "
           "\"$word\")) ;;\n"
           "    --solver) COMPREPLY=($(compgen -W 'auto taylor ho bdf adams erk rk4 ida' -- "
           "\"$word\")) ;;\n"
           "    *)\n"
           "        case $word in\n"
           "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "        esac ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _taut taut\n");
}

static void print_zsh(void) {
    printf("#compdef taut\n_taut() {\n    local -a commands\n    commands=(\n");
    for (int c = 0; c < COMMANDS; c++) {
        printf("        '%s:", COMMAND[c].name);
        print_words(COMMAND[c].help);
        printf("'\n");
    }
    printf("    )\n"
           "    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n  "
           "  fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command "
           "in\n");
    for (int c = 0; c < COMMANDS; c++) {
        printf("    %s)\n        _arguments \\\n", COMMAND[c].name);
        for (int k = 0; k < OPTIONS; k++) {
            if (!is_shown(&OPTION[k], &COMMAND[c])) continue;
            printf("            '*%s[", OPTION[k].name);
            print_words(OPTION[k].help);
            printf("]%s' \\\n", !OPTION[k].value         ? ""
                                : takes_file(&OPTION[k]) ? ":file:_files"
                                                         : ":value: ");
        }
        printf("            '*:file:_files' ;;\n");
    }
    printf("    esac\n}\n_taut \"$@\"\n");
}

static void print_fish(void) {
    printf("# fish completion of taut\n");
    for (int c = 0; c < COMMANDS; c++) {
        printf("complete -c taut -n __fish_use_subcommand -a %s -d '", COMMAND[c].name);
        print_words(COMMAND[c].help);
        printf("'\n");
    }
    for (int k = 0; k < OPTIONS; k++) {
        if (!OPTION[k].help) continue;
        printf("complete -c taut -n '__fish_seen_subcommand_from");
        for (int c = 0; c < COMMANDS; c++)
            if (is_shown(&OPTION[k], &COMMAND[c])) printf(" %s", COMMAND[c].name);
        printf("' %s %s%s -d '", OPTION[k].name[1] == '-' ? "-l" : "-s",
               OPTION[k].name + (OPTION[k].name[1] == '-' ? 2 : 1), OPTION[k].value ? " -r" : "");
        print_words(OPTION[k].help);
        printf("'\n");
    }
}

int print_completion(const char *shell) {
    static const struct {
        const char *shell;
        void (*print)(void);
    } script[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++)
        if (strcmp(script[i].shell, shell) == 0) {
            script[i].print();
            return EXIT_DONE;
        }
    fprintf(stderr, "taut: error: --completion %s: bash, zsh or fish is expected\n", shown(shell));
    return EXIT_WRONG;
}
