#include "words.h"

#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct text {
  char bytes[512];
  size_t count;
};

static void append(struct text *text, const char *words) {
  size_t count = strlen(words), room = sizeof text->bytes - text->count;
  if (count > room) count = room;
  memcpy(text->bytes + text->count, words, count);
  text->count += count;
}

static void append_number(struct text *text, uint64_t number) {
  char digits[21];
  size_t at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + number % 10);
  while (number /= 10);
  append(text, digits + at);
}

// A limit that the caller set is worth telling: without one the machine itself is short.
static void append_limit(struct text *text, int resource, const char *words, unsigned unit) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  append(text, words);
  append_number(text, limit.rlim_cur / unit);
}

static _Noreturn void end(const struct text *text) {
  for (size_t done = 0; done < text->count;) {
    ssize_t wrote = write(STDERR_FILENO, text->bytes + done, text->count - done);
    if (wrote <= 0) break;
    done += (size_t)wrote;
  }
  _exit(2);
}

_Noreturn void slipcast_process_refuse_memory(size_t bytes) {
  struct text text = {.count = 0};
  append(&text, "slipcast: no memory for another ");
  append_number(&text, bytes);
  append(&text, " bytes");
  append_limit(&text, RLIMIT_AS, "; ulimit -v is ", 1024);
  append_limit(&text, RLIMIT_DATA, "; ulimit -d is ", 1024);
  append(&text, "; allow more, or take fewer --jobs or a smaller --max-record; what has a checkpoint goes on with --resume\n");
  end(&text);
}

_Noreturn void slipcast_process_refuse_thread(void) {
  struct text text = {.count = 0};
  append(&text, "slipcast: the system starts no further thread");
  append_limit(&text, RLIMIT_NPROC, "; ulimit -u is ", 1);
  append_limit(&text, RLIMIT_AS, "; ulimit -v is ", 1024);
  append(&text, "; allow more, or take fewer --jobs; what has a checkpoint goes on with --resume\n");
  end(&text);
}

_Noreturn void slipcast_process_refuse_files(void) {
  struct text text = {.count = 0};
  append(&text, "slipcast: the system opens too few files at once");
  append_limit(&text, RLIMIT_NOFILE, "; ulimit -n is ", 1);
  append(&text, "; allow 32 or more\n");
  end(&text);
}
