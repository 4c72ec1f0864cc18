/// The rule files, embedded in the binary; one line per file, in the order in which they are read.
public enum Catalog {
  /// File names (without `.json`) and their bytes.
  public static let files: [(name: String, bytes: [UInt8])] = [
    ("sources", PackageResources.sources_json),
    ("eras", PackageResources.eras_json),
    ("facts", PackageResources.facts_json),
    ("transaction", PackageResources.transaction_json),
    ("renewal", PackageResources.renewal_json),
    ("notification", PackageResources.notification_json),
    ("receipt", PackageResources.receipt_json),
    ("statuses", PackageResources.statuses_json),
    ("notification-types", PackageResources.notification_types_json),
    ("server-events", PackageResources.server_events_json),
    ("grouping", PackageResources.grouping_json),
    ("comparing", PackageResources.comparing_json),
    ("storekit", PackageResources.storekit_json),
    ("receipt-attributes", PackageResources.receipt_attributes_json),
    ("values", PackageResources.values_json),
  ]
}
