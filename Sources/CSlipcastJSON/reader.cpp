// simdjson finds the tokens of a text; this file checks their order and writes down what they are.
#include "CSlipcastJSON.h"
#include "entries.h"
#include "grammar.h"
#include "names.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

using namespace simdjson;

namespace {

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

// simdjson 3.2 added a parameter to this function.
template <typename Parser>
auto unescape(const Parser &parser, const uint8_t *from, uint8_t *to, int) -> decltype(parser.parse_string(from, to, false)) {
  return parser.parse_string(from, to, false);
}
template <typename Parser>
auto unescape(const Parser &parser, const uint8_t *from, uint8_t *to, long) -> decltype(parser.parse_string(from, to)) {
  return parser.parse_string(from, to);
}

}  // namespace

// simdjson's first stage finds where each token starts; a token ends before the blanks in front of the next one. This walk
// over the starts takes two fifths of the instructions of one with simdjson's On-Demand interface (callgrind, bodies of 6 kB):
// each start is looked at once, and a name is compared with the one that followed the name before.
struct slipcast_json_reader {
  static constexpr size_t LARGE = 1 << 16;
  std::unique_ptr<internal::dom_parser_implementation> parser;
  Names names;
  uint32_t max_depth;
  Entries entries;
  std::vector<uint8_t> side;
  std::vector<uint32_t> open;
  std::vector<uint64_t> strangers;  // hashes of unknown keys of the objects that are open
  const char *text = nullptr;
  const uint32_t *next = nullptr;  // the next token's start
  const uint32_t *last = nullptr;  // behind the last one: the length of the text
  uint32_t count = 0;
  bool has_escapes = false;
  bool has_dollar = false;
  uint32_t failed_at = 0;

  slipcast_json_reader(const char *const *known, const uint32_t *lengths, uint16_t number, uint32_t depth)
      : names(known, lengths, number), max_depth(depth), entries(1024) {}

  // One huge record must not leave its memory with every worker that ever met one.
  void give_back(size_t length) {
    const bool is_small = entries.size() <= LARGE && side.capacity() <= 16 * LARGE;
    if (simdjson_likely(is_small && (!parser || parser->capacity() <= 16 * LARGE)) || length > 4 * LARGE) return;
    entries.resize(1024);
    std::vector<uint8_t>().swap(side);
    std::vector<uint64_t>().swap(strangers);
    parser.reset();
  }

  error_code find_tokens(size_t length) {
    if (!parser) {
      // The depth is that of the second stage, which nobody asks for.
      const size_t capacity = std::max(length, LARGE);
      if (auto code = get_active_implementation()->create_dom_parser_implementation(capacity, 1, parser)) return code;
    } else if (parser->capacity() < length) {
      if (auto code = parser->set_capacity(length)) {
        parser.reset();
        return code;
      }
    }
    if (auto code = parser->stage1(reinterpret_cast<const uint8_t *>(text), length, stage1_mode::regular)) return code;
    next = parser->structural_indexes.get();
    last = next + parser->n_structural_indexes;
    // An entry has a token of its own and, unless it is the first one in an array, another one before it.
    const size_t tokens = parser->n_structural_indexes;
    const size_t most = std::min<size_t>(tokens, tokens / 2 + max_depth) + 2;
    if (simdjson_unlikely(entries.size() < most)) entries.resize(most);
    return SUCCESS;
  }

  error_code fail(error_code code, const char *at) {
    failed_at = uint32_t(at - text);
    return code;
  }

  error_code fail_at_next(error_code code) { return fail(next == last ? INCOMPLETE_ARRAY_OR_OBJECT : code, text + *next); }

  // The unescaped text's place in `side`, and its length.
  bool keep(const char *escaped, size_t length, uint32_t &at, uint32_t &kept) {
    at = uint32_t(side.size());
    side.resize(at + length + SLIPCAST_JSON_PADDING);
    const uint8_t *end = unescape(*parser, reinterpret_cast<const uint8_t *>(escaped), side.data() + at, 0);
    kept = end == nullptr ? 0 : uint32_t(end - side.data()) - at;
    side.resize(at + kept);
    return end != nullptr;
  }

  // Behind the token that begins at `start`: where the next one begins, less the blanks before it.
  inline const char *end_of(const char *start) const {
    const char *end = text + *next;
    while (end > start + 1 && is_space(end[-1])) end--;
    return end;
  }

  inline error_code read_string(slipcast_json_entry &entry, const char *start) {
    const char *const end = end_of(start);
    if (simdjson_unlikely(end - start < 2 || end[-1] != '"')) return fail(TAPE_ERROR, end);
    const size_t length = size_t(end - start) - 2;
    entry.kind = SLIPCAST_JSON_STRING;
    entry.start = uint32_t(start + 1 - text);
    entry.length = uint32_t(length);
    if (simdjson_unlikely(has_escapes) && std::memchr(start + 1, '\\', length) != nullptr) {
      if (!keep(start + 1, length, entry.next, entry.length)) return fail(STRING_ERROR, start);
      entry.flags |= SLIPCAST_JSON_TEXT_ESCAPED;
    }
    return SUCCESS;
  }

