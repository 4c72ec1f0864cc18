// The rule files, embedded in the binary in the order in which they are read.
#include "CSlipcastRules.h"

// Clang and GCC know #embed in every language mode; Clang notes that it came with C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char sources[] = {
#embed "rules/sources.json"
};
static const unsigned char eras[] = {
#embed "rules/eras.json"
};
static const unsigned char facts[] = {
#embed "rules/facts.json"
};
static const unsigned char archive_facts[] = {
#embed "rules/archive-facts.json"
};
static const unsigned char transaction[] = {
#embed "rules/transaction.json"
};
static const unsigned char renewal[] = {
#embed "rules/renewal.json"
};
static const unsigned char notification[] = {
#embed "rules/notification.json"
};
static const unsigned char receipt[] = {
#embed "rules/receipt.json"
};
static const unsigned char statuses[] = {
#embed "rules/statuses.json"
};
static const unsigned char app_transaction[] = {
#embed "rules/app-transaction.json"
};
static const unsigned char notification_types_INITIAL_BUY[] = {
#embed "rules/notification-types/INITIAL_BUY.json"
};
static const unsigned char notification_types_INTERACTIVE_RENEWAL[] = {
#embed "rules/notification-types/INTERACTIVE_RENEWAL.json"
};
static const unsigned char notification_types_DID_CHANGE_RENEWAL_PREF[] = {
#embed "rules/notification-types/DID_CHANGE_RENEWAL_PREF.json"
};
static const unsigned char notification_types_DID_CHANGE_RENEWAL_STATUS[] = {
#embed "rules/notification-types/DID_CHANGE_RENEWAL_STATUS.json"
};
static const unsigned char notification_types_DID_FAIL_TO_RENEW[] = {
#embed "rules/notification-types/DID_FAIL_TO_RENEW.json"
};
static const unsigned char notification_types_DID_RECOVER[] = {
#embed "rules/notification-types/DID_RECOVER.json"
};
static const unsigned char notification_types_RENEWAL[] = {
#embed "rules/notification-types/RENEWAL.json"
};
static const unsigned char notification_types_DID_RENEW[] = {
#embed "rules/notification-types/DID_RENEW.json"
};
static const unsigned char notification_types_CANCEL[] = {
#embed "rules/notification-types/CANCEL.json"
};
static const unsigned char notification_types_REFUND[] = {
#embed "rules/notification-types/REFUND.json"
};
static const unsigned char notification_types_REVOKE[] = {
#embed "rules/notification-types/REVOKE.json"
};
static const unsigned char notification_types_PRICE_INCREASE_CONSENT[] = {
#embed "rules/notification-types/PRICE_INCREASE_CONSENT.json"
};
static const unsigned char notification_types_CONSUMPTION_REQUEST[] = {
#embed "rules/notification-types/CONSUMPTION_REQUEST.json"
};
static const unsigned char notification_types_unknown[] = {
#embed "rules/notification-types/unknown.json"
};
static const unsigned char decisions[] = {
#embed "rules/decisions.json"
};
static const unsigned char server_events[] = {
#embed "rules/server-events.json"
};
static const unsigned char grouping[] = {
#embed "rules/grouping.json"
};
static const unsigned char comparing[] = {
#embed "rules/comparing.json"
};
static const unsigned char storekit[] = {
#embed "rules/storekit.json"
};
static const unsigned char receipt_attributes[] = {
#embed "rules/receipt-attributes.json"
};
static const unsigned char verify_receipt_transaction[] = {
#embed "rules/verify-receipt/transaction.json"
};
static const unsigned char verify_receipt_renewal[] = {
#embed "rules/verify-receipt/renewal.json"
};
static const unsigned char verify_receipt_answer[] = {
#embed "rules/verify-receipt/answer.json"
};
static const unsigned char values[] = {
#embed "rules/values.json"
};
static const unsigned char words[] = {
#embed "rules/words.json"
};

#define FILE_OF(name, bytes) { name, bytes, sizeof(bytes) }

static const SlipcastRuleFile files[] = {
    FILE_OF("sources", sources),
    FILE_OF("eras", eras),
    FILE_OF("facts", facts),
    FILE_OF("archive-facts", archive_facts),
    FILE_OF("transaction", transaction),
    FILE_OF("renewal", renewal),
    FILE_OF("notification", notification),
    FILE_OF("receipt", receipt),
    FILE_OF("statuses", statuses),
    FILE_OF("app-transaction", app_transaction),
    FILE_OF("notification-types/INITIAL_BUY", notification_types_INITIAL_BUY),
    FILE_OF("notification-types/INTERACTIVE_RENEWAL", notification_types_INTERACTIVE_RENEWAL),
    FILE_OF("notification-types/DID_CHANGE_RENEWAL_PREF", notification_types_DID_CHANGE_RENEWAL_PREF),
    FILE_OF("notification-types/DID_CHANGE_RENEWAL_STATUS", notification_types_DID_CHANGE_RENEWAL_STATUS),
    FILE_OF("notification-types/DID_FAIL_TO_RENEW", notification_types_DID_FAIL_TO_RENEW),
    FILE_OF("notification-types/DID_RECOVER", notification_types_DID_RECOVER),
    FILE_OF("notification-types/RENEWAL", notification_types_RENEWAL),
    FILE_OF("notification-types/DID_RENEW", notification_types_DID_RENEW),
    FILE_OF("notification-types/CANCEL", notification_types_CANCEL),
    FILE_OF("notification-types/REFUND", notification_types_REFUND),
    FILE_OF("notification-types/REVOKE", notification_types_REVOKE),
    FILE_OF("notification-types/PRICE_INCREASE_CONSENT", notification_types_PRICE_INCREASE_CONSENT),
    FILE_OF("notification-types/CONSUMPTION_REQUEST", notification_types_CONSUMPTION_REQUEST),
    FILE_OF("notification-types/unknown", notification_types_unknown),
    FILE_OF("decisions", decisions),
    FILE_OF("server-events", server_events),
    FILE_OF("grouping", grouping),
    FILE_OF("comparing", comparing),
    FILE_OF("storekit", storekit),
    FILE_OF("receipt-attributes", receipt_attributes),
    FILE_OF("verify-receipt/transaction", verify_receipt_transaction),
    FILE_OF("verify-receipt/renewal", verify_receipt_renewal),
    FILE_OF("verify-receipt/answer", verify_receipt_answer),
    FILE_OF("values", values),
    FILE_OF("words", words),
};

