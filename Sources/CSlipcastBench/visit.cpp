// The yardstick: what simdjson's On-Demand interface alone takes for the same bytes.
//
// Errors are exceptions here: the walk with error codes is a tenth slower, and a slow yardstick flatters.
#include "CSlipcastBench.h"

#include <simdjson.h>

#include <new>
#include <string_view>

using namespace simdjson;

namespace {

// Texts are indexed a megabyte at a time, so one text may have up to that.
constexpr size_t BATCH = 1 << 20;

// Unescapes keys and strings, as a reader must that hands them on; numbers and words are only found.
uint64_t walk(ondemand::value value) {
  uint64_t visited = 0;
  switch (value.type()) {
    case ondemand::json_type::object:
      for (auto member : value.get_object()) {
        std::string_view key = member.unescaped_key();
        visited += key.size();
        visited += walk(member.value());
      }
      return visited;
    case ondemand::json_type::array:
      for (auto item : value.get_array()) visited += walk(item.value());
      return visited;
    case ondemand::json_type::string: {
      std::string_view text = value.get_string();
      return text.size();
    }
    default: return value.raw_json_token().size();
  }
}

}  // namespace

struct slipcast_bench_visitor {
  ondemand::parser parser;

  slipcast_bench_visitor() {
#ifdef SIMDJSON_THREADS_ENABLED
    parser.threaded = false;
#endif
  }
};

struct slipcast_bench_visitor *slipcast_bench_visitor_create(void) {
  return new (std::nothrow) slipcast_bench_visitor();
}

void slipcast_bench_visitor_destroy(struct slipcast_bench_visitor *visitor) { delete visitor; }

int64_t slipcast_bench_visit(struct slipcast_bench_visitor *visitor, const uint8_t *bytes, size_t length,
                             uint64_t *visited) try {
  ondemand::document_stream texts = visitor->parser.iterate_many(bytes, length, BATCH);
  int64_t count = 0;
  uint64_t sum = 0;
  for (auto text : texts) {
    sum += walk(text.get_value());
    count++;
  }
  *visited = sum;
  return texts.truncated_bytes() == 0 ? count : -1;
} catch (const simdjson_error &) {
  return -1;
}
