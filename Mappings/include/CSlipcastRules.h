// The rule files of this folder as bytes.
#ifndef CSLIPCAST_RULES_H
#define CSLIPCAST_RULES_H

#include <stddef.h>

/// One rule file.
typedef struct {
  /// Its path below `Mappings/rules`, without `.json`.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t count;
} SlipcastRuleFile;

/// The rule file of that number, from 0; NULL after the last one.
const SlipcastRuleFile *_Nullable slipcast_rule_file(size_t number);

/// The file of `Mappings/schemas` of that number, from 0; NULL after the last one.
const SlipcastRuleFile *_Nullable slipcast_schema_file(size_t number);

/// The file of `Mappings/exports` of that number, from 0; NULL after the last one.
const SlipcastRuleFile *_Nullable slipcast_export_file(size_t number);

#endif
