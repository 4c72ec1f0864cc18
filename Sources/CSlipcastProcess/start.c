// What is set right before Swift starts: descriptors that are closed, the stacks of threads, threads that do not start.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CSlipcastProcess.h"
#include "words.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/prctl.h>
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_OWNS_THREADS 1
#endif
#endif

void slipcast_process_is_guarded(void) {}

void slipcast_process_hide_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) == 0) {
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &limit);
  }
#if defined(__linux__)
  // A core that goes to a program has no limit of size.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

// A closed descriptor would be given to the next file that is opened, and words would be written into it. What stands
// there instead refuses to be read or written, so that the caller is told.
static void hold_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor) _exit(2);
  }
}

// A run may keep thousands of files open, of which many systems allow a thousand until a program asks for more.
static void ask_for_files(void) {
  enum { FILES = 10240 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= FILES) return;
  limit.rlim_cur = limit.rlim_max < FILES ? limit.rlim_max : FILES;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// libdispatch traps when it gets no descriptors of its own, at the start or later on.
static void demand_descriptors(void) {
  enum { NEEDED = 20 };
  int held[NEEDED];
  for (int i = 0; i < NEEDED; i++) {
    held[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (held[i] < 0 && errno == EMFILE) slipcast_process_refuse_files();
  }
  for (int i = 0; i < NEEDED; i++)
    if (held[i] >= 0) close(held[i]);
}

#if defined(__GLIBC__) && !defined(SANITIZER_OWNS_THREADS)

enum { STACK_BYTES = 2 << 20, TRIES = 25, PAUSE_NANOSECONDS = 20000000 };

// Threads take the size of their stacks from `ulimit -s`, whatever was meant by it: all limits of depth hold for this.
static void set_stacks(void) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

// Every arena of glibc's takes 64 MB of the address space that was granted, and uses little of it.
static void save_space(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// libdispatch tries for ever when a thread does not start; whoever waits for the program should be told instead.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  create_thread *create = (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
  if (create == NULL) slipcast_process_refuse_thread();
  for (int attempt = 0; attempt < TRIES; attempt++) {
    int result = create(thread, attributes, start, argument);
    if (result != EAGAIN && result != ENOMEM) return result;
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NANOSECONDS}, NULL);
  }
  slipcast_process_refuse_thread();
}

#else
static void set_stacks(void) {}
static void save_space(void) {}
#endif

static int argument_count = 0;
static char **arguments = NULL;

const char *slipcast_process_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
#if defined(__GLIBC__)
  // A loader that starts the program gives the process the loader's name.
  prctl(PR_SET_NAME, "slipcast");
#endif
}
#endif

__attribute__((constructor)) static void begin(void) {
  hold_standard_descriptors();
  ask_for_files();
  demand_descriptors();
  set_stacks();
  save_space();
}