  error_code read_number(slipcast_json_entry &entry, const char *start) {
    const size_t length = size_t(end_of(start) - start);
    if (!is_number(start, length)) return fail(NUMBER_ERROR, start);
    entry.kind = SLIPCAST_JSON_NUMBER;
    entry.start = uint32_t(start - text);
    entry.length = uint32_t(length);
    return SUCCESS;
  }

  // true, false or null, and nothing behind it.
  error_code read_word(slipcast_json_entry &entry, const char *start) {
    const std::string_view word(start, size_t(end_of(start) - start));
    if (word != "true" && word != "false" && word != "null")
      return fail(word[0] == 'n' ? N_ATOM_ERROR : T_ATOM_ERROR, start);
    entry.kind = word == "true" ? SLIPCAST_JSON_TRUE : word == "false" ? SLIPCAST_JSON_FALSE : SLIPCAST_JSON_NULL;
    entry.start = uint32_t(start - text);
    entry.length = uint32_t(word.size());
    return SUCCESS;
  }

  inline error_code read_value(uint32_t at) {
    if (simdjson_unlikely(next == last)) return fail_at_next(TAPE_ERROR);
    const char *start = text + *next++;
    switch (*start) {
      case '"': return read_string(entries[at], start);
      case '{': return read_object(at, start);
      case '[': return read_array(at, start);
      case 't':
      case 'f':
      case 'n': return read_word(entries[at], start);
      default:
        if (*start == '-' || (*start >= '0' && *start <= '9')) return read_number(entries[at], start);
        return fail(TAPE_ERROR, start);
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
    next++;
    open.pop_back();
    entries[at].length = children;
    entries[at].next = count;
  }

  inline char next_byte() const { return next == last ? '\0' : text[*next]; }

  error_code read_array(uint32_t at, const char *where) {
    if (auto code = enter(at, SLIPCAST_JSON_ARRAY, where)) return code;
    uint32_t children = 0;
    if (next_byte() != ']') {
      for (;; next++) {
        entries[count] = slipcast_json_entry{0, 0, 0, 0, 0, SLIPCAST_JSON_UNKNOWN_KEY, 0, 0};
        if (auto code = read_value(count++)) return code;
        children++;
        if (next_byte() != ',') break;
      }
    }
    if (next_byte() != ']') return fail_at_next(TAPE_ERROR);
    leave(at, children);
    return SUCCESS;
  }

  inline error_code read_key(slipcast_json_entry &entry, uint64_t *seen) {
    if (simdjson_unlikely(last - next < 2)) {
      if (next != last && text[*next] == '"') next++;
      return fail_at_next(TAPE_ERROR);
    }
    const char *key = text + *next;
    if (simdjson_unlikely(*key != '"')) return fail(TAPE_ERROR, key);
    next++;
    if (simdjson_unlikely(text[*next] != ':')) return fail(TAPE_ERROR, text + *next);
    const char *const end = end_of(key++);
    if (simdjson_unlikely(end <= key || end[-1] != '"')) return fail(TAPE_ERROR, end);
    const size_t length = size_t(end - key) - 1;
    next++;
    const Names::Name *known = names.find(key, length);
    entry = slipcast_json_entry{
      0, 0, 0, uint32_t(key - text), uint32_t(length), known ? known->number : uint16_t(SLIPCAST_JSON_UNKNOWN_KEY), 0, 0};
    std::string_view name(key, length);
    if (simdjson_unlikely(known == nullptr) && has_escapes && std::memchr(key, '\\', length) != nullptr) {
      uint32_t start, kept;
      if (!keep(key, length, start, kept)) {
        count++;  // the fault's path ends with the key as it is spelled
        return fail(STRING_ERROR, key - 1);
      }
      name = std::string_view(reinterpret_cast<const char *>(side.data()) + start, kept);
      known = names.look_up(name);
      entry.flags = SLIPCAST_JSON_KEY_ESCAPED;
      entry.key_start = start;
      entry.key_length = kept;
      if (known != nullptr) entry.key = known->number;
    }
    if (simdjson_unlikely(known == nullptr)) {
      has_dollar |= !name.empty() && name[0] == '$';
      strangers.push_back(std::hash<std::string_view>{}(name));
      return SUCCESS;
    }
    uint64_t &word = seen[known->seen_word];
    if (simdjson_unlikely(word & known->seen_bit)) entry.flags |= SLIPCAST_JSON_DUPLICATE_KEY;
    word |= known->seen_bit;
    return SUCCESS;
  }

  // Reads usual members, one after another: the name that followed the last one before, a string, no escapes. Most members
  // of stored records are, and here they take less than half of the instructions of `read_key` and `read_value`.
  //
  // True when the token behind them is no comma: `next` is at it. Else `next` is at the key of another member.
  bool read_plain_members(uint64_t *seen, uint32_t &children) {
    if (has_escapes) return false;
    const char *const base = text;
    const uint32_t *token = next;
    slipcast_json_entry *entry = entries.data() + count;
    bool is_last = false;
    while (last - token >= 4 && !is_last) {
      const char *const key = base + token[0] + 1, *const colon = base + token[1];
      const char *const value = base + token[2] + 1, *const end = base + token[3];
      if (key[-1] != '"' || colon[0] != ':' || colon[-1] != '"' || value[-1] != '"' || end[-1] != '"') break;
      const size_t length = size_t(colon - key) - 1;
      Names::Name *const name = names.last->follower;
      if (name == nullptr || !name->is(key, length)) break;
      uint64_t &word = seen[name->seen_word];
      if (word & name->seen_bit) break;
      word |= name->seen_bit;
      names.last = name;
      *entry++ = slipcast_json_entry{
        token[2] + 1, uint32_t(end - value) - 1, 0, token[0] + 1, uint32_t(length), name->number, SLIPCAST_JSON_STRING, 0};
      is_last = *end != ',';
      token += is_last ? 3 : 4;
    }
    children += uint32_t(entry - entries.data()) - count;
    count = uint32_t(entry - entries.data());
    next = token;
    return is_last;
  }

  // Unknown keys are compared by 64-bit hash: a false alarm would need 2^32 keys in one object.
  void mark_strangers(uint32_t at, size_t from) {
    std::vector<uint64_t> sorted(strangers.begin() + ptrdiff_t(from), strangers.end());
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) entries[at].flags |= SLIPCAST_JSON_DUPLICATE_INSIDE;
  }

