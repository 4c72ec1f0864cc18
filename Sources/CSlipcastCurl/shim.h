#include <curl/curl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Swift cannot call functions with a variable number of arguments.

typedef struct {
  const char *url;
  // The body; NULL for GET.
  const void *body;
  size_t length;
  // A linked list of header lines.
  struct curl_slist *headers;
  long timeout_ms, connect_ms;
  // Receives the body of the response; returns less than it was given to end the transfer.
  size_t (*take)(char *bytes, size_t size, size_t count, void *context);
  void *context;
  // The result.
  long status;
  curl_off_t retry_after;
  double seconds;
  char message[CURL_ERROR_SIZE];
} SlipcastTransfer;

static inline int slipcast_curl_begin(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }

// Trusts the certificates that OpenSSL's variables name; libcurl knows only the folder of the system it was built for.
static inline void slipcast_curl_trust(CURL *handle) {
  const char *file = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
  if (!file && !folder) return;
  curl_easy_setopt(handle, CURLOPT_CAINFO, file);
  curl_easy_setopt(handle, CURLOPT_CAPATH, folder);
}

// Runs a transfer; 0, or a CURLcode.
static inline int slipcast_curl_run(CURL *handle, SlipcastTransfer *transfer) {
  curl_easy_reset(handle);
  transfer->message[0] = 0;
  curl_easy_setopt(handle, CURLOPT_URL, transfer->url);
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  slipcast_curl_trust(handle);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, transfer->timeout_ms);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, transfer->connect_ms);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, transfer->message);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, transfer->headers);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, transfer->take);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, transfer->context);
  if (transfer->body) {
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, transfer->body);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->length);
  }
  CURLcode code = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &transfer->status);
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &transfer->retry_after);
  curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME, &transfer->seconds);
  if (code != CURLE_OK && transfer->message[0] == 0)
    strncpy(transfer->message, curl_easy_strerror(code), CURL_ERROR_SIZE - 1);
  return (int)code;
}
