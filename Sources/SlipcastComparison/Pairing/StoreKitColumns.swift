internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// What a device would have said, beside the rows about a renewal.
struct StoreKitColumns {
  let rules: RuleSet

  /// One renewal as both sides tell it.
  struct Renewal {
    /// What the paths of its rows begin with, and the row of the status beside it.
    var prefix: String
    var statusPath: String
    var cast: StoreKitRenewalInfo?
    var server: StoreKitRenewalInfo?
  }

  /// Adds the column to the rows of a renewal.
  func add(_ renewal: Renewal, to rows: inout [FieldDifference]) {
    for place in rows.indices {
      guard let path = rows[place].v2Path, path == renewal.statusPath || path.hasPrefix(renewal.prefix),
        let rule = rules.storekit.first(where: { $0.v2 == path.lastKey })
      else { continue }
      rows[place].storekit = StoreKitColumn(
        name: rule.storekit, cast: renewal.cast?.text(of: rule.storekit),
        v2: renewal.server?.text(of: rule.storekit))
    }
  }

  /// When the parts of a notification or of an item were signed, milliseconds since 1970 UTC.
  static func signedDate(_ data: NotificationData?) -> Int64? {
    (data?.renewalInfo?.signedDate ?? data?.transactionInfo?.signedDate)?.milliseconds
  }

  /// The view of one side, when it has a renewal.
  static func view(
    _ info: JWSRenewalInfoDecodedPayload?, _ status: Open<Status>?, _ times: Int64?...
  ) -> StoreKitRenewalInfo? {
    guard let info else { return nil }
    // Without any time a grace period cannot be judged: it counts as running, as the date itself says.
    let time = times.compactMap(\.self).first ?? .min
    return StoreKitRenewalInfo(info, status: status, asOf: Timestamp(milliseconds: time))
  }
}
