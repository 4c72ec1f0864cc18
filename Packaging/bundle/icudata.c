// A data library of ICU without contents: libxml2 links ICU, whose data has 30 MB, and Slipcast writes UTF-8 alone,
// which ICU and libxml2 convert without data. ICU calls this form "stub data" (a table of contents with no entries).
#include <stdint.h>

struct table_of_contents {
  uint16_t header_bytes;
  uint8_t magic[2];
  uint16_t info_bytes, reserved;
  uint8_t is_big_endian, charset_family, char_bytes, reserved_byte;
  uint8_t data_format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, unused;
};

__attribute__((aligned(16), visibility("default"))) const struct table_of_contents SYMBOL = {
    .header_bytes = 32,
    .magic = {0xda, 0x27},
    .info_bytes = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .char_bytes = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
