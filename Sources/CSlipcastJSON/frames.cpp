#include "include/frames.h"

#include <cstring>

#include "bytes16.h"

namespace {

enum class Expected : uint8_t { value, valueOrClose, key, keyOrClose, colon, separator, scalar };

constexpr uint32_t mostDeep = 1024;

// Which brackets are open: a bit for each, 1 for those of objects.
class Brackets {
 public:
  explicit Brackets(uint32_t deepest) : most_((deepest < mostDeep ? deepest : mostDeep) - 1) {}

  bool isEmpty() const { return depth_ == 0; }
  bool isInObject() const { return depth_ > 0 && (kinds_[(depth_ - 1) >> 6] >> ((depth_ - 1) & 63) & 1) != 0; }

  bool open(bool isObject) {
    if (depth_ >= most_) return false;
    uint64_t &kinds = kinds_[depth_ >> 6];
    const uint64_t bit = uint64_t{1} << (depth_ & 63);
    kinds = isObject ? kinds | bit : kinds & ~bit;
    depth_++;
    return true;
  }

  void close() { depth_--; }

 private:
  // A place is written before it is read.
  uint64_t kinds_[mostDeep / 64];
  uint32_t depth_ = 0;
  const uint32_t most_;
};

// The closing quote of a string whose content begins at a position, or where it breaks the grammar: a line feed stands in no
// string.
bool endOfString(const uint8_t *text, size_t count, size_t &at) {
  while (true) {
    while (at + bytes16::size <= count) {
      const auto bytes = bytes16::load(text + at);
      const auto found = bytes16::first(bytes16::either(
          bytes16::either(bytes16::equal(bytes, '"'), bytes16::equal(bytes, '\\')), bytes16::equal(bytes, '\n')));
      at += found;
      if (found < bytes16::size) break;
    }
    while (at < count && text[at] != '"' && text[at] != '\\' && text[at] != '\n') at++;
    if (at >= count || text[at] == '\n') return false;
    if (text[at] == '"') return true;
    at++;
    if (at >= count || text[at] == '\n') return false;
    at++;
  }
}

}  // namespace

slipcast_frame slipcast_object_end(const uint8_t *text, size_t count, size_t start, uint32_t deepest) {
  Brackets brackets(deepest);
  Expected expected = Expected::value;
  size_t at = start;
  while (at < count) {
    const bool mayBeginValue = expected == Expected::value || expected == Expected::valueOrClose;
    switch (text[at]) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        if (expected == Expected::scalar) expected = Expected::separator;
        break;
      case '"':
        if (expected == Expected::key || expected == Expected::keyOrClose) {
          expected = Expected::colon;
        } else if (mayBeginValue) {
          expected = Expected::separator;
        } else {
          return {at, 0};
        }
        at++;
        if (!endOfString(text, count, at)) return {at, 0};
        break;
      case '{':
        if (!mayBeginValue || !brackets.open(true)) return {at, 0};
        expected = Expected::keyOrClose;
        break;
      case '[':
        if (!mayBeginValue || !brackets.open(false)) return {at, 0};
        expected = Expected::valueOrClose;
        break;
      case '}':
        if (!brackets.isInObject() ||
            (expected != Expected::keyOrClose && expected != Expected::separator && expected != Expected::scalar)) {
          return {at, 0};
        }
        brackets.close();
        if (brackets.isEmpty()) return {at + 1, 1};
        expected = Expected::separator;
        break;
      case ']':
        if (brackets.isEmpty() || brackets.isInObject() ||
            (expected != Expected::valueOrClose && expected != Expected::separator && expected != Expected::scalar)) {
          return {at, 0};
        }
        brackets.close();
        expected = Expected::separator;
        break;
      case ':':
        if (expected != Expected::colon) return {at, 0};
        expected = Expected::value;
        break;
      case ',':
        if (expected != Expected::separator && expected != Expected::scalar) return {at, 0};
        expected = brackets.isInObject() ? Expected::key : Expected::value;
        break;
      default:
        if (!mayBeginValue && expected != Expected::scalar) return {at, 0};
        expected = Expected::scalar;
    }
    at++;
  }
  return {at, 0};
}

