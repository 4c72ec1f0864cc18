#pragma once
// The parts of JSON's grammar that simdjson's first stage leaves open.
#include <cstddef>

namespace {

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// A number by RFC 8259 section 6, of any size.
inline bool is_number(const char *text, size_t length) {
  size_t i = 0;
  auto digits = [&] {
    size_t from = i;
    while (i < length && text[i] >= '0' && text[i] <= '9') i++;
    return i > from;
  };
  if (i < length && text[i] == '-') i++;
  if (i < length && text[i] == '0') {
    i++;
  } else if (!digits()) {
    return false;
  }
  if (i < length && text[i] == '.') {
    i++;
    if (!digits()) return false;
  }
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    if (i < length && (text[i] == '+' || text[i] == '-')) i++;
    if (!digits()) return false;
  }
  return i == length;
}

}  // namespace
