#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main loop (compiler-rt, FuzzerInterface.h); `-sanitize=fuzzer` links it.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
