#pragma once
// The entries of a tape.
#include "CSlipcastJSON.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace {

// Memory that grows without a second copy, where the system can move it, and whose unused part is never touched: a document
// of small values needs more memory for entries than for its text.
class Entries {
 public:
  explicit Entries(size_t size) { resize(size); }
  ~Entries() { std::free(memory_); }
  Entries(const Entries &) = delete;
  Entries &operator=(const Entries &) = delete;

  void resize(size_t size) {
    void *memory = std::realloc(memory_, size * sizeof(slipcast_json_entry));
    if (memory == nullptr) throw std::bad_alloc();
    memory_ = static_cast<slipcast_json_entry *>(memory);
    size_ = size;
  }
  size_t size() const { return size_; }
  slipcast_json_entry *data() { return memory_; }
  slipcast_json_entry &operator[](size_t index) { return memory_[index]; }

 private:
  slipcast_json_entry *memory_ = nullptr;
  size_t size_ = 0;
};

}  // namespace
