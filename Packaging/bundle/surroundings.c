// A library of the bundle, loaded with the program: its C library is not that of the surrounding system.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <nss.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The system's modules for other services are made for the system's C library; these two are built into this one.
static void resolve_names_alone(void) {
  __nss_configure_lookup("hosts", "files dns");
  static const char *const kinds[] = {"passwd", "group", "services", "protocols", "networks"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) __nss_configure_lookup(kinds[i], "files");
}

// Where distributions keep the certificates that they trust.
static void find_certificates(void) {
  static const char *const files[] = {
      "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Alpine
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, Red Hat
      "/etc/pki/tls/certs/ca-bundle.crt",                   // older Fedora, Red Hat
      "/etc/ssl/ca-bundle.pem",                             // openSUSE
      "/var/lib/ca-certificates/ca-bundle.pem",             // openSUSE
      "/etc/ssl/certs/ca-bundle.crt",                       // NixOS
      "/etc/ssl/cert.pem",                                  // Alpine, others
  };
  if (getenv("SSL_CERT_FILE") != NULL || getenv("SSL_CERT_DIR") != NULL) return;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (access(files[i], R_OK) == 0) {
      setenv("SSL_CERT_FILE", files[i], 1);
      return;
    }
}

// The system's OpenSSL configuration may name modules of OpenSSL: they are taken from the bundle.
static void name_modules(void) {
  Dl_info found;
  char path[PATH_MAX];
  if (dladdr((void *)name_modules, &found) == 0 || found.dli_fname == NULL) return;
  const char *end = strrchr(found.dli_fname, '/');
  if (end == NULL || end - found.dli_fname > PATH_MAX - 32) return;
  size_t length = (size_t)(end - found.dli_fname);
  memcpy(path, found.dli_fname, length);
  strcpy(path + length, "/ossl-modules");
  setenv("OPENSSL_MODULES", path, 1);
}

// The start of what the system says of a running thread: libdispatch reads the state, and nothing else.
static int open_running_state(void) {
  static const char state[] = "1 (slipcast) R 1\n";
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  ssize_t written = write(ends[1], state, sizeof state - 1);
  close(ends[1]);
  if (written == sizeof state - 1) return ends[0];
  close(ends[0]);
  return -1;
}

// Replaces the C library's function: libdispatch ends the program when /proc/THREAD/stat does not open, and an empty
// file system has no /proc.
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | __O_TMPFILE)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  int file = openat(AT_FDCWD, path, flags, mode);
  if (file >= 0 || errno != ENOENT || strncmp(path, "/proc/", 6) != 0) return file;
  size_t length = strlen(path);
  if (length < 5 || strcmp(path + length - 5, "/stat") != 0 || access("/proc/self", F_OK) == 0) return file;
  return open_running_state();
}

__attribute__((constructor)) static void begin(void) {
  resolve_names_alone();
  find_certificates();
  name_modules();
}
