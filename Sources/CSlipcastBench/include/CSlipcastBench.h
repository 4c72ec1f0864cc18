// What the benchmark needs from C: simdjson's own visit as a yardstick, and a count of allocations.
#ifndef CSLIPCASTBENCH_H
#define CSLIPCASTBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that must be readable (their content does not matter) behind the text handed to slipcast_bench_visit.
#define SLIPCAST_BENCH_PADDING 64u

struct slipcast_bench_visitor;

struct slipcast_bench_visitor *slipcast_bench_visitor_create(void);
void slipcast_bench_visitor_destroy(struct slipcast_bench_visitor *visitor);

// Visits every key and value of a run of JSON texts on the calling thread and keeps nothing.
// Gives the number of texts, or -1 when simdjson refuses one; `visited` gets the bytes of all keys and scalars.
int64_t slipcast_bench_visit(struct slipcast_bench_visitor *visitor, const uint8_t *bytes, size_t length,
                             uint64_t *visited);

// True where allocations can be counted.
bool slipcast_bench_counts_allocations(void);
// From here on every allocation of the process counts, whichever thread makes it.
void slipcast_bench_start_counting(void);
// The allocations since the start; no more are counted.
uint64_t slipcast_bench_stop_counting(void);

#ifdef __cplusplus
}
#endif
#endif
