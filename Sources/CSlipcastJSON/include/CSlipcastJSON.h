// The one door to simdjson: JSON text in, a flat tape of entries out.
//
//   {"a":[1,"x"]}      entry  kind    key  start length next
//                          0  object   -       0      1    4
//                          1  array    a       5      2    4
//                          2  number   -       6      1    3
//                          3  string   -       9      1    4
//
// A container's length counts its children and `next` skips them; a scalar's text is bytes[start ..< start + length].
// Text with escapes is unescaped into a side buffer: then flag SLIPCAST_JSON_TEXT_ESCAPED is set and `next` holds its
// offset there (a scalar is always followed by index + 1).
#ifndef CSLIPCASTJSON_H
#define CSLIPCASTJSON_H

#include <stddef.h>
#include <stdint.h>

#include "frames.h"

#ifdef __cplusplus
extern "C" {
#endif

enum slipcast_json_kind {
  SLIPCAST_JSON_NULL = 0,
  SLIPCAST_JSON_FALSE = 1,
  SLIPCAST_JSON_TRUE = 2,
  SLIPCAST_JSON_NUMBER = 3,
  SLIPCAST_JSON_STRING = 4,
  SLIPCAST_JSON_ARRAY = 5,
  SLIPCAST_JSON_OBJECT = 6,
};

enum slipcast_json_flag {
  SLIPCAST_JSON_TEXT_ESCAPED = 1,
  SLIPCAST_JSON_KEY_ESCAPED = 2,
  SLIPCAST_JSON_DUPLICATE_KEY = 4,     // the key stood in the object before (known keys)
  SLIPCAST_JSON_DUPLICATE_INSIDE = 8,  // two unknown keys of this object are the same
};

enum slipcast_json_problem {
  SLIPCAST_JSON_OK = 0,
  SLIPCAST_JSON_EMPTY = 1,
  SLIPCAST_JSON_INCOMPLETE = 2,
  SLIPCAST_JSON_SYNTAX = 3,
  SLIPCAST_JSON_BAD_ESCAPE = 4,
  SLIPCAST_JSON_UTF8 = 5,
  SLIPCAST_JSON_CONTROL_CHARACTER = 6,
  SLIPCAST_JSON_UNCLOSED_STRING = 7,
  SLIPCAST_JSON_BAD_NUMBER = 8,
  SLIPCAST_JSON_LITERAL = 9,
  SLIPCAST_JSON_DEPTH = 10,
  SLIPCAST_JSON_TOO_LARGE = 11,
  SLIPCAST_JSON_TRAILING = 12,
  SLIPCAST_JSON_MEMORY = 13,
};

#define SLIPCAST_JSON_UNKNOWN_KEY 0xFFFFu
// Bytes that must be readable (their content does not matter) behind the text handed to slipcast_json_read.
#define SLIPCAST_JSON_PADDING 64u

struct slipcast_json_entry {
  uint32_t start;
  uint32_t length;
  uint32_t next;
  uint32_t key_start;
  uint32_t key_length;
  uint16_t key;
  uint8_t kind;
  uint8_t flags;
};

struct slipcast_json_tape {
  const struct slipcast_json_entry *entries;
  const uint8_t *side;
  const uint32_t *open;  // on a problem: the containers that were open there, outermost first
  uint32_t count;
  uint32_t open_count;
  uint32_t offset;  // on a problem: where
  int32_t problem;
  uint8_t has_dollar;  // an unknown key begins with `$`
};

struct slipcast_json_reader;

// Known key names get the numbers 0 ..< count in the tape; every other key is SLIPCAST_JSON_UNKNOWN_KEY.
struct slipcast_json_reader *slipcast_json_reader_create(const char *const *names, const uint32_t *lengths,
                                                         uint16_t count, uint32_t max_depth);
void slipcast_json_reader_destroy(struct slipcast_json_reader *reader);

// The tape stays valid until the next call with the same reader.
struct slipcast_json_tape slipcast_json_read(struct slipcast_json_reader *reader, const uint8_t *bytes, size_t length);

// Memory that grows without a second copy, where the system can move it; NULL is a start. Ends the process without memory.
uint8_t *slipcast_memory_resize(uint8_t *memory, size_t size);
void slipcast_memory_free(uint8_t *memory);

#ifdef __cplusplus
}
#endif
#endif
