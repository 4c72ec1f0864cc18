// Sixteen bytes compared at once: SSE2 and NEON are in every processor of their kind; others compare one by one.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bytes16 {

constexpr std::size_t size = 16;

#if defined(__SSE2__)

using Bytes = __m128i;
inline Bytes load(const uint8_t *place) { return _mm_loadu_si128(reinterpret_cast<const __m128i *>(place)); }
inline void store(uint8_t *place, Bytes bytes) { _mm_storeu_si128(reinterpret_cast<__m128i *>(place), bytes); }
inline Bytes equal(Bytes bytes, uint8_t byte) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(byte))); }
inline Bytes either(Bytes one, Bytes other) { return _mm_or_si128(one, other); }
// Where the bytes are less than one that is not 0.
inline Bytes below(Bytes bytes, uint8_t limit) {
  return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(static_cast<char>(limit - 1))), bytes);
}
// The place of the first byte that is equal; `size` for none.
inline std::size_t first(Bytes equal) {
  const auto mask = static_cast<unsigned>(_mm_movemask_epi8(equal));
  return mask == 0 ? size : static_cast<std::size_t>(__builtin_ctz(mask));
}

#elif defined(__aarch64__)

using Bytes = uint8x16_t;
inline Bytes load(const uint8_t *place) { return vld1q_u8(place); }
inline void store(uint8_t *place, Bytes bytes) { vst1q_u8(place, bytes); }
inline Bytes equal(Bytes bytes, uint8_t byte) { return vceqq_u8(bytes, vdupq_n_u8(byte)); }
inline Bytes either(Bytes one, Bytes other) { return vorrq_u8(one, other); }
inline Bytes below(Bytes bytes, uint8_t limit) { return vcltq_u8(bytes, vdupq_n_u8(limit)); }
inline std::size_t first(Bytes equal) {
  // Four bits a byte.
  const uint64_t mask = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(equal), 4)), 0);
  return mask == 0 ? size : static_cast<std::size_t>(__builtin_ctzll(mask) / 4);
}

#else

struct Bytes {
  uint8_t at[size];
};
inline Bytes load(const uint8_t *place) {
  Bytes bytes;
  __builtin_memcpy(bytes.at, place, size);
  return bytes;
}
inline void store(uint8_t *place, Bytes bytes) { __builtin_memcpy(place, bytes.at, size); }
inline Bytes equal(Bytes bytes, uint8_t byte) {
  for (auto &one : bytes.at) one = one == byte ? 1 : 0;
  return bytes;
}
inline Bytes below(Bytes bytes, uint8_t limit) {
  for (auto &one : bytes.at) one = one < limit ? 1 : 0;
  return bytes;
}
inline Bytes either(Bytes one, Bytes other) {
  for (std::size_t at = 0; at < size; at++) one.at[at] |= other.at[at];
  return one;
}
inline std::size_t first(Bytes equal) {
  std::size_t at = 0;
  while (at < size && equal.at[at] == 0) at++;
  return at;
}

#endif

}  // namespace bytes16
