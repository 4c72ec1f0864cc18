@_spi(Slipcast) public import SlipcastLegacy
public import SlipcastV2
@_spi(Slipcast) public import SlipcastWire

/// A converted legacy record.
public struct Conversion: Hashable, Sendable {
  /// The V2 value.
  public enum Value: Hashable, Sendable {
    /// A notification gave a notification.
    case notification(ResponseBodyV2DecodedPayload)
    /// A receipt, or a notification on request, gave its transactions.
    case history(HistoryResponse)
    /// The status of every subscription, on request.
    case statuses(StatusResponse)
    /// What a receipt says of the app, on request.
    case appTransaction(AppTransaction)
  }

  /// The typed V2 value, with Slipcast's own `migration`.
  public var value: Value
  /// The same value as JSON text, byte for byte what `slipcast convert` writes.
  public var json: String {
    switch value {
    case .notification(let value): value.json
    case .history(let value): value.json
    case .statuses(let value): value.json
    case .appTransaction(let value): value.json
    }
  }
  /// Where every value came from, what was lost, what stays absent, and all findings.
  public var account: Account
  /// The time for which states such as `status` hold: the received time, else the event's; for a receipt the request's.
  public var asOf: Timestamp?
  /// When the event happened, as the record states it; for a receipt when it was requested.
  public var eventTime: Timestamp?
  /// What the legacy record is.
  public var form: LegacyForm

  /// What a person should know about the record.
  public var findings: [Finding] { account.findings }
  /// How well the event is known; `ambiguous` when `migration.candidates` names more than one.
  public var confidence: Confidence { account.confidence }

  /// Slipcast's own account inside the V2 value: rule, confidence, candidates, conclusions.
  public var migration: Migration? {
    switch value {
    case .notification(let value): value.migration
    case .history(let value): value.migration
    case .statuses(let value): value.migration
    case .appTransaction(let value): value.migration
    }
  }

  /// The notification, when that is what came out.
  public var notification: ResponseBodyV2DecodedPayload? {
    if case .notification(let value) = value { value } else { nil }
  }

  /// The history, when that is what came out.
  public var history: HistoryResponse? {
    if case .history(let value) = value { value } else { nil }
  }

  /// The statuses, when that is what came out.
  public var statuses: StatusResponse? {
    if case .statuses(let value) = value { value } else { nil }
  }

  /// The app transaction, when that is what came out.
  public var appTransaction: AppTransaction? {
    if case .appTransaction(let value) = value { value } else { nil }
  }
}
