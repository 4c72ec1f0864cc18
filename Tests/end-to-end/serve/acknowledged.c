// Preloaded into a server that answers one request at a time: ends it with status 99 when an answer 200 leaves while the
// journal has bytes, or a name, that no fsync has covered. FAIL_FSYNC=N: the Nth fsync of a part of the journal fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int unwritten, unnamed, syncs;

// Whether a descriptor is a part of a journal (1) or its folder (2).
static int place(int file) {
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0) return 0;
  name[length] = 0;
  char *last = strrchr(name, '/');
  if (!last) return 0;
  if (!strcmp(last, "/journal")) return 2;
  *last = 0;
  char *folder = strrchr(name, '/');
  return folder && !strcmp(folder, "/journal") && strspn(last + 1, "0123456789") == 16 ? 1 : 0;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static void leave(const void *bytes, size_t count) {
  if (count < 12 || memcmp(bytes, "HTTP/1.1 200", 12) || !(unwritten || unnamed)) return;
  const char *text = unwritten ? "200 before the fsync of the journal\n" : "200 before the fsync of its folder\n";
  ssize_t (*write)(int, const void *, size_t) = next("write");
  write(2, text, strlen(text));
  _exit(99);
}

int open64(const char *path, int flags, ...) {
  va_list words;
  va_start(words, flags);
  mode_t mode = va_arg(words, mode_t);
  va_end(words);
  int (*real)(const char *, int, ...) = next("open64");
  int isNew = flags & O_CREAT && access(path, F_OK) != 0;
  int file = real(path, flags, mode);
  if (file >= 0 && isNew && place(file) == 1) unnamed = 1;
  return file;
}

int open(const char *path, int flags, ...) {
  va_list words;
  va_start(words, flags);
  mode_t mode = va_arg(words, mode_t);
  va_end(words);
  return open64(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t (*real)(int, const void *, size_t) = next("write");
  if (place(file) == 1) unwritten = 1;
  leave(bytes, count);
  return real(file, bytes, count);
}

static int synced(int file, const char *name) {
  int (*real)(int) = next(name);
  const char *failing = getenv("FAIL_FSYNC");
  int where = place(file);
  if (where == 1 && failing && ++syncs == atoi(failing)) return errno = EIO, -1;
  int result = real(file);
  if (result == 0 && where == 1) unwritten = 0;
  if (result == 0 && where == 2) unnamed = 0;
  return result;
}

int fsync(int file) { return synced(file, "fsync"); }
int fdatasync(int file) { return synced(file, "fdatasync"); }

int ftruncate64(int file, off64_t length) {
  int (*real)(int, off64_t) = next("ftruncate64");
  int result = real(file, length);
  // What was not on the disk is cut off.
  if (result == 0 && place(file) == 1) unwritten = 0;
  return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

ssize_t send(int socket, const void *bytes, size_t count, int flags) {
  ssize_t (*real)(int, const void *, size_t, int) = next("send");
  leave(bytes, count);
  return real(socket, bytes, count, flags);
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  ssize_t (*real)(int, const struct msghdr *, int) = next("sendmsg");
  if (message->msg_iovlen) leave(message->msg_iov[0].iov_base, message->msg_iov[0].iov_len);
  return real(socket, message, flags);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  ssize_t (*real)(int, const struct iovec *, int) = next("writev");
  if (count > 0) leave(parts[0].iov_base, parts[0].iov_len);
  return real(file, parts, count);
}
