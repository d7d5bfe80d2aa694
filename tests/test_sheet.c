/* Tests of core/sheet: CSV as people write it, and every message about what is wrong with it. */
#include "check.h"

#include <stdio.h>
#include <string.h>

#include "core/sheet.h"

static taut_sheet *parse(const char *text) {
    taut_errors errors = {0};
    taut_sheet *s;
    if (taut_sheet_parse("a.csv", text, (long)strlen(text), &s, &errors) != TAUT_OK)
        fail_msg("%s", errors.item[0].message);
    return s;
}

static void check_column(const taut_sheet *s, const char *name, int count, const double *expected) {
    double value[16];
    const int column = taut_sheet_find(s, name);
    assert_true(column >= 0);
    assert_int_equal(s->rows, count);
    assert_int_equal(taut_sheet_numbers(s, column, value, NULL), TAUT_OK);
    for (int i = 0; i < count; i++) assert_true(value[i] == expected[i]);
}

static void test_what_people_write_is_read(void **state) {
    (void)state;
    static const char *const text[] = {
        "x,z\n1,2\n3,4.5e-3\n",
        "x,z\r\n1,2\r\n3,4.5e-3\r\n",
        "\xEF\xBB\xBFx,z\n1,2\n3,4.5e-3",
        "# measured on Tuesday\n\nx, z\n 1 ,\t2\n\n# half way\n3 , .0045\n\n",
        "\"x\",\"z\"\n\"1\",\"2\"\n3,\"4.5e-3\" \n",
        "x;z\n1;2\n3;0.0045\n",
        "x\tz\n1\t2\n3\t+4.5E-03\n",
        "x,note,z\n1,\"a, b\n\"\"c\"\"\",2\n3,,4.5e-3\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        taut_sheet *s = parse(text[i]);
        check_column(s, "x", 2, (const double[]){1.0, 3.0});
        check_column(s, "z", 2, (const double[]){2.0, 4.5e-3});
        assert_int_equal(taut_sheet_find(s, "y"), -1);
        taut_sheet_free(&s);
        assert_null(s);
    }
}

static void test_quotes_hold_anything(void **state) {
    (void)state;
    taut_sheet *s = parse("\"a \"\"b\"\", c\",d\n1,2\n");
    assert_string_equal(s->name[0], "a \"b\", c");
    assert_int_equal(s->columns, 2);
    taut_sheet_free(&s);
}

/* What taut writes for a robot of many bodies it reads as well. */
static void test_thousands_of_columns_are_read(void **state) {
    (void)state;
    enum { COLUMNS = 2200, ROOM = 20 * COLUMNS };
    static char text[ROOM];
    size_t used = 0;
    for (int row = 0; row < 2; row++)
        for (int c = 0; c < COLUMNS; c++)
            used += (size_t)snprintf(text + used, ROOM - used, "%s%d%c", row ? "" : "c", c,
                                     c + 1 < COLUMNS ? ',' : '\n');
    taut_sheet *s = parse(text);
    assert_int_equal(s->columns, COLUMNS);
    check_column(s, "c2199", 1, (const double[]){2199.0});
    taut_sheet_free(&s);
}

static void test_places_count_characters(void **state) {
    (void)state;
    taut_sheet *s = parse("# \n\xC3\xA4,z\n1,2\n3, 4\n");
    const taut_place head = taut_sheet_place(s, -1, 1), cell = taut_sheet_place(s, 1, 1);
    assert_int_equal(head.line, 2);
    assert_int_equal(head.column, 3);
    assert_int_equal(cell.line, 4);
    assert_int_equal(cell.column, 4);
    taut_sheet_free(&s);
}

static void test_faults_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
        int line, column;
    } bad[] = {
        {"", "this file has no header row: names of columns", 1, 1},
        {"\n# nothing\n", "this file has no header row: names of columns", 1, 1},
        {"x,z\n", "there are no rows below the header", 2, 1},
        {"0,1\n1,2\n",
         "the first row names the columns, but here is a number: put a line with names above it", 1,
         1},
        {"x,x\n1,2\n", "two columns have the name 'x'", 1, 3},
        {"x,z\n1,2\n1,2,3\n", "this row has 3 cells, the header has 2", 3, 1},
        {"x,z\n1,2\n1\n", "this row has 1 cell, the header has 2", 3, 1},
        {"x,z\n1,5,2,5\n",
         "this row has 4 cells, the header has 2 (numbers have a decimal point, not a comma)", 2,
         1},
        {"x,z\n\"1,2\n3,4\n", "this quote is not closed", 2, 1},
        {"x,z\n\"1\"2,3\n", "a cell in quotes ends with the quote: a separator is expected here", 2,
         4},
        {"x,z\n1,\x01\n", "this is no text: a control character stands in the line", 2, 1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        taut_errors errors = {0};
        taut_sheet *s;
        const taut_status status =
            taut_sheet_parse("a.csv", bad[i].text, (long)strlen(bad[i].text), &s, &errors);
        assert_int_equal(status, TAUT_ERR_INPUT);
        assert_null(s);
        assert_string_equal(errors.item[0].message, bad[i].message);
        assert_string_equal(errors.item[0].path, "a.csv");
        assert_int_equal(errors.item[0].line, bad[i].line);
        assert_int_equal(errors.item[0].column, bad[i].column);
    }
}

