// What must hold before the first line of Swift runs; linked into the command alone, never into the libraries.
#ifndef CSLIPCASTPROCESS_H
#define CSLIPCASTPROCESS_H

#ifdef __cplusplus
extern "C" {
#endif

// Nothing but a reason to link this target: all of its work is done without being called.
void slipcast_process_is_guarded(void);

#ifdef __cplusplus
}
#endif

#endif
