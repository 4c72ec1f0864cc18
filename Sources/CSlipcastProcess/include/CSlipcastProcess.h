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

// From now on, a crash writes no core file, and other processes of the user cannot read the memory: it will hold a key.
void slipcast_process_hide_memory(void);

#ifdef __cplusplus
}
#endif

#endif