  error_code read_object(uint32_t at, const char *where) {
    if (auto code = enter(at, SLIPCAST_JSON_OBJECT, where)) return code;
    uint64_t seen[4] = {0, 0, 0, 0};
    const size_t from = strangers.size();
    uint32_t children = 0;
    if (next_byte() != '}') {
      for (; !read_plain_members(seen, children); next++) {
        if (auto code = read_key(entries[count], seen)) return code;
        if (auto code = read_value(count++)) return code;
        children++;
        if (next_byte() != ',') break;
      }
    }
    if (next_byte() != '}') return fail_at_next(TAPE_ERROR);
    if (simdjson_unlikely(strangers.size() > from + 1)) mark_strangers(at, from);
    strangers.resize(from);
    leave(at, children);
    return SUCCESS;
  }

  error_code read(size_t length) {
    if (auto code = find_tokens(length)) return code;
    entries[count] = slipcast_json_entry{0, 0, 0, 0, 0, SLIPCAST_JSON_UNKNOWN_KEY, 0, 0};
    if (auto code = read_value(count++)) return code;
    return next == last ? SUCCESS : fail(TRAILING_CONTENT, text + *next);
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

// An exception must not leave C++: Swift would not survive it.
static error_code read_whole(struct slipcast_json_reader *reader, size_t length) {
  try {
    reader->give_back(length);
    return reader->read(length);
  } catch (const std::bad_alloc &) {
    return MEMALLOC;
  } catch (const std::length_error &) {
    return MEMALLOC;
  }
}

struct slipcast_json_tape slipcast_json_read(struct slipcast_json_reader *reader, const uint8_t *bytes, size_t length) {
  slipcast_json_tape tape = {};
  reader->text = reinterpret_cast<const char *>(bytes);
  reader->count = 0;
  reader->side.clear();
  reader->open.clear();
  reader->strangers.clear();
  reader->failed_at = 0;
  reader->has_dollar = false;
  error_code code = length > UINT32_MAX - 2 * SLIPCAST_JSON_PADDING ? CAPACITY : SUCCESS;
  if (!code) {
    reader->has_escapes = std::memchr(bytes, '\\', length) != nullptr;
    code = read_whole(reader, length);
  }
  tape.entries = reader->entries.data();
  tape.side = reader->side.data();
  tape.open = reader->open.data();
  tape.count = reader->count;
  tape.open_count = uint32_t(reader->open.size());
  tape.offset = reader->failed_at;
  tape.has_dollar = reader->has_dollar;
  tape.problem = problem_of(code);
  return tape;
}

uint8_t *slipcast_memory_resize(uint8_t *memory, size_t size) {
  void *grown = realloc(memory, size);
  if (grown == nullptr) abort();
  return static_cast<uint8_t *>(grown);
}

void slipcast_memory_free(uint8_t *memory) { free(memory); }
