#pragma once
// Which of the names that a reader was given a key is.
#include "CSlipcastJSON.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Known names. Records repeat themselves, so the name that followed the last one before is tried first; else a hash of
// length, first and last eight bytes leads to the name. Either way all of it is compared.
class Names {
 public:
  // A name that a key may be, and the one that followed it last.
  struct Name {
    std::string text;
    uint16_t number;
    uint16_t seen_word;  // where an object notes that it has the name
    uint64_t seen_bit;
    uint64_t words[4] = {0, 0, 0, 0};  // the first 32 bytes of the name, and which of them count
    uint64_t masks[4] = {0, 0, 0, 0};
    Name *follower = nullptr;

    Name(std::string_view name, uint16_t number)
        : text(name), number(number), seen_word((number >> 6) & 3), seen_bit(uint64_t(1) << (number & 63)) {
      const size_t length = std::min(text.size(), sizeof words);
      std::memcpy(words, text.data(), length);
      std::memset(masks, 0xFF, length);
    }

    // Compares 32 bytes without asking how many of them count: names are too short for a call of memcmp.
    //
    // 32 bytes at `key` must be readable, whatever its length.
    inline bool is(const char *key, size_t length) const {
      if (text.size() != length) return false;
      uint64_t difference = 0;
      for (size_t i = 0; i < 4; i++) difference |= (word(key + 8 * i) ^ words[i]) & masks[i];
      return difference == 0 && (length <= sizeof words || std::memcmp(text.data() + 32, key + 32, length - 32) == 0);
    }
  };

  Names(const char *const *names, const uint32_t *lengths, uint16_t count) : table_(SIZE, nullptr) {
    known_.reserve(count + 1);
    for (uint16_t i = 0; i < count; i++) known_.emplace_back(std::string_view(names[i], lengths[i]), i);
    for (Name &name : known_) {
      size_t at = hash(name.text.data(), name.text.size()) & (SIZE - 1);
      while (table_[at] != nullptr) at = (at + 1) & (SIZE - 1);
      table_[at] = &name;
    }
    known_.emplace_back(std::string_view(), SLIPCAST_JSON_UNKNOWN_KEY);
    last = &known_.back();
  }

  Names(const Names &) = delete;
  Names &operator=(const Names &) = delete;

  // The name that a key in a text with padding is.
  inline Name *find(const char *key, size_t length) {
    Name *guess = last->follower;
    if (guess == nullptr || !guess->is(key, length)) {
      guess = look_up(std::string_view(key, length));
      if (guess == nullptr) return nullptr;
      last->follower = guess;
    }
    return last = guess;
  }

  Name *look_up(std::string_view key) const {
    for (size_t at = hash(key.data(), key.size()) & (SIZE - 1); table_[at] != nullptr; at = (at + 1) & (SIZE - 1))
      if (table_[at]->text == key) return table_[at];
    return nullptr;
  }

  Name *last;  // the known name that was found last

 private:
  static constexpr size_t SIZE = 512;  // twice as many as the 256 names that a reader takes

  static inline uint64_t word(const char *at) {
    uint64_t value;
    std::memcpy(&value, at, 8);
    return value;
  }

  static uint64_t hash(const char *key, size_t length) {
    uint64_t first = 0, last = 0;
    if (length >= 8) {
      first = word(key);
      last = word(key + length - 8);
    } else {
      for (size_t i = 0; i < length; i++) first = first << 8 | uint8_t(key[i]);
    }
    uint64_t h = (first ^ (last * 0x9E3779B97F4A7C15u) ^ length) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
  }

  std::vector<Name> known_;  // never grows, so the pointers into it hold
  std::vector<Name *> table_;
};

}  // namespace
