// Where records begin and end in a text: byte loops over much text, many bytes at a time.
//
// Nothing is read behind `count`.
#ifndef CSLIPCASTJSON_FRAMES_H
#define CSLIPCASTJSON_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct slipcast_frame {
  size_t end;
  uint8_t is_whole;
};

// The position behind the object that begins at `start`; where it breaks JSON's grammar, or the text ends, the position of that
// (then it is not whole). Escapes, numbers and words are not checked. An object with `deepest` open brackets breaks the grammar.
struct slipcast_frame slipcast_object_end(const uint8_t *text, size_t count, size_t start, uint32_t deepest);

struct slipcast_cell {
  size_t end;      // the closing quote
  size_t written;  // bytes of the content, one quote for each two
  uint8_t is_found;
  uint8_t is_escaped;  // there are doubled quotes in it
};

// Copies the content of a cell in quotes (RFC 4180) that begins at `start`, up to the first quote that is not doubled. A quote that
// ends the text closes the cell. `target` has room for `count - start` bytes.
struct slipcast_cell slipcast_quoted_cell(const uint8_t *text, size_t count, size_t start, uint8_t *target);

// The first of three bytes at or after `start`; `count` where none follows.
size_t slipcast_find_any(const uint8_t *text, size_t count, size_t start, uint8_t one, uint8_t two, uint8_t three);

// The first byte that a JSON string has only escaped: a quote, a backslash, a control character; `count` where there is none.
size_t slipcast_find_escape(const uint8_t *text, size_t count);

enum slipcast_base64_letters {
  SLIPCAST_BASE64_STANDARD = 0,
  SLIPCAST_BASE64_URL = 1,
  SLIPCAST_BASE64_BOTH = 2,
};

// Decodes whole groups of four letters, up to the first group with another byte. `target` has room for three bytes a group, and for
// one more, whose content is lost.
//
// Returns the number of bytes read, four a group.
size_t slipcast_base64_groups(const uint8_t *text, size_t count, enum slipcast_base64_letters letters, uint8_t *target);

#ifdef __cplusplus
}
#endif
#endif
