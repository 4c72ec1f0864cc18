#include <curl/curl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Swift cannot call functions with a variable number of arguments.

typedef struct {
  const char *url;
  // The body; NULL for GET.
  const void *body;
  size_t length;
  // A linked list of header lines.
  struct curl_slist *headers;
  long timeout_ms, connect_ms;
  // Accepts compressed responses, and uses HTTP/2 where the server offers it.
  int is_modern;
  // Uses no proxy.
  int is_direct;
  // Receives the body of the response; returns less than it was given to end the transfer.
  size_t (*take)(char *bytes, size_t size, size_t count, void *context);
  void *context;
  // The result.
  long status;
  // How often libcurl began to send the request.
  int sent;
  // A connection was made, through a proxy where there is one.
  int is_connected;
  curl_off_t retry_after;
  double seconds;
  char message[CURL_ERROR_SIZE];
  // The status with which a proxy answered the request for a tunnel; 0 without one.
  long proxy_status;
  // Headers of the response; empty where they are missing.
  char date[64], retry_text[64], content_type[64];
} SlipcastTransfer;

static inline int slipcast_curl_begin(void) { return (int)curl_global_init(CURL_GLOBAL_DEFAULT); }

// Trusts the certificates that OpenSSL's variables name; libcurl knows only the folder of the system it was built for.
static inline void slipcast_curl_trust(CURL *handle) {
  const char *file = getenv("SSL_CERT_FILE"), *folder = getenv("SSL_CERT_DIR");
  if (file && !*file) file = NULL;
  if (folder && !*folder) folder = NULL;
  if (!file && !folder) return;
  curl_easy_setopt(handle, CURLOPT_CAINFO, file);
  curl_easy_setopt(handle, CURLOPT_CAPATH, folder);
}

// Keeps the value of a header line if it has that name.
static inline void slipcast_curl_keep(const char *line, size_t count, const char *name, char target[64]) {
  size_t length = strlen(name);
  if (count <= length || line[length] != ':' || strncasecmp(line, name, length) != 0) return;
  const char *from = line + length + 1, *end = line + count;
  while (from < end && (*from == ' ' || *from == '\t')) from++;
  while (end > from && (end[-1] == '\r' || end[-1] == '\n' || end[-1] == ' ')) end--;
  size_t size = (size_t)(end - from) < 63 ? (size_t)(end - from) : 63;
  memcpy(target, from, size);
  target[size] = 0;
}

static size_t slipcast_curl_header(char *line, size_t size, size_t count, void *context) {
  SlipcastTransfer *transfer = (SlipcastTransfer *)context;
  size_t length = size * count;
  // Each response starts anew, such as the one of a proxy before the server's.
  if (length > 5 && strncmp(line, "HTTP/", 5) == 0) transfer->date[0] = transfer->retry_text[0] = transfer->content_type[0] = 0;
  slipcast_curl_keep(line, length, "date", transfer->date);
  slipcast_curl_keep(line, length, "retry-after", transfer->retry_text);
  slipcast_curl_keep(line, length, "content-type", transfer->content_type);
  return length;
}

// libcurl repeats a request by itself when a connection that it used before ends without a response. Nobody would count
// this request or hold it back, and the server may have acted on the first one: it is not sent.
static int slipcast_curl_send(void *context, char *address, char *local, int port, int local_port) {
  (void)address, (void)local, (void)port, (void)local_port;
  return ((SlipcastTransfer *)context)->sent++ == 0 ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

// Servers end connections that nobody uses, some after five seconds; a request may cross with this end.
#define SLIPCAST_CURL_IDLE_SECONDS 4L

// Sets the options of a transfer.
static inline void slipcast_curl_prepare(CURL *handle, SlipcastTransfer *transfer) {
  curl_easy_reset(handle);
  transfer->sent = 0;
  transfer->message[0] = transfer->date[0] = transfer->retry_text[0] = transfer->content_type[0] = 0;
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
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, slipcast_curl_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, transfer);
  curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, slipcast_curl_send);
  curl_easy_setopt(handle, CURLOPT_PREREQDATA, transfer);
  curl_easy_setopt(handle, CURLOPT_MAXAGE_CONN, SLIPCAST_CURL_IDLE_SECONDS);
  if (transfer->is_direct) curl_easy_setopt(handle, CURLOPT_NOPROXY, "*");
  if (transfer->is_modern) {
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
    curl_easy_setopt(handle, CURLOPT_PIPEWAIT, 1L);
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
  }
  if (transfer->body) {
    curl_easy_setopt(handle, CURLOPT_POST, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, transfer->body);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)transfer->length);
  }
}

// Takes the result of a transfer that ended with a code.
static inline void slipcast_curl_finish(CURL *handle, SlipcastTransfer *transfer, int code) {
  double connected = 0;
  long tunnel = 0;
  curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME, &connected);
  curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &tunnel);
  transfer->is_connected = connected > 0 && (tunnel == 0 || (tunnel >= 200 && tunnel < 300));
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &transfer->status);
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &transfer->retry_after);
  curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &transfer->proxy_status);
  curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME, &transfer->seconds);
  if (transfer->sent > 1)
    strncpy(transfer->message, "the server ended the connection without a response", CURL_ERROR_SIZE - 1);
  else if (code != CURLE_OK && transfer->message[0] == 0)
    strncpy(transfer->message, curl_easy_strerror((CURLcode)code), CURL_ERROR_SIZE - 1);
}

// Runs a transfer; 0, or a CURLcode.
static inline int slipcast_curl_run(CURL *handle, SlipcastTransfer *transfer) {
  slipcast_curl_prepare(handle, transfer);
  CURLcode code = curl_easy_perform(handle);
  slipcast_curl_finish(handle, transfer, (int)code);
  return (int)code;
}

// A set of transfers that run at the same time.
static inline CURLM *slipcast_curl_set(void) {
  CURLM *set = curl_multi_init();
  if (set) curl_multi_setopt(set, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
  return set;
}

// The next transfer that has ended, with its code; NULL when there is none.
static inline CURL *slipcast_curl_ended(CURLM *set, int *code) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(set, &left)))
    if (message->msg == CURLMSG_DONE) {
      *code = (int)message->data.result;
      return message->easy_handle;
    }
  return NULL;
}
