@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A field rule, ready to apply: names have become places.
final class CompiledRule: @unchecked Sendable {
  // Safe to share: every property is constant, and the memory behind `sources` is written once, in `init`.
  struct Source: Sendable {
    let scope: LegacyScope
    let key: LegacyKey
    /// It belongs to another object than the rule's own, and counts where that one is silent.
    let isStandIn: Bool
  }

  /// The place in `RuleSet.fields`.
  let number: UInt16
  let slot: Int
  /// In memory of their own: an array would be retained and released for every field of every record.
  let sources: UnsafeBufferPointer<Source>
  /// The date that the rule's keys spell, for the transform `instant`.
  let instant: LegacyInstant?
  /// It fills the renewal information.
  let isOfRenewal: Bool
  let isInferred: Bool
  let apply: Transform.Function

  init(_ rule: FieldRule, number: Int, slot: Int, _ places: [CompiledRules.KeyPlace], _ transform: Transform) {
    let own = places.first?.scope
    isOfRenewal = own == .pending_renewal_info
    let isOfRow = isOfRenewal || own == .latest_receipt_info
    let copy = UnsafeMutableBufferPointer<Source>.allocate(capacity: places.count)
    _ = copy.initialize(
      from: places.map { Source(scope: $0.scope, key: $0.key, isStandIn: isOfRow && $0.scope != own) })
    sources = UnsafeBufferPointer(copy)
    (self.number, self.slot, apply) = (UInt16(number), slot, transform.apply)
    instant = places.first.flatMap { LegacyInstant.of($0.key) }
    isInferred = rule.confidence == .inferred
  }

  deinit { sources.deallocate() }
}

/// Text for cells to point to; whoever made it frees it, or never does.
struct Literal: @unchecked Sendable {
  // Safe to share: written once before anyone else sees it, and freed with the compiled rules, which outlive the cells.
  let text: JSONText

  init(_ string: String) {
    let bytes = Array(string.utf8)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    copy.initialize(from: bytes, count: bytes.count)
    text = JSONText(base: copy, count: bytes.count, isVerbatim: true)
  }

  func free() { text.base.deallocate() }
}

/// Rules turned into places and functions, once; shared by all workers.
final class CompiledRules: Sendable {
  let rules: RuleSet
  let fieldRules: [[CompiledRule]]
  /// By the number of a type its rows of the decision table, compiled when its first record comes.
  private let tables: [DecisionTable]
  let eraStarts: [Int64]
  /// No era starts later.
  let newestEra: Int64
  /// Events that V2 cannot have sent before a date, by that date.
  let eventStarts: [(events: EventMask, start: Int64)]
  /// When Apple introduced win-back offers.
  let winBackStart: Int64?
  let parameters: DecisionParameters
  /// V1's types with their words; the first one, for all other words, has none.
  private let typesOfWords: [(word: Literal, type: LegacyType)]
  /// The events that rows of the decision table may mean, as `EventMask` counts them.
  let events: [EventName]
  /// By rule the V1 keys that it names.
  let places: [[KeyPlace]]
  private let laterAccounts = Later<AccountRules>()

  struct KeyPlace: Hashable {
    let scope: LegacyScope
    let key: LegacyKey
  }

  /// The rules must have passed `RuleCheck`.
  init(_ rules: RuleSet) {
    self.rules = rules
    places = rules.fields.map(\.places)
    fieldRules = Self.compile(rules.fields, places)
    eraStarts = rules.eras.map(\.milliseconds)
    newestEra = eraStarts.max() ?? .min
    winBackStart = rules.eras.first { $0.id == "win-back" }?.milliseconds
    parameters = DecisionParameters(rules)
    let events = rules.events
    self.events = events
    eventStarts = parameters.eventStarts.map { name, start in
      let bits = events.indices.filter { place in
        events[place].notificationType == name.notificationType
          && (name.subtype == nil || events[place].subtype == name.subtype)
      }
      return (EventMask(rawValue: bits.reduce(0) { $0 | 1 << UInt64($1) }), start)
    }
    typesOfWords = zip(rules.legacyTypes, parameters.types).dropFirst().map { (Literal($0.name), $1) }
    tables = rules.legacyTypes.indices.map(DecisionTable.init(ofType:))
  }

  deinit {
    for known in typesOfWords { known.word.free() }
  }

  /// The rows of the decision table for a type.
  @inline(__always)
  func decisions(of type: LegacyType) -> DecisionTable.Rows { tables[type.number].rows(of: self) }

  /// The rows for all types.
  var allDecisions: [CompiledDecision] { tables.flatMap { $0.rows(of: self).all } }

  /// The type of that `notification_type`.
  func type(of text: JSONText) -> LegacyType { typesOfWords.first { $0.word.text == text }?.type ?? .unknown }

  /// The word of a type; `*` for one that has no file.
  func name(of type: LegacyType) -> String {
    rules.legacyTypes.indices.contains(type.number) ? rules.legacyTypes[type.number].name : LegacyTypeEntry.anyOther
  }

  /// What accounts ask about rules, worked out when the first account is asked for.
  var accounts: AccountRules { laterAccounts.value { AccountRules(rules, places) } }

  /// By `ObjectPart` the rules that fill it.
  private static func compile(_ fields: [FieldRule], _ places: [[KeyPlace]]) -> [[CompiledRule]] {
    var compiled = ObjectPart.allCases.map { _ in [CompiledRule]() }
    for number in fields.indices {
      guard let transform = fields[number].transform else { continue }
      for (part, slot) in ObjectPart.places(of: fields[number]) {
        compiled[Int(part.rawValue)].append(
          CompiledRule(fields[number], number: number, slot: slot, places[number], transform))
      }
    }
    return compiled
  }
}

extension Cell {
  init(_ literal: Literal, source: Int = 0) { self.init(literal.text, source: source) }
}

extension FieldRule {
  /// The object that keys without a dot belong to.
  static let scopeOfFamily: [String: LegacyScope] = [
    "transaction": .latest_receipt_info, "renewal": .pending_renewal_info, "notification": .responseBodyV1,
    "receipt": .verifyReceipt, "statuses": .verifyReceipt,
    "app-transaction": .verifyReceipt,
  ]

  /// The legacy fields that the rule names; unknown names are left out (`RuleCheck` reports them).
  var places: [CompiledRules.KeyPlace] { from.compactMap { place(of: $0) } }

  func place(of name: String) -> CompiledRules.KeyPlace? {
    guard name.utf8.contains(UInt8(ascii: ".")) else {
      guard let key = LegacyKey(name: name) else { return nil }
      return Self.scopeOfFamily[family].map { CompiledRules.KeyPlace(scope: $0, key: key) }
    }
    let parts = name.parts(at: ".", maxSplits: 1)
    guard let keyName = parts.last, let key = LegacyKey(name: keyName) else { return nil }
    if parts.count == 1 { return Self.scopeOfFamily[family].map { CompiledRules.KeyPlace(scope: $0, key: key) } }
    let scope =
      parts[0] == "latest_expired_receipt_info" ? LegacyScope.latest_receipt_info : LegacyScope(rawValue: parts[0])
    return scope.map { CompiledRules.KeyPlace(scope: $0, key: key) }
  }
}
