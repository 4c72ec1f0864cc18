internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The values that a device would report, next to the rows about one renewal.
struct StoreKitColumns {
  let rules: RuleSet
  /// What the paths of its rows begin with, and the row of its status.
  let prefix: String
  let statusPath: String
  let cast: StoreKitRenewalInfo?
  let server: StoreKitRenewalInfo?

  /// The column for a row; `nil` for one that is not about the renewal.
  func column(of path: String?) -> StoreKitColumn? {
    guard let path, path == statusPath || path.hasPrefix(prefix),
      let rule = rules.storekit.first(where: { $0.v2 == path.lastKey })
    else { return nil }
    return StoreKitColumn(
      name: rule.storekit, cast: cast?.text(of: rule.storekit), v2: server?.text(of: rule.storekit))
  }

  /// The renewal of one side, when it has one.
  ///
  /// - Parameters:
  ///   - status: the number of its status.
  ///   - time: when it was reported.
  static func view(_ view: RecordView, _ status: Int, _ time: Int64?) -> StoreKitRenewalInfo? {
    guard view.has(.renewal) else { return nil }
    var info = JWSRenewalInfoDecodedPayload()
    for (slot, field) in JWSRenewalInfoDecodedPayload.fields.enumerated() {
      // The view holds only values that such a field can hold.
      if let value = view[ObjectPart.renewal.number(of: slot)] { try? field.read(&info, value.input) }
    }
    let state = view.integer(status).flatMap { Int32(exactly: $0) }
    // Without any time a grace period cannot be judged: it counts as running, as the date itself says.
    return StoreKitRenewalInfo(
      info, status: state.map { Open(rawValue: Status.RawValue($0)) }, asOf: Timestamp(milliseconds: time ?? .min))
  }
}

extension ScalarView {
  fileprivate var input: FieldInput {
    switch kind {
    case .text, .json: .text(string)
    case .integer: .integer(integer)
    case .boolean: .boolean(integer != 0)
    }
  }
}
