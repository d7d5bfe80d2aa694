/* The format of PKWARE's application note, sections 4.3.7 (files), 4.3.12 (directory) and 4.3.16
 * (its end), without compression; every date is that of the first file system, so that the same
 * model gives the same bytes. */
#include "export/archive.h"

#include <string.h>

enum { DATE = 0x21 /* 1980-01-01 */, NEEDS = 20, UTF8 = 0x800 };

uint32_t taut_archive_sum(const void *data, size_t size) {
    const unsigned char *p = data;
    uint32_t sum = 0xffffffffU;
    for (size_t i = 0; i < size; i++) {
        sum ^= p[i];
        for (int bit = 0; bit < 8; bit++) sum = (sum >> 1) ^ (0xedb88320U & (0U - (sum & 1U)));
    }
    return ~sum;
}

/* A record of numbers with 2 or 4 bytes, least first. */
typedef struct record {
    char byte[64];
    size_t size;
} record;

static void put(record *r, int bytes, uint32_t value) {
    for (int i = 0; i < bytes; i++) r->byte[r->size++] = (char)((value >> (8 * i)) & 0xffU);
}

static void write_bytes(taut_archive *a, const void *data, size_t size) {
    taut_file_put(&a->file, data, size); /* what goes wrong is told at the end */
    a->size += (uint32_t)size;
}

/* What a file and its line of the directory have in common. */
static void put_common(record *r, const taut_archive *a, int i) {
    put(r, 2, NEEDS);
    put(r, 2, UTF8);
    put(r, 2, 0); /* stored */
    put(r, 2, 0);
    put(r, 2, DATE);
    put(r, 4, a->entry[i].sum);
    put(r, 4, a->entry[i].size);
    put(r, 4, a->entry[i].size);
    put(r, 2, (uint32_t)strlen(a->entry[i].name));
    put(r, 2, 0);
}

taut_status taut_archive_open(taut_archive *a, const char *path, taut_errors *errors) {
    a->size = 0;
    a->count = 0;
    return taut_file_open(&a->file, path, errors);
}

taut_status taut_archive_add(taut_archive *a, const char *name, const void *data, size_t size) {
    record r = {.size = 0};
    if (a->count == TAUT_ARCHIVE_FILES || strlen(name) >= TAUT_ARCHIVE_NAME ||
        size > 0x7fffffffU - a->size)
        return TAUT_ERR_CALL;
    const int i = a->count++;
    memcpy(a->entry[i].name, name, strlen(name) + 1);
    a->entry[i].sum = taut_archive_sum(data, size);
    a->entry[i].size = (uint32_t)size;
    a->entry[i].at = a->size;
    put(&r, 4, 0x04034b50U);
    put_common(&r, a, i);
    write_bytes(a, r.byte, r.size);
    write_bytes(a, name, strlen(name));
    write_bytes(a, data, size);
    return TAUT_OK;
}

taut_status taut_archive_close(taut_archive *a, taut_errors *errors) {
    const uint32_t at = a->size;
    for (int i = 0; i < a->count; i++) {
        record r = {.size = 0};
        put(&r, 4, 0x02014b50U);
        put(&r, 2, NEEDS);
        put_common(&r, a, i);
        put(&r, 2, 0); /* comment, disk, attributes */
        put(&r, 2, 0);
        put(&r, 2, 0);
        put(&r, 4, 0);
        put(&r, 4, a->entry[i].at);
        write_bytes(a, r.byte, r.size);
        write_bytes(a, a->entry[i].name, strlen(a->entry[i].name));
    }
    record r = {.size = 0};
    const uint32_t size = a->size - at;
    put(&r, 4, 0x06054b50U);
    put(&r, 4, 0);
    put(&r, 2, (uint32_t)a->count);
    put(&r, 2, (uint32_t)a->count);
    put(&r, 4, size);
    put(&r, 4, at);
    put(&r, 2, 0);
    write_bytes(a, r.byte, r.size);
    return taut_file_close(&a->file, errors);
}

void taut_archive_drop(taut_archive *a) { taut_file_drop(&a->file); }
