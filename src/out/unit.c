/* Units for the axes of plots. Numbers of a mechanism are in SI; a DAE or a Lagrangian file does
 * not say what its variables are. */
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "out/plot.h"

/* The point or vector whose coordinate this is (its name without primes has n letters), or NULL. */
static const taut_element *element_of(const taut_model *model, const char *name, size_t n) {
    const taut_mechanism *m = model ? model->mechanism : NULL;
    if (!m || n < 2 || !strchr("xyz", name[n - 1])) return NULL;
    size_t length = n - 1;
    if (name[length - 1] == '.') length--; /* A.x is Ax */
    for (int i = 0; i < m->elements; i++)
        if (strlen(m->element[i].name) == length && !strncmp(m->element[i].name, name, length))
            return &m->element[i];
    return NULL;
}

bool taut_plot_is_coordinate(const taut_model *model, const char *name) {
    const taut_element *element = element_of(model, name, strlen(name));
    return element && !element->is_vector;
}

static bool is_word(const char *word, const char *name, size_t n) {
    return word && strlen(word) == n && strncmp(word, name, n) == 0;
}

/* joint.Fx, joint.Tz */
static bool is_reaction(const char *name, size_t n, char letter) {
    return n > 3 && name[n - 3] == '.' && name[n - 2] == letter && strchr("xyz", name[n - 1]);
}

void taut_plot_unit(const taut_model *model, const char *name, char *unit, size_t size) {
    static const char *const energy[] = {"energy", "kinetic", "potential", "work"};
    const taut_mechanism *m = model ? model->mechanism : NULL;
    const size_t n = strcspn(name, "'"), primes = strlen(name) - n;
    const taut_element *element = element_of(model, name, n);
    const char *base = element && element->is_vector ? "1" : element ? "m" : "";
    unit[0] = '\0';
    if (!m) return;
    for (int i = 0; i < m->collinears; i++) /* along a unit vector */
        if (is_word(m->collinear[i].scalar, name, n)) base = "m";
    for (int i = 0; i < m->angles; i++)
        if (is_word(m->angle[i].name, name, n)) base = "rad";
    for (int i = 0; i < 4; i++)
        if (is_word(energy[i], name, n)) base = "J";
    if (is_word("t", name, n)) base = "s";
    if (is_reaction(name, n, 'F') || (n > 2 && strncmp(name + n - 2, ".N", 2) == 0)) base = "N";
    if (is_reaction(name, n, 'T')) base = "N m";
    if (strncmp(name, "power_", 6) == 0) base = "W";
    if (!base[0] || (base[0] == '1' && primes == 0)) return;
    if (primes == 0)
        snprintf(unit, size, "%s", base);
    else if (primes == 1)
        snprintf(unit, size, "%s/s", base);
    else
        snprintf(unit, size, "%s/s^%d", base, (int)primes);
}
