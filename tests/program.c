/* Temporary folder, fork and exec, and a small reader of CSV. */
#include "program.h"

#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 40, MOST_EMULATOR = 8 };

static char folder[64];

/* ---- files ---- */

int program_enter(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/taut-test-XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

/* Removes what is in a folder, and the folder. */
static void remove_all(const char *path) {
    DIR *dir = opendir(path);
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        char name[600];
        struct stat info;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (lstat(name, &info) == 0 && S_ISDIR(info.st_mode))
            remove_all(name);
        else
            remove(name);
    }
    if (dir) closedir(dir);
    rmdir(path);
}

int program_leave(void **state) {
    (void)state;
    if (chdir("/") != 0) return -1;
    remove_all(folder);
    return 0;
}

void program_write(const char *name, const char *text, long length) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    const size_t n = length < 0 ? strlen(text) : (size_t)length;
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Everything that a stream still holds, as a string. */
static char *read_all(FILE *file) {
    size_t length = 0, room = 1 << 16;
    char *text = malloc(room);
    assert_non_null(text);
    for (;;) {
        length += fread(text + length, 1, room - length - 1, file);
        if (length < room - 1) break;
        room *= 2;
        text = realloc(text, room);
        assert_non_null(text);
    }
    text[length] = '\0';
    return text;
}

char *program_read(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file) return NULL;
    char *text = read_all(file);
    fclose(file);
    return text;
}

bool program_exists(const char *name) { return access(name, F_OK) == 0; }
void program_remove(const char *name) { remove(name); }

int program_list(char *text, size_t size) {
    DIR *dir = opendir(".");
    int count = 0;
    size_t used = 0;
    assert_non_null(dir);
    text[0] = '\0';
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        count++;
        if (used < size) used += (size_t)snprintf(text + used, size - used, "%s ", entry->d_name);
    }
    closedir(dir);
    return count;
}

/* ---- running ---- */

static void pause_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

/* The program, and before it whatever runs it where it is for another processor: words of
 * TAUT_EMULATOR. Returns how many words there are. */
static int name_program(char **argv) {
    static char words[1000];
    char *rest = NULL;
    int count = 0;
    snprintf(words, sizeof words, "%s", getenv("TAUT_EMULATOR") ? getenv("TAUT_EMULATOR") : "");
    for (char *w = strtok_r(words, " ", &rest); w && count < MOST_EMULATOR;
         w = strtok_r(NULL, " ", &rest))
        argv[count++] = w;
    argv[count++] = (char *)(uintptr_t)TAUT_PROGRAM;
    return count;
}

static void become_taut(const char *const *arguments, FILE *out, FILE *err) {
    char *argv[MOST_EMULATOR + MOST_ARGUMENTS + 2] = {0};
    const int first = name_program(argv);
    for (int i = 0; arguments[i] && i < MOST_ARGUMENTS; i++)
        argv[first + i] = (char *)(uintptr_t)arguments[i];
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
        _exit(126);
    execvp(argv[0], argv);
    _exit(127);
}

void program_run(program_result *result, const char *const *arguments, double delay) {
    FILE *out = tmpfile(), *err = tmpfile();
    int status = 0;
    assert_non_null(out);
    assert_non_null(err);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) become_taut(arguments, out, err);
    if (delay > 0.0) {
        pause_for(delay);
        kill(child, SIGINT);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    rewind(out);
    rewind(err);
    *result =
        (program_result){.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                         .out = read_all(out),
                         .err = read_all(err)};
    fclose(out);
    fclose(err);
    assert_int_not_equal(result->code, 127); /* the program was not found */
    if (strstr(result->err, "Sanitizer") || strstr(result->err, "runtime error:"))
        fail_msg("a sanitizer complains:\n%s", result->err);
}

void program_call(program_result *result, const char *command) {
    const char *argument[MOST_ARGUMENTS + 1] = {0};
    char words[1000];
    int count = 0;
    assert_true(strlen(command) < sizeof words);
    snprintf(words, sizeof words, "%s", command);
    for (char *p = words; p && *p && count < MOST_ARGUMENTS;) {
        argument[count++] = p;
        p = strchr(p, ' ');
        if (p) *p++ = '\0';
    }
    program_run(result, argument, 0.0);
}

void program_release(program_result *result) {
    free(result->out);
    free(result->err);
    *result = (program_result){0};
}

/* ---- CSV ---- */

void program_table_read(program_table *table, const char *csv) {
    *table = (program_table){.text = malloc(strlen(csv) + 1), .columns = 1};
    assert_non_null(table->text);
    memcpy(table->text, csv, strlen(csv) + 1);
    char *line = table->text, *end = strchr(line, '\n');
    assert_non_null(end);
    *end = '\0';
    for (const char *p = line; *p; p++) table->columns += *p == ',';
    table->name = malloc((size_t)table->columns * sizeof *table->name);
    assert_non_null(table->name);
    for (int c = 0; c < table->columns; c++) {
        table->name[c] = line;
        line += strcspn(line, ",");
        if (*line) *line++ = '\0';
    }
    char *p = end + 1;
    for (const char *q = p; *q; q++) table->rows += *q == '\n';
    table->value = malloc((size_t)(table->rows * table->columns + 1) * sizeof *table->value);
    assert_non_null(table->value);
    for (long i = 0; i < table->rows * table->columns; i++) {
        char *stop;
        table->value[i] = strtod(p, &stop);
        assert_true(stop > p);
        assert_int_equal(*stop, (i + 1) % table->columns ? ',' : '\n');
        p = stop + 1;
    }
    assert_int_equal(*p, '\0'); /* the last line is whole */
}

void program_table_free(program_table *table) {
    free(table->text);
    free(table->name);
    free(table->value);
    *table = (program_table){0};
}

int program_table_column(const program_table *table, const char *name) {
    for (int c = 0; c < table->columns; c++)
        if (strcmp(table->name[c], name) == 0) return c;
    fail_msg("there is no column %s", name);
    return -1;
}

double program_table_get(const program_table *table, long row, const char *name) {
    const int c = program_table_column(table, name);
    if (row < 0) row += table->rows;
    assert_true(row >= 0 && row < table->rows);
    return table->value[row * table->columns + c];
}
