// A library of the bundle, loaded with the program: its C library is not that of the surrounding system.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>
#include <nss.h>
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

__attribute__((constructor)) static void begin(void) {
  resolve_names_alone();
  find_certificates();
  name_modules();
}
