#ifndef SLIPCAST_LATER_H
#define SLIPCAST_LATER_H

#include <stdatomic.h>

// Finds a function of a library, which is loaded if it is not yet. Without the library, or with another one of its name, the process
// ends with status 2.
void *slipcast_later_find(const char *library, const char *name);

// The function of a library, which is found with the first call.
#define LATER_FOUND(library, name)                                   \
  ({                                                                 \
    static _Atomic(void *) found;                                    \
    void *function = atomic_load_explicit(&found, memory_order_acquire); \
    if (!function) {                                                 \
      function = slipcast_later_find(library, #name);                \
      atomic_store_explicit(&found, function, memory_order_release); \
    }                                                                \
    function;                                                        \
  })

// Hidden, because a library that calls functions of these names must find its own.
#define LATER_HIDDEN __attribute__((visibility("hidden")))

// Defines a function that calls the one of a library.
#define LATER(library, type, name, parameters, arguments) \
  LATER_HIDDEN type name parameters { return ((type(*) parameters)LATER_FOUND(library, name))arguments; }

// Notes a library that is loaded later where packagers look for it (https://systemd.io/ELF_DLOPEN_METADATA/).
#define LATER_NOTE(name, json)                                                             \
  static const struct {                                                                    \
    unsigned name_size, text_size, type;                                                   \
    char owner[4], text[(sizeof(json) + 3) / 4 * 4];                                       \
  } name __attribute__((used, retain, section(".note.dlopen"), aligned(4))) = {            \
      4, sizeof(json), 0x407c0c0a, "FDO", json}

#endif
