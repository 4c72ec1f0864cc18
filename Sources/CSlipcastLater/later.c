#if defined(__linux__)

#include "later.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

void *slipcast_later_find(const char *library, const char *name) {
  // The system counts how often it is loaded, and keeps it once.
  void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  void *function = handle ? dlsym(handle, name) : NULL;
  if (function) return function;
  fprintf(stderr, "slipcast: cannot load %s with %s: install the system's package of this library\n", library, name);
  _exit(2);
}

#endif
