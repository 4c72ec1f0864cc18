@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// One record with what its caller says of it, its type and its environment: what every phase of a conversion begins with.
struct RecordInput {
  let record: LegacyRecord
  let compiled: CompiledRules
  let options: ConversionOptions
  /// `unknown` for an answer, which has no event.
  let type: LegacyType
  let environment: Environment
  /// When the record was received, milliseconds since 1970 UTC.
  let receivedAt: Int64?
  /// The values are those of the attributes of an app receipt.
  let isOfAttributes: Bool
  /// The places of dates that may be an hour off: Pacific texts in the hour that autumn repeats or spring skips.
  let unclearDates: Set<Int>

  /// The environment of a record; one that names none counts as production.
  struct Environment {
    var isSandbox = false
    /// The record names it.
    var isStated = true
    /// Neither production nor sandbox, as the record names it.
    var other: JSONText?
  }

  init(
    _ record: LegacyRecord, _ compiled: CompiledRules, _ options: ConversionOptions, _ delivery: Converter.Delivery,
    _ notes: NoteCollector
  ) {
    (self.record, self.compiled, self.options) = (record, compiled, options)
    type =
      record.form == .notification
      ? record.text(record.body, .notification_type).map(compiled.type) ?? .unknown : .unknown
    receivedAt = delivery.receivedAt.flatMap { LegacyInstant.plausible.contains($0) ? $0 : nil }
    // A receipt in the style of iOS 6 is a flat transaction, in verifyReceipt's own words.
    isOfAttributes = delivery.isReceipt && record.receipt != nil
    if delivery.isUnreadable || delivery.receivedAt != receivedAt { notes.add(.receivedTimeUnreadable, 0) }
    var unclear: Set<Int> = []
    for finding in record.findings where finding.drift.isUnclearHour { unclear.insert(Int(finding.index)) }
    unclearDates = unclear
    environment = Self.environment(record, notes)
  }

  /// Before the first record is read.
  init(unread record: LegacyRecord, _ compiled: CompiledRules, _ options: ConversionOptions) {
    (self.record, self.compiled, self.options) = (record, compiled, options)
    (type, environment, receivedAt, isOfAttributes, unclearDates) = (.unknown, Environment(), nil, false, [])
  }

  /// The record as the shorter windows of the Sandbox show it.
  init(inSandbox other: RecordInput) {
    (record, compiled, options, type) = (other.record, other.compiled, other.options, other.type)
    (receivedAt, isOfAttributes, unclearDates) = (other.receivedAt, other.isOfAttributes, other.unclearDates)
    var environment = other.environment
    environment.isSandbox = true
    self.environment = environment
  }

  // MARK: environment

  /// The environment that the outermost known word names: an unknown word counts for neither.
  private static func environment(_ record: LegacyRecord, _ notes: NoteCollector) -> Environment {
    var found: (name: JSONText, text: JSONText)?
    var unknown: JSONText?
    func read(_ row: Int?, _ key: LegacyKey) {
      guard let row, let text = record.text(row, key) else { return }
      guard let name = Transform.environmentName(text)?.text else {
        if unknown == nil { notes.add(.unknownEnvironment, record.rows.slot(row, key)) }
        unknown = unknown ?? text
        return
      }
      // Both levels of a record name the environment; they should name the same one.
      if let found, (found.name == Words.sandbox.text) != (name == Words.sandbox.text) {
        notes.add(.conflictingEnvironments, record.rows.slot(row, key))
      }
      found = found ?? (name, text)
    }
    read(record.body, .environment)
    if let inner = record.unifiedReceipt { read(inner, .environment) } else { read(record.receipt, .receipt_type) }
    guard let found else { return Environment(isStated: false, other: unknown) }
    let isSandbox = found.name == Words.sandbox.text
    let isOther = !isSandbox && found.name != Words.production.text
    return Environment(isSandbox: isSandbox, other: isOther ? found.text : nil)
  }

  // MARK: windows

  @inline(__always)
  func length(_ window: DecisionParameters.Window) -> Int64 { window.length(isSandbox: environment.isSandbox) }

  /// So close to a limit that both sides of it are possible.
  func isAtLimit(_ distance: Int64, _ limit: DecisionParameters.Window) -> Bool {
    (distance - length(limit)).magnitude <= limit.tolerance(isSandbox: environment.isSandbox).magnitude
  }

  // MARK: products

  /// What an app receipt says of the product: attribute 1707, which counts the types in this order.
  func statedType(_ row: Int) -> ProductType? {
    guard record.rows.slot(row, .product_type) != 0 else { return nil }
    return switch record.integer(row, .product_type) {
    case 0: .nonConsumable
    case 1: .consumable
    case 2: .nonRenewingSubscription
    case 3: .autoRenewableSubscription
    default: nil
    }
  }

  /// The type of the product, as the record or the catalogue states it.
  func knownType(_ row: Int) -> ProductType? {
    statedType(row) ?? record.text(row, .product_id).flatMap { options.productType($0) }
  }
}
