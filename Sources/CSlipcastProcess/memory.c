// Stands in for the C library's functions: Swift cannot live through an allocation that fails, it would trap.
//
// glibc exports its own functions under second names; `free` stays glibc's, for the memory is glibc's. Other libraries
// have no such names: there Swift's trap is what comes of it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "words.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_OWNS_MALLOC 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZER_OWNS_MALLOC)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// These say by themselves that they have no memory, and with the name of the file that asked too much of them.
static bool can_tell(void *caller) {
  static const char *const libraries[] = {"/libarchive", "/liblzma",  "/libzstd",    "/libz.",
                                          "/libbz2",     "/liblz4",   "/libsqlite3", "/libpq"};
  Dl_info found;
  if (dladdr(caller, &found) == 0 || found.dli_fname == NULL) return false;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (strstr(found.dli_fname, libraries[i]) != NULL) return true;
  return false;
}

static void *checked(void *made, size_t size, void *caller) {
  if (__builtin_expect(made == NULL && size > 0, 0)) {
    if (!can_tell(caller)) slipcast_process_refuse_memory(size);
    errno = ENOMEM;
  }
  return made;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return checked(__libc_malloc(size), size, CALLER); }

void *calloc(size_t count, size_t size) {
  size_t bytes = 0;
  bool is_absurd = __builtin_mul_overflow(count, size, &bytes);
  return checked(__libc_calloc(count, size), is_absurd ? SIZE_MAX : bytes, CALLER);
}

void *realloc(void *memory, size_t size) { return checked(__libc_realloc(memory, size), size, CALLER); }

void *memalign(size_t alignment, size_t size) { return checked(__libc_memalign(alignment, size), size, CALLER); }

void *aligned_alloc(size_t alignment, size_t size) {
  return checked(__libc_memalign(alignment, size), size, CALLER);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  int saved = errno;
  void *made = checked(__libc_memalign(alignment, size), size, CALLER);
  errno = saved;
  if (made == NULL && size > 0) return ENOMEM;
  *memory = made;
  return 0;
}

#endif
