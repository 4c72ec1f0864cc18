// What must hold before the first line of Swift runs; linked into the command alone, never into the libraries.
#ifndef CSLIPCASTPROCESS_H
#define CSLIPCASTPROCESS_H

#ifdef __cplusplus
extern "C" {
#endif

// Nothing but a reason to link this target: all of its work is done without being called.
void slipcast_process_is_guarded(void);

// An argument of the command line, as the C library received it; 0 is the program's name. NULL after the last one, and
// for every index where the C library passes no arguments to initializers.
const char *slipcast_process_argument(int index);

// While a key is in memory, a crash must not write the memory to a file; nonzero: it must not.
void slipcast_process_keeps_memory(int is_secret);

#ifdef __cplusplus
}
#endif

#endif
