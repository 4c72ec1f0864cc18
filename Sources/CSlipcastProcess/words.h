// Last words of a process that cannot go on; nothing here may ask for memory.
#ifndef SLIPCAST_PROCESS_WORDS_H
#define SLIPCAST_PROCESS_WORDS_H

#include <stddef.h>

// Ends the process with status 2, as every job ends that could not be done.
_Noreturn void slipcast_process_refuse_memory(size_t bytes);
_Noreturn void slipcast_process_refuse_thread(void);
_Noreturn void slipcast_process_refuse_files(void);

#endif