const SlipcastRuleFile *slipcast_rule_file(size_t number) {
  return number < sizeof(files) / sizeof(files[0]) ? &files[number] : NULL;
}

// The schemas of what the program writes, in the order of `slipcast schema`.
static const unsigned char schema_notification[] = {
#embed "schemas/notification.json"
};
static const unsigned char schema_history[] = {
#embed "schemas/history.json"
};
static const unsigned char schema_statuses[] = {
#embed "schemas/statuses.json"
};
static const unsigned char schema_migration[] = {
#embed "schemas/migration.json"
};
static const unsigned char schema_reject[] = {
#embed "schemas/reject.json"
};
static const unsigned char schema_provenance[] = {
#embed "schemas/provenance.json"
};
static const unsigned char schema_diff[] = {
#embed "schemas/diff.json"
};
static const unsigned char schema_parity[] = {
#embed "schemas/parity.json"
};
static const unsigned char schema_verdict[] = {
#embed "schemas/verdict.json"
};
static const unsigned char schema_timeline[] = {
#embed "schemas/timeline.json"
};
static const unsigned char schema_summary[] = {
#embed "schemas/summary.json"
};
static const unsigned char schema_access[] = {
#embed "schemas/access.json"
};
static const unsigned char schema_health[] = {
#embed "schemas/health.json"
};
static const unsigned char schema_fetch[] = {
#embed "schemas/fetch.json"
};
static const unsigned char schema_fetch_missing[] = {
#embed "schemas/fetch-missing.json"
};
static const unsigned char schema_app_transaction[] = {
#embed "schemas/app-transaction.json"
};
static const unsigned char schema_export_missing[] = {
#embed "schemas/export-missing.json"
};
static const unsigned char schema_receipt_provenance[] = {
#embed "schemas/receipt-provenance.json"
};
static const unsigned char schema_sources[] = {
#embed "schemas/sources.json"
};
static const unsigned char schema_detect[] = {
#embed "schemas/detect.json"
};
static const unsigned char schema_states[] = {
#embed "schemas/states.json"
};
static const unsigned char schema_shared[] = {
#embed "schemas/shared.json"
};

static const SlipcastRuleFile schemas[] = {
    FILE_OF("notification", schema_notification),
    FILE_OF("history", schema_history),
    FILE_OF("statuses", schema_statuses),
    FILE_OF("migration", schema_migration),
    FILE_OF("reject", schema_reject),
    FILE_OF("provenance", schema_provenance),
    FILE_OF("diff", schema_diff),
    FILE_OF("parity", schema_parity),
    FILE_OF("verdict", schema_verdict),
    FILE_OF("timeline", schema_timeline),
    FILE_OF("summary", schema_summary),
    FILE_OF("access", schema_access),
    FILE_OF("health", schema_health),
    FILE_OF("fetch", schema_fetch),
    FILE_OF("fetch-missing", schema_fetch_missing),
    FILE_OF("app-transaction", schema_app_transaction),
    FILE_OF("export-missing", schema_export_missing),
    FILE_OF("receipt-provenance", schema_receipt_provenance),
    FILE_OF("sources", schema_sources),
    FILE_OF("detect", schema_detect),
    FILE_OF("states", schema_states),
    FILE_OF("shared", schema_shared),
};

const SlipcastRuleFile *slipcast_schema_file(size_t number) {
  return number < sizeof(schemas) / sizeof(schemas[0]) ? &schemas[number] : NULL;
}

// The formats of files that providers import.
static const unsigned char export_countries[] = {
#embed "exports/countries.json"
};
static const unsigned char export_adapty[] = {
#embed "exports/adapty.json"
};
static const unsigned char export_purchasely[] = {
#embed "exports/purchasely.json"
};
static const unsigned char export_revenuedot[] = {
#embed "exports/revenuedot.json"
};
static const unsigned char export_revenuecat[] = {
#embed "exports/revenuecat.json"
};
static const unsigned char export_apphud[] = {
#embed "exports/apphud.json"
};

static const SlipcastRuleFile exports[] = {
    FILE_OF("countries", export_countries),
    FILE_OF("adapty", export_adapty),
    FILE_OF("purchasely", export_purchasely),
    FILE_OF("revenuedot", export_revenuedot),
    FILE_OF("revenuecat", export_revenuecat),
    FILE_OF("apphud", export_apphud),
};

const SlipcastRuleFile *slipcast_export_file(size_t number) {
  return number < sizeof(exports) / sizeof(exports[0]) ? &exports[number] : NULL;
}
