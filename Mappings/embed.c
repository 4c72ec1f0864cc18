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
static const unsigned char values[] = {
#embed "rules/values.json"
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
    FILE_OF("values", values),
};

const SlipcastRuleFile *slipcast_rule_file(size_t number) {
  return number < sizeof(files) / sizeof(files[0]) ? &files[number] : NULL;
}
