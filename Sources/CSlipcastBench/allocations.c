// Counts allocations by standing in for the C library's functions and passing every call on to it.
//
// glibc exports its own functions under second names, so this needs no preloaded library and no lookup at run time;
// `free` stays glibc's, for the memory is glibc's. Other libraries have no such names: there nothing is counted.
#include "CSlipcastBench.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

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

static atomic_bool is_counting;
static atomic_uint_fast64_t allocations;

// Timed runs do not count: they pay for one load and a branch.
static inline void count_one(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_one();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count_one();
  int saved = errno;
  void *made = __libc_memalign(alignment, size);
  errno = saved;
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}

bool slipcast_bench_counts_allocations(void) { return true; }

void slipcast_bench_start_counting(void) {
  atomic_store(&allocations, 0);
  atomic_store(&is_counting, true);
}

uint64_t slipcast_bench_stop_counting(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&allocations);
}

#else

bool slipcast_bench_counts_allocations(void) { return false; }
void slipcast_bench_start_counting(void) {}
uint64_t slipcast_bench_stop_counting(void) { return 0; }

#endif