slipcast_cell slipcast_quoted_cell(const uint8_t *text, size_t count, size_t start, uint8_t *target) {
  size_t at = start;
  size_t written = 0;
  uint8_t isEscaped = 0;
  while (at < count) {
    if (at + bytes16::size <= count) {
      // What is copied too much is written again or not counted; it never passes what was read.
      const auto bytes = bytes16::load(text + at);
      bytes16::store(target + written, bytes);
      const auto found = bytes16::first(bytes16::equal(bytes, '"'));
      at += found;
      written += found;
      if (found == bytes16::size) continue;
    } else if (text[at] != '"') {
      target[written++] = text[at++];
      continue;
    }
    if (at + 1 == count || text[at + 1] != '"') return {at, written, 1, isEscaped};
    target[written++] = '"';
    isEscaped = 1;
    at += 2;
  }
  return {count, written, 0, isEscaped};
}

size_t slipcast_find_any(const uint8_t *text, size_t count, size_t start, uint8_t one, uint8_t two, uint8_t three) {
  size_t at = start;
  for (; at + bytes16::size <= count; at += bytes16::size) {
    const auto bytes = bytes16::load(text + at);
    const auto found = bytes16::first(bytes16::either(
        bytes16::either(bytes16::equal(bytes, one), bytes16::equal(bytes, two)), bytes16::equal(bytes, three)));
    if (found < bytes16::size) return at + found;
  }
  while (at < count && text[at] != one && text[at] != two && text[at] != three) at++;
  return at;
}

size_t slipcast_find_escape(const uint8_t *text, size_t count) {
  size_t at = 0;
  for (; at + bytes16::size <= count; at += bytes16::size) {
    const auto bytes = bytes16::load(text + at);
    const auto found = bytes16::first(bytes16::either(
        bytes16::either(bytes16::equal(bytes, '"'), bytes16::equal(bytes, '\\')), bytes16::below(bytes, 0x20)));
    if (found < bytes16::size) return at + found;
  }
  while (at < count && text[at] != '"' && text[at] != '\\' && text[at] >= 0x20) at++;
  return at;
}

namespace {

// By place in the group and byte the bits of a letter where they stand in the group's three bytes, the first one lowest. A byte
// that is no letter has bits in the fourth one.
struct Letters {
  uint32_t bits[4][256];
};

constexpr uint32_t noLetter = 0xFF000000;

// The three bytes of a number, the highest one first.
constexpr uint32_t swapped(uint32_t bits) { return (bits >> 16 & 0xFF) | (bits & 0xFF00) | (bits & 0xFF) << 16; }

constexpr Letters letters(bool isStandard, bool isURL) {
  Letters result{};
  for (auto &place : result.bits) {
    for (auto &bits : place) bits = noLetter;
  }
  for (uint32_t value = 0; value < 64; value++) {
    const auto common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (uint32_t place = 0; place < 4; place++) {
      const uint32_t bits = swapped(value << (18 - 6 * place));
      if (value < 62) result.bits[place][static_cast<uint8_t>(common[value])] = bits;
      if (value >= 62 && isStandard) result.bits[place][static_cast<uint8_t>("+/"[value - 62])] = bits;
      if (value >= 62 && isURL) result.bits[place][static_cast<uint8_t>("-_"[value - 62])] = bits;
    }
  }
  return result;
}

constexpr Letters alphabets[] = {letters(true, false), letters(false, true), letters(true, true)};

inline uint32_t group(const Letters &letters, const uint8_t *text) {
  return letters.bits[0][text[0]] | letters.bits[1][text[1]] | letters.bits[2][text[2]] | letters.bits[3][text[3]];
}

// Three bytes, and a fourth that the next ones replace.
inline void write(uint32_t bits, uint8_t *target) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(target, &bits, 4);
#else
  const uint8_t bytes[] = {static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8), static_cast<uint8_t>(bits >> 16), 0};
  std::memcpy(target, bytes, 4);
#endif
}

}  // namespace

size_t slipcast_base64_groups(
    const uint8_t *text, size_t count, enum slipcast_base64_letters letters, uint8_t *target) {
  const Letters &own = alphabets[letters];
  size_t at = 0;
  for (; at + 8 <= count; at += 8, target += 6) {
    const uint32_t one = group(own, text + at), two = group(own, text + at + 4);
    if ((one | two) >= noLetter) break;
    write(one, target);
    write(two, target + 3);
  }
  for (; at + 4 <= count; at += 4, target += 3) {
    const uint32_t bits = group(own, text + at);
    if (bits >= noLetter) break;
    write(bits, target);
  }
  return at;
}
