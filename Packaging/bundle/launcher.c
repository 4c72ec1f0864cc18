// bin/slipcast of the bundle: a static program that starts lib/slipcast with the loader and the libraries beside it.
//
// The program finds its libraries by $ORIGIN, so no environment variable names them and no process inherits a path.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;

enum { PLACE = PATH_MAX + 64, EXIT_NOT_DONE = 2 };

// Variables of the surrounding system's loader name libraries that are made for another C library.
static void remove_loader_variables(void) {
  char **kept = environ;
  for (char **each = environ; *each != NULL; each++)
    if (strncmp(*each, "LD_", 3) != 0) *kept++ = *each;
  *kept = NULL;
}

// Replaces `FOLDER/bin/NAME` by `FOLDER/lib/`; false for a path of another form.
static int change_to_libraries(char *path) {
  for (int part = 0; part < 2; part++) {
    char *slash = strrchr(path, '/');
    if (slash == NULL) return 0;
    *slash = 0;
  }
  strcat(path, "/lib/");
  return 1;
}

// Returns only when the program does not start.
static void start(char *path, int count, char **words) {
  static char loader[PLACE], program[PLACE];
  if (!change_to_libraries(path)) return;
  strcat(strcpy(loader, path), LOADER);
  strcat(strcpy(program, path), "slipcast");
  char **all = calloc((size_t)count + 6, sizeof *all);
  if (all == NULL) return;
  int used = 0;
  all[used++] = "slipcast";
  all[used++] = "--inhibit-cache";
  all[used++] = "--argv0";
  all[used++] = count > 0 ? words[0] : "slipcast";
  all[used++] = program;
  for (int i = 1; i < count; i++) all[used++] = words[i];
  execve(loader, all, environ);
  int reason = errno;
  fprintf(stderr, "slipcast: %s: %s; keep the folders bin and lib together\n", loader, strerror(reason));
  _exit(EXIT_NOT_DONE);
}

int main(int count, char **words) {
  static char path[PLACE];
  if (getauxval(AT_SECURE)) {
    fputs("slipcast: the program does not run with the rights of another user; remove the set-user-ID bit\n", stderr);
    return EXIT_NOT_DONE;
  }
  remove_loader_variables();
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length > 0) path[length] = 0;
  // Without /proc, the kernel's own copy of the path that was started says where this is.
  const char *started = (const char *)getauxval(AT_EXECFN);
  if (length <= 0 && (started == NULL || realpath(started, path) == NULL)) {
    fputs("slipcast: the folder of the program is unknown; start it by its absolute path\n", stderr);
    return EXIT_NOT_DONE;
  }
  start(path, count, words);
  fprintf(stderr, "slipcast: it does not start from %s\n", path);
  return EXIT_NOT_DONE;
}
