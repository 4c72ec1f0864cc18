// Preloaded into the program under test: calls of the operating system do what they may do, and rarely do.
//
//   FAULT_SEED     random numbers begin there; with it reads and writes are short, and signals interrupt calls
//   FAULT_SIGNALS  names of the calls that are interrupted now and then: read,write,open,fsync
//   FAULT_CALL, FAULT_AT, FAULT_ERRNO   the call of that name and number, and all behind it, fails so
//   FAULT_TALLY    a file that gets how often each call was made
//   FAULT_NOW      seconds since 1970 that the clock shows at the start
//
// Only files, pipes, standard input and output are touched: what a run time does with its own descriptors is not asked
// for, and words must come through.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { READ, WRITE, OPEN, FSYNC, RENAME, TRUNCATE, MKDIR, CALLS };
static const char *const names[CALLS] = {"read", "write", "open", "fsync", "rename", "truncate", "mkdir"};
static atomic_long made[CALLS];
static _Atomic uint64_t state;
static int is_random, failing = -1, failure;
static long failing_at;
static int is_interrupted[CALLS];
static int64_t shift;
static int is_shifted;
static char tally[512];

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static uint64_t number(void) {
  uint64_t x = atomic_fetch_add(&state, 0x9E3779B97F4A7C15u) + 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

__attribute__((constructor)) static void begin(void) {
  const char *text;
  if ((text = getenv("FAULT_SEED")) != NULL) {
    is_random = 1;
    state = strtoull(text, NULL, 10);
  }
  const char *signals = getenv("FAULT_SIGNALS");
  const char *call = getenv("FAULT_CALL");
  for (int i = 0; i < CALLS; i++) {
    is_interrupted[i] = signals != NULL && strstr(signals, names[i]) != NULL;
    if (call != NULL && strcmp(call, names[i]) == 0) failing = i;
  }
  if ((text = getenv("FAULT_AT")) != NULL) failing_at = strtol(text, NULL, 10);
  if ((text = getenv("FAULT_ERRNO")) != NULL) failure = atoi(text);
  if ((text = getenv("FAULT_TALLY")) != NULL) snprintf(tally, sizeof tally, "%s", text);
  if ((text = getenv("FAULT_NOW")) != NULL) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    shift = strtoll(text, NULL, 10) - now.tv_sec;
    is_shifted = 1;
  }
}

__attribute__((destructor)) static void end(void) {
  if (tally[0] == 0) return;
  int file = (int)syscall(SYS_openat, AT_FDCWD, tally, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  char line[64];
  for (int i = 0; i < CALLS; i++) {
    int count = snprintf(line, sizeof line, "%s %ld\n", names[i], (long)made[i]);
    syscall(SYS_write, file, line, (size_t)count);
  }
  syscall(SYS_close, file);
}

static int is_stream(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return 0;
  return S_ISREG(status.st_mode) || S_ISFIFO(status.st_mode) || descriptor <= 2;
}

// True when the call must fail; errno says how.
static int fails(int call) {
  long count = atomic_fetch_add(&made[call], 1) + 1;
  if (call == failing && count >= failing_at) {
    errno = failure;
    return 1;
  }
  if (is_interrupted[call] && number() % 4 == 0) {
    errno = EINTR;
    return 1;
  }
  return 0;
}

static size_t some(size_t count) {
  if (!is_random || count < 2) return count;
  uint64_t chance = number();
  return chance % 8 == 0 ? 1 : 1 + number() % count;
}

#define MOVE(name, call, memory, type, ...) \
  ssize_t name type { \
    REAL(name); \
    if (!is_stream(descriptor) || descriptor == STDERR_FILENO) return real(descriptor, memory, count __VA_ARGS__); \
    if (fails(call)) return -1; \
    return real(descriptor, memory, some(count) __VA_ARGS__); \
  }

MOVE(read, READ, memory, (int descriptor, void *memory, size_t count))
MOVE(write, WRITE, memory, (int descriptor, const void *memory, size_t count))
MOVE(pread, READ, memory, (int descriptor, void *memory, size_t count, off_t at), , at)
MOVE(pread64, READ, memory, (int descriptor, void *memory, size_t count, off64_t at), , at)
MOVE(pwrite, WRITE, memory, (int descriptor, const void *memory, size_t count, off_t at), , at)
MOVE(pwrite64, WRITE, memory, (int descriptor, const void *memory, size_t count, off64_t at), , at)

#define OPENS(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    if (strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/sys/", 5) != 0 && \
        fails(OPEN)) \
      return -1; \
    return real(path, flags, mode); \
  }

OPENS(open)
OPENS(open64)

int fsync(int descriptor) {
  REAL(fsync);
  return fails(FSYNC) ? -1 : real(descriptor);
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  return fails(FSYNC) ? -1 : real(descriptor);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  return fails(RENAME) ? -1 : real(from, to);
}

int ftruncate(int descriptor, off_t length) {
  REAL(ftruncate);
  return fails(TRUNCATE) ? -1 : real(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length) {
  REAL(ftruncate64);
  return fails(TRUNCATE) ? -1 : real(descriptor, length);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return fails(MKDIR) ? -1 : real(path, mode);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && is_shifted && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  struct timespec precise;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &precise);
  *now = (struct timeval){precise.tv_sec, precise.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place != NULL) *place = now.tv_sec;
  return now.tv_sec;
}
