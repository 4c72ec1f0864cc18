// simdjson's On-Demand interface walks the text; this file only writes down what it finds.
#include "CSlipcastJSON.h"
#include "entries.h"
#include "names.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

using namespace simdjson;

namespace {

// RFC 8259 section 6. Only asked about numbers that are valid text but fit no machine type.
bool is_number(const char *text, size_t length) {
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

int32_t problem_of(error_code code) {
  switch (code) {
    case SUCCESS: return SLIPCAST_JSON_OK;
    case EMPTY: return SLIPCAST_JSON_EMPTY;
    case UTF8_ERROR: return SLIPCAST_JSON_UTF8;
    case UNESCAPED_CHARS: return SLIPCAST_JSON_CONTROL_CHARACTER;
    case UNCLOSED_STRING: return SLIPCAST_JSON_UNCLOSED_STRING;
    case STRING_ERROR: return SLIPCAST_JSON_BAD_ESCAPE;
    case NUMBER_ERROR: return SLIPCAST_JSON_BAD_NUMBER;
    case T_ATOM_ERROR:
    case F_ATOM_ERROR:
    case N_ATOM_ERROR: return SLIPCAST_JSON_LITERAL;
    case DEPTH_ERROR: return SLIPCAST_JSON_DEPTH;
    case CAPACITY: return SLIPCAST_JSON_TOO_LARGE;
    case MEMALLOC: return SLIPCAST_JSON_MEMORY;
    case INCOMPLETE_ARRAY_OR_OBJECT: return SLIPCAST_JSON_INCOMPLETE;
    case TRAILING_CONTENT: return SLIPCAST_JSON_TRAILING;
    default: return SLIPCAST_JSON_SYNTAX;
  }
}

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

struct slipcast_json_reader {
  static constexpr size_t LARGE = 1 << 16;
  ondemand::parser parser;
  Names names;
  uint32_t max_depth;
  Entries entries;
  std::string side;
  std::vector<uint32_t> open;
  std::vector<uint64_t> strangers;  // hashes of unknown keys of the objects that are open
  const char *text = nullptr;
  const char *text_end = nullptr;
  uint32_t count = 0;
  bool has_escapes = false;
  uint32_t failed_at = 0;

  slipcast_json_reader(const char *const *known, const uint32_t *lengths, uint16_t number, uint32_t depth)
      : names(known, lengths, number), max_depth(depth), entries(1024) {}

  // One huge record must not leave its memory with every worker that ever met one.
  void give_back(size_t length) {
    if (simdjson_likely(entries.size() <= LARGE && side.capacity() <= 16 * LARGE && parser.capacity() <= 16 * LARGE)) return;
    if (length > 4 * LARGE) return;
    entries.resize(1024);
    std::string().swap(side);
    std::vector<uint64_t>().swap(strangers);
    parser = ondemand::parser();
  }

  uint32_t add() {
    if (simdjson_unlikely(count == entries.size())) entries.resize(entries.size() * 2);
    return count++;
  }

  error_code fail(error_code code, const char *at) {
    failed_at = uint32_t(at - text);
    return code;
  }

  uint32_t keep(std::string_view unescaped) {
    uint32_t at = uint32_t(side.size());
    side.append(unescaped);
    return at;
  }

  // A value inside a record, or the document itself.
  template <typename Value>
  error_code read_string(uint32_t at, Value &value, std::string_view token) {
    size_t end = token.size();
    while (end > 1 && is_space(token[end - 1])) end--;
    if (simdjson_unlikely(end < 2 || token[end - 1] != '"')) return fail(TAPE_ERROR, token.data() + end);
    entries[at].kind = SLIPCAST_JSON_STRING;
    entries[at].start = uint32_t(token.data() + 1 - text);
    entries[at].length = uint32_t(end - 2);
    if (simdjson_unlikely(has_escapes) && std::memchr(token.data() + 1, '\\', end - 2) != nullptr) {
      std::string_view unescaped;
      if (auto code = value.get_string().get(unescaped)) return fail(code, token.data());
      entries[at].flags |= SLIPCAST_JSON_TEXT_ESCAPED;
      entries[at].length = uint32_t(unescaped.size());
      entries[at].next = keep(unescaped);
    }
    return SUCCESS;
  }

  template <typename Value>
  error_code read_number(uint32_t at, Value &value, std::string_view token) {
    size_t end = token.size();
    while (end > 0 && is_space(token[end - 1])) end--;
    ondemand::number number;
    double real;
    if (value.get_number().get(number) && value.get_double().get(real) && !is_number(token.data(), end))
      return fail(NUMBER_ERROR, token.data());
    entries[at].kind = SLIPCAST_JSON_NUMBER;
    entries[at].start = uint32_t(token.data() - text);
    entries[at].length = uint32_t(end);
    return SUCCESS;
  }

  // true, false or null, and nothing behind it.
  error_code read_word(uint32_t at, std::string_view token) {
    size_t length = token.size();
    while (length > 0 && is_space(token[length - 1])) length--;
    std::string_view word = token.substr(0, length);
    if (word != "true" && word != "false" && word != "null")
      return fail(word[0] == 'n' ? N_ATOM_ERROR : T_ATOM_ERROR, token.data());
    entries[at].kind = word == "true" ? SLIPCAST_JSON_TRUE : word == "false" ? SLIPCAST_JSON_FALSE : SLIPCAST_JSON_NULL;
    entries[at].start = uint32_t(token.data() - text);
    entries[at].length = uint32_t(length);
    return SUCCESS;
  }

  error_code read_value(uint32_t at, ondemand::value value) {
    std::string_view token = value.raw_json_token();
    // simdjson's positions behind the last token are those of an earlier text: what they point to may not be ours.
    if (simdjson_unlikely(token.data() >= text_end)) return fail(INCOMPLETE_ARRAY_OR_OBJECT, text_end);
    switch (token[0]) {
      case '"':
        // simdjson, passing over a string that it was not asked for, takes one before a colon for a key, and passes over
        // the colon and the value behind it as well.
        if (simdjson_unlikely(token.data()[token.size()] == ':')) return fail(TAPE_ERROR, token.data() + token.size());
        return read_string(at, value, token);
      case '{': return read_object(at, value, token.data());
      case '[': return read_array(at, value, token.data());
      case 't':
      case 'f':
      case 'n': return read_word(at, token);
      default:
        if (token[0] == '-' || (token[0] >= '0' && token[0] <= '9')) return read_number(at, value, token);
        return fail(TAPE_ERROR, token.data());
    }
  }

  error_code enter(uint32_t at, uint8_t kind, const char *where) {
    if (open.size() >= max_depth) return fail(DEPTH_ERROR, where);
    open.push_back(at);
    entries[at].kind = kind;
    entries[at].start = uint32_t(where - text);
    return SUCCESS;
  }

  void leave(uint32_t at, uint32_t children) {
    open.pop_back();
    entries[at].length = children;
    entries[at].next = count;
  }

  error_code read_array(uint32_t at, ondemand::value &value, const char *where) {
    if (auto code = enter(at, SLIPCAST_JSON_ARRAY, where)) return code;
    ondemand::array array;
    if (auto code = value.get_array().get(array)) return code;
    uint32_t children = 0;
    for (auto item : array) {
      ondemand::value child;
      if (auto code = std::move(item).get(child)) return code;
      uint32_t index = add();
      entries[index] = slipcast_json_entry{0, 0, 0, 0, 0, SLIPCAST_JSON_UNKNOWN_KEY, 0, 0};
      if (auto code = read_value(index, child)) return code;
      children++;
    }
    leave(at, children);
    return SUCCESS;
  }

  error_code read_key(uint32_t index, ondemand::field &field, uint64_t *seen) {
    const char *key = field.key().raw();
    const char *end = field.value().raw_json_token().data();
    if (simdjson_likely(end < text_end)) {
      end--;
      while (is_space(*end)) end--;
      end--;
      while (is_space(*end)) end--;
    } else {
      // The text is cut off before the value: only the key itself tells where it ends.
      end = key;
      while (end < text_end && *end != '"') end += *end == '\\' ? 2 : 1;
      end = std::min(end, text_end);
    }
    size_t length = size_t(end - key);
    uint16_t number = names.find(key, length);
    entries[index] = slipcast_json_entry{0, 0, 0, uint32_t(key - text), uint32_t(length), number, 0, 0};
    if (simdjson_unlikely(number == SLIPCAST_JSON_UNKNOWN_KEY)) {
      if (has_escapes && std::memchr(key, '\\', length) != nullptr) {
        std::string_view unescaped;
        if (auto code = field.unescaped_key().get(unescaped)) return fail(code, key - 1);
        entries[index].flags |= SLIPCAST_JSON_KEY_ESCAPED;
        entries[index].key_length = uint32_t(unescaped.size());
        entries[index].key = number = names.find(unescaped.data(), unescaped.size());
        entries[index].key_start = keep(unescaped);
      }
    }
    if (number == SLIPCAST_JSON_UNKNOWN_KEY) {
      const char *name = (entries[index].flags & SLIPCAST_JSON_KEY_ESCAPED) ? side.data() + entries[index].key_start : key;
      strangers.push_back(std::hash<std::string_view>{}(std::string_view(name, entries[index].key_length)));
    } else {
      uint64_t bit = uint64_t(1) << (number & 63);
      if (simdjson_unlikely(seen[(number >> 6) & 3] & bit)) entries[index].flags |= SLIPCAST_JSON_DUPLICATE_KEY;
      seen[(number >> 6) & 3] |= bit;
    }
    return SUCCESS;
  }

  // Unknown keys are compared by 64-bit hash: a false alarm would need 2^32 keys in one object.
  void mark_strangers(uint32_t at, size_t from) {
    std::vector<uint64_t> sorted(strangers.begin() + ptrdiff_t(from), strangers.end());
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) entries[at].flags |= SLIPCAST_JSON_DUPLICATE_INSIDE;
  }

  error_code read_object(uint32_t at, ondemand::value &value, const char *where) {
    if (auto code = enter(at, SLIPCAST_JSON_OBJECT, where)) return code;
    ondemand::object object;
    if (auto code = value.get_object().get(object)) return code;
    uint64_t seen[4] = {0, 0, 0, 0};
    size_t from = strangers.size();
    uint32_t children = 0;
    for (auto item : object) {
      ondemand::field field;
      if (auto code = std::move(item).get(field)) return code;
      uint32_t index = add();
      if (auto code = read_key(index, field, seen)) return code;
      if (auto code = read_value(index, field.value())) return code;
      children++;
    }
    if (simdjson_unlikely(strangers.size() > from + 1)) mark_strangers(at, from);
    strangers.resize(from);
    leave(at, children);
    return SUCCESS;
  }

  // A document that is no object and no array: simdjson 3.0 looks at no more than its beginning.
  error_code read_scalar(uint32_t at, ondemand::document &document, std::string_view token, const char *end) {
    const char *next = token.data() + token.size();
    if (next < end) return fail(TRAILING_CONTENT, next);
    if (token[0] == '"') return read_string(at, document, token);
    if (token[0] == 't' || token[0] == 'f' || token[0] == 'n') return read_word(at, token);
    return read_number(at, document, token);
  }

  error_code read(ondemand::document &document, const char *end) {
    uint32_t root = add();
    entries[root] = slipcast_json_entry{0, 0, 0, 0, 0, SLIPCAST_JSON_UNKNOWN_KEY, 0, 0};
    ondemand::json_type type;
    if (auto code = document.type().get(type)) return code;
    if (type == ondemand::json_type::object || type == ondemand::json_type::array) {
      ondemand::value value;
      if (auto code = document.get_value().get(value)) return code;
      if (auto code = read_value(root, value)) return code;
      const char *rest;
      return document.current_location().get(rest) ? SUCCESS : TRAILING_CONTENT;
    }
    std::string_view token;
    if (auto code = document.raw_json_token().get(token)) return code;
    return read_scalar(root, document, token, end);
  }
};

struct slipcast_json_reader *slipcast_json_reader_create(const char *const *names, const uint32_t *lengths,
                                                         uint16_t count, uint32_t max_depth) {
  try {
    return new slipcast_json_reader(names, lengths, count, max_depth);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void slipcast_json_reader_destroy(struct slipcast_json_reader *reader) { delete reader; }

// A number at the end of a text that was cut off would be read on into what lies behind the text, and past its padding.
// An object or array that ends like that is broken, whatever is in it; with a blank behind it, reading it is safe.
static bool runs_on(const char *text, size_t length) {
  const char last = length > 0 ? text[length - 1] : ' ';
  if (simdjson_likely(last == '}' || last == ']') || last == '"' || is_space(last) || is_space(text[length])) return false;
  size_t start = 0;
  while (start < length && is_space(text[start])) start++;
  return start < length && (text[start] == '{' || text[start] == '[');
}

// An exception must not leave C++: Swift would not survive it.
static error_code read_whole(struct slipcast_json_reader *reader, size_t length, ondemand::document &document) {
  try {
    reader->give_back(length);
    if (simdjson_unlikely(runs_on(reader->text, length))) return reader->fail(INCOMPLETE_ARRAY_OR_OBJECT, reader->text_end);
    const size_t capacity = length + SLIPCAST_JSON_PADDING;
    if (auto code = reader->parser.iterate(reader->text, length, capacity).get(document)) return code;
    auto code = reader->read(document, reader->text + length);
    const char *location;
    if (code && reader->failed_at == UINT32_MAX)
      reader->failed_at = document.current_location().get(location) ? uint32_t(length) : uint32_t(location - reader->text);
    return code;
  } catch (const std::bad_alloc &) {
    return MEMALLOC;
  } catch (const std::length_error &) {
    return MEMALLOC;
  }
}

struct slipcast_json_tape slipcast_json_read(struct slipcast_json_reader *reader, const uint8_t *bytes, size_t length) {
  slipcast_json_tape tape = {};
  reader->text = reinterpret_cast<const char *>(bytes);
  reader->text_end = reader->text + length;
  reader->count = 0;
  reader->side.clear();
  reader->open.clear();
  reader->strangers.clear();
  reader->failed_at = UINT32_MAX;
  error_code code = length > UINT32_MAX - 2 * SLIPCAST_JSON_PADDING ? CAPACITY : SUCCESS;
  if (!code) {
    reader->has_escapes = std::memchr(bytes, '\\', length) != nullptr;
    ondemand::document document;
    code = read_whole(reader, length, document);
  }
  tape.entries = reader->entries.data();
  tape.side = reinterpret_cast<const uint8_t *>(reader->side.data());
  tape.open = reader->open.data();
  tape.count = reader->count;
  tape.open_count = uint32_t(reader->open.size());
  tape.offset = reader->failed_at == UINT32_MAX ? 0 : std::min(reader->failed_at, uint32_t(length));
  tape.problem = problem_of(code);
  return tape;
}

uint8_t *slipcast_memory_resize(uint8_t *memory, size_t size) {
  void *grown = realloc(memory, size);
  if (grown == nullptr) abort();
  return static_cast<uint8_t *>(grown);
}

void slipcast_memory_free(uint8_t *memory) { free(memory); }