static void test_cells_that_are_no_numbers_are_told(void **state) {
    (void)state;
    static const struct {
        const char *cell, *message;
    } bad[] = {
        {"", "a number of the column 'z' is missing here"},
        {"one", "'one' in the column 'z' is not a finite number"},
        {"0x10", "'0x10' in the column 'z' is not a finite number"},
        {"nan", "'nan' in the column 'z' is not a finite number"},
        {"1e999", "'1e999' in the column 'z' is not a finite number"},
        {"1.5.2", "'1.5.2' in the column 'z' is not a finite number"},
        {"12 mm", "'12 mm' in the column 'z' is not a finite number"},
        {"\"1,5\"",
         "'1,5' in the column 'z' is not a finite number: numbers have a decimal point, not a "
         "comma"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[80];
        double value[2];
        taut_errors errors = {0};
        snprintf(text, sizeof text, "x,z\n1,2\n3,%s\n", bad[i].cell);
        taut_sheet *s = parse(text);
        assert_int_equal(taut_sheet_numbers(s, 1, value, &errors), TAUT_ERR_INPUT);
        assert_string_equal(errors.item[0].message, bad[i].message);
        assert_int_equal(errors.item[0].line, 3);
        assert_int_equal(errors.item[0].column, 3);
        assert_int_equal(taut_sheet_numbers(s, 0, value, NULL), TAUT_OK);
        taut_sheet_free(&s);
    }
}

static void test_files_that_are_not_there_are_told(void **state) {
    (void)state;
    taut_errors errors = {0};
    taut_sheet *s;
    assert_int_equal(taut_sheet_read("no-such-folder/a.csv", false, &s, &errors), TAUT_ERR_IO);
    assert_null(s);
    assert_string_equal(errors.item[0].message, "cannot open it: No such file or directory");
}

/* A row, a file and a folder that are too much for it. */
static void test_too_large_tables_are_refused(void **state) {
    (void)state;
    enum { COLUMNS = 5001, BYTES = (64 << 20) + 1 };
    static char text[BYTES + 1];
    taut_errors errors = {0};
    taut_sheet *s = NULL;
    for (int i = 0; i < COLUMNS; i++) {
        char name[20];
        snprintf(name, sizeof name, "c%06d,", i);
        memcpy(text + 8 * (size_t)i, name, 8);
    }
    memcpy(text + 8 * COLUMNS - 1, "\n", 2);
    assert_int_equal(taut_sheet_parse("a.csv", text, (long)strlen(text), &s, &errors),
                     TAUT_ERR_INPUT);
    assert_string_equal(errors.item[0].message, "more than 5000 columns");
    memset(text, ' ', BYTES);
    errors.count = 0;
    assert_int_equal(taut_sheet_parse("a.csv", text, BYTES, &s, &errors), TAUT_ERR_INPUT);
    assert_string_equal(errors.item[0].message, "a table has at most 64 MB");
    assert_null(s);
    errors.count = 0;
    assert_int_equal(taut_sheet_read("/dev/zero", false, &s, &errors), TAUT_ERR_INPUT);
    assert_string_equal(errors.item[0].message, "a table has at most 64 MB");
    errors.count = 0;
    assert_int_equal(taut_sheet_read(".", false, &s, &errors), TAUT_ERR_IO);
    assert_string_equal(errors.item[0].message, "cannot read it: Is a directory");
    assert_null(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_too_large_tables_are_refused),
        cmocka_unit_test(test_what_people_write_is_read),
        cmocka_unit_test(test_quotes_hold_anything),
        cmocka_unit_test(test_thousands_of_columns_are_read),
        cmocka_unit_test(test_places_count_characters),
        cmocka_unit_test(test_faults_are_told),
        cmocka_unit_test(test_cells_that_are_no_numbers_are_told),
        cmocka_unit_test(test_files_that_are_not_there_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
