/* What the worker of a live page calls. */
#ifndef TAUT_LIVE_ENGINE_H
#define TAUT_LIVE_ENGINE_H

#define TAUT_LIVE(name) __attribute__((export_name(name)))

/* Room for a text of `size` bytes and a zero; it lives until live_clear. NULL: no memory. */
TAUT_LIVE("live_room") char *live_room(int size);
/* Forgets texts and settings. */
TAUT_LIVE("live_clear") void live_clear(void);
/* A parameter as --set has it, and an initial value, for the next run. */
TAUT_LIVE("live_set") int live_set(const char *name, const char *formula);
TAUT_LIVE("live_initial") int live_initial(const char *name, double value);

/* Makes velocities that the file fixes guesses, for the next run: they may not fit where a point
 * was dragged to. */
TAUT_LIVE("live_loosen") void live_loosen(void);

/* Columns with reactions, in the next run. */
TAUT_LIVE("live_react") void live_react(void);

/* Reads a model from a file of the host: a taut_status. */
TAUT_LIVE("live_read") int live_read(const char *path);
/* Runs what was read with what was set, and makes the data of a page of it, or of what is wrong
 * with it. tend: NaN for the file's; tolerance: 0 for the usual one; a run ends after `patience`
 * seconds, 0: when it is done; with a certificate or without. */
TAUT_LIVE("live_run")
int live_run(const char *path, double tend, double tolerance, double patience, int certify);

/* The data of the last run, and its table: rows * columns numbers, by rows. */
TAUT_LIVE("live_text") const char *live_text(void);
TAUT_LIVE("live_text_length") int live_text_length(void);
TAUT_LIVE("live_table") const double *live_table(void);
TAUT_LIVE("live_rows") int live_rows(void);
TAUT_LIVE("live_columns") int live_columns(void);

/* ---- a point that is dragged ---- */

/* Takes hold of a point: names of its components, "Ax,Ay". A taut_status; TAUT_OK: it can be
 * dragged. */
TAUT_LIVE("live_grip") int live_grip(char *names);
/* Why it cannot; "" where there are no words for it. */
TAUT_LIVE("live_refusal") const char *live_refusal(void);
/* Where a coordinate is before. */
TAUT_LIVE("live_place") void live_place(const char *name, double value);
/* Moves the point as near to a place as it gets, and all else with it: how far it is from there;
 * NaN: it stays. */
TAUT_LIVE("live_drag") double live_drag(double x, double y, double z);
/* All positions now: their names, with commas, and numbers. */
TAUT_LIVE("live_position_names") const char *live_position_names(void);
TAUT_LIVE("live_positions") const double *live_positions(void);
TAUT_LIVE("live_position_count") int live_position_count(void);
/* Lets go. */
TAUT_LIVE("live_release") void live_release(void);

#endif
