#pragma once
// Which of the names that a reader was given a key is.
#include "CSlipcastJSON.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace {

// Known names. Records repeat themselves, so the name that followed the last one before is tried first; else a hash of
// length, first and last eight bytes leads to the name. Either way it is compared in full.
class Names {
 public:
  Names(const char *const *names, const uint32_t *lengths, uint16_t count)
      : follower_(count + 1, NONE), table_(SIZE, NONE) {
    for (uint16_t i = 0; i < count; i++) text_.emplace_back(names[i], lengths[i]);
    for (uint16_t i = 0; i < count; i++) known_.push_back(text_[i]);
    for (uint16_t i = 0; i < count; i++) {
      size_t at = hash(known_[i].data(), known_[i].size()) & (SIZE - 1);
      while (table_[at] != NONE) at = (at + 1) & (SIZE - 1);
      table_[at] = i;
    }
    last_ = count;
  }

  inline uint16_t find(const char *key, size_t length) {
    uint16_t guess = follower_[last_];
    if (guess == NONE || !is(guess, key, length)) {
      guess = look_up(key, length);
      if (guess == NONE) return SLIPCAST_JSON_UNKNOWN_KEY;
      follower_[last_] = guess;
    }
    last_ = guess;
    return guess;
  }

 private:
  static constexpr uint16_t NONE = 0xFFFF;
  static constexpr size_t SIZE = 512;  // twice as many as the 256 names that a reader takes

  uint16_t look_up(const char *key, size_t length) const {
    for (size_t at = hash(key, length) & (SIZE - 1); table_[at] != NONE; at = (at + 1) & (SIZE - 1))
      if (is(table_[at], key, length)) return table_[at];
    return NONE;
  }

  inline bool is(uint16_t number, const char *key, size_t length) const {
    return known_[number].size() == length && same(known_[number].data(), key, length);
  }

  static inline uint64_t word(const char *at) {
    uint64_t value;
    std::memcpy(&value, at, 8);
    return value;
  }

  // Eight bytes at a time, the last eight overlapping: names are too short for a call of memcmp.
  static inline bool same(const char *left, const char *right, size_t length) {
    if (length < 8) {
      for (size_t i = 0; i < length; i++)
        if (left[i] != right[i]) return false;
      return true;
    }
    uint64_t difference = word(left + length - 8) ^ word(right + length - 8);
    for (size_t i = 0; i + 8 < length; i += 8) difference |= word(left + i) ^ word(right + i);
    return difference == 0;
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

  std::deque<std::string> text_;  // never moves, so the views into it hold
  std::vector<std::string_view> known_;
  std::vector<uint16_t> follower_;
  std::vector<uint16_t> table_;
  uint16_t last_;
};

}  // namespace
