#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

// What a proxy and this server could read differently: where a request ends, and which path it has.
//
// libmicrohttpd before 1.0 takes a bare LF for the end of a line, the first of two lengths, and a path up to a NUL. It
// writes NULs over the line ends, in the memory that keys and values point to, so where the next line begins shows how
// the one before it ended. A request is refused only for what its memory proves.

// Made before the head is read, and later passed as the slot of the request: it is odd, unlike every pointer.
static inline void *slipcast_mhd_uri(void *context, const char *uri, struct MHD_Connection *connection) {
  (void)context, (void)connection;
  const char *nul = strstr(uri, "%00"), *query = strchr(uri, '?');
  uintptr_t has_nul = nul && (!query || nul < query);
  return (void *)((uintptr_t)strlen(uri) << 2 | has_nul << 1 | 1);
}

static inline int slipcast_mhd_is_new(const void *slot) { return !slot || ((uintptr_t)slot & 1); }

typedef struct {
  // Behind the text of the last line.
  const char *end;
  int lengths, codings, other_coding, bare, spoiled;
} SlipcastHead;

static inline enum MHD_Result slipcast_mhd_note(void *context, enum MHD_ValueKind kind, const char *key, const char *value) {
  (void)kind;
  SlipcastHead *head = (SlipcastHead *)context;
  if (!value) value = "";
  size_t length = strlen(value);
#if MHD_VERSION < 0x01000000
  if (head->end && key == head->end + 1) head->bare = 1;
  // Behind a NUL in a value, or in a line that continues the one before it, there is more text.
  for (const char *at = head->end; at && at < key && key - at < (32 << 10); at++)
    if (*at && *at != ' ' && *at != '\t') head->spoiled = 1;
  head->end = value > key && value < key + (32 << 10) ? value + length : NULL;
#endif
  if (!*key || strpbrk(key, " \t\r\n") || strpbrk(value, "\r\n")) head->spoiled = 1;
  if (strcasecmp(key, "Content-Length") == 0) {
    head->lengths++;
    if (length == 0 || strspn(value, "0123456789") != length) head->spoiled = 1;
  }
  if (strcasecmp(key, "Transfer-Encoding") == 0) {
    head->codings++;
    if (strcasecmp(value, "chunked") != 0) head->other_coding = 1;
  }
  return MHD_YES;
}

// Whether the three bytes behind the end of a text are not the rest of CR LF CR LF.
static inline int slipcast_mhd_ends_bare(const char *end) { return end && (end[1] || end[2] || end[3]); }

// Why a head is refused; NULL for one that can be read in one way only.
//
// `end` is set to the end of the text of the last line; NULL where it is unknown.
static inline const char *slipcast_mhd_fault(
    struct MHD_Connection *connection, const char *url, const char *version, const void *slot, const char **end) {
  SlipcastHead head;
  memset(&head, 0, sizeof head);
  uintptr_t tag = (uintptr_t)slot;
#if MHD_VERSION < 0x01000000
  const char *behind = url + (tag >> 2) + 1;
  if (tag & 1 && version > behind && version < behind + (64 << 10)) return "a NUL in the path";
  head.end = version + strlen(version);
#else
  (void)url, (void)version;
#endif
  if (tag & 2) return "a NUL in the path";
  MHD_get_connection_values(connection, MHD_HEADER_KIND, slipcast_mhd_note, &head);
  *end = head.end;
  if (head.lengths > 1) return "more than one Content-Length";
  if (head.codings && head.lengths) return "Content-Length with Transfer-Encoding";
  if (head.codings > 1 || head.other_coding) return "a Transfer-Encoding other than chunked";
  if (head.bare || slipcast_mhd_ends_bare(head.end)) return "a line that ends without CR";
  return head.spoiled ? "a header that is not well formed" : NULL;
}

// Whether the head turns out to end with a bare LF, now that its body follows it in memory.
static inline int slipcast_mhd_body_is_bare(const char *end, const char *body, int is_chunked) {
  if (!end || body < end + 2 || body > end + (32 << 10)) return 0;
  if (body < end + 4 || slipcast_mhd_ends_bare(end)) return 1;
  return is_chunked && body > end + 5 && body[-1] == '\n' && body[-2] != '\r';
}
