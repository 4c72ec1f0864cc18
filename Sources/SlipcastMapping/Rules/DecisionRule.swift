public import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// A parameter of the decisions about types, subjects and states: a window, a limit or an order.
///
/// The built-in ones are in `Mappings/rules/decisions.json`; an overlay replaces them by id.
public struct DecisionRule: Sendable {
  /// What the parameter holds.
  public enum Value: Hashable, Sendable {
    /// A length of time in milliseconds; `sandbox` applies in the Sandbox where time runs faster.
    case window(milliseconds: Int64, sandbox: Int64?)
    /// A number of items.
    case limit(Int)
    /// Words, the first one first.
    case order([String])
  }

  /// A distance from a limit within which both sides of it are possible.
  public struct Tolerance: Hashable, Sendable {
    /// Its length in production.
    public var milliseconds: Int64
    /// Its length in the Sandbox; `nil` for the same.
    public var sandbox: Int64?
    /// Why there is one.
    public var reason: String
  }

  /// `decision.` and a name.
  public var id: String
  /// The window, limit or order.
  public var value: Value
  /// How far from a limit both readings are possible; `nil` for a sharp one.
  public var tolerance: Tolerance?
  /// What it decides.
  public var meaning: String
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String

  /// Its length in production and in the Sandbox; zero for one that is no window.
  var window: (milliseconds: Int64, sandbox: Int64) {
    guard case .window(let length, let sandbox) = value else { return (0, 0) }
    return (length, sandbox ?? length)
  }
}

/// The parameters that Slipcast asks for, by id.
package enum DecisionName: String, CaseIterable, Sendable {
  case action = "decision.window.action"
  case companion = "decision.window.companion"
  case refund = "decision.window.refund"
  case upgrade = "decision.window.upgrade"
  case gap = "decision.window.gap"
  case grace = "decision.window.grace"
  case retry = "decision.window.retry"
  case retryEndFrom = "decision.window.retryEnd.from"
  case retryEndUntil = "decision.window.retryEnd.until"
  case early = "decision.window.early"
  case recovery = "decision.window.recovery"
  case server = "decision.window.server"
  case margin = "decision.window.margin"
  case first = "decision.window.first"
  case settled = "decision.window.settled"
  case delivery = "decision.window.delivery"
  case original = "decision.window.original"
  case firstRetry = "decision.window.firstRetry"
  case listLimit = "decision.list.limit"
  case subject = "decision.subject"
  case status = "decision.status"
  case family = "decision.family"
  case events = "decision.events"
  case once = "decision.once"
}

enum SubjectEvidence: String, CaseIterable, Sendable {
  case lineItem, originalId, flatObject, cancellation, consent, nextProduct, newestPeriod
}

enum StatusCondition: String, CaseIterable, Sendable {
  case revoked, grace, retry, failed, running, expired
}

/// The parameters of the decisions, compiled.
///
/// A class, because every record passes them on: copies of a structure of this size cost some percent of a conversion.
final class DecisionParameters: Sendable {
  /// A length of time in milliseconds, in production and in the Sandbox.
  struct Window: Sendable {
    let production: Int64
    let sandbox: Int64
    let tolerance: (production: Int64, sandbox: Int64)

    func length(isSandbox: Bool) -> Int64 { isSandbox ? sandbox : production }
    func tolerance(isSandbox: Bool) -> Int64 { isSandbox ? tolerance.sandbox : tolerance.production }
  }

  let action, companion, refund, upgrade, gap, grace, retry, retryEndFrom, retryEndUntil, early, settled: Window
  let delivery, original, first, server: Window
  let listLimit: Int
  let subject: [SubjectEvidence]
  let status: [(condition: StatusCondition, value: Int64)]
  /// V1's types, by their numbers.
  let types: [LegacyType]
  /// Events that V2 cannot have sent before a date.
  let eventStarts: [(event: EventName, start: Int64)]
  /// From when V1 reports failed renewals.
  let failuresStart: Int64
  /// Before, no purchase had a promotional offer.
  let offersStart: Int64
  /// From when V2 sends no OFFER_REDEEMED for a return.
  let offersOnInactiveEnd: Int64
  /// Until when V1 sent a CANCEL for each upgrade: the date of the last document that states it.
  let upgradeCancelEnd: Int64

  /// The rules must have passed `RuleCheck`.
  init(_ rules: RuleSet) {
    func window(_ name: DecisionName) -> Window {
      let (length, tolerance) = (rules.window(name), rules.decision(name)?.tolerance)
      let around = tolerance.map { ($0.milliseconds, $0.sandbox ?? $0.milliseconds) } ?? (0, 0)
      return Window(production: length.milliseconds, sandbox: length.sandbox, tolerance: around)
    }
    (action, companion) = (window(.action), window(.companion))
    (refund, upgrade) = (window(.refund), window(.upgrade))
    (gap, grace) = (window(.gap), window(.grace))
    (retry, retryEndFrom) = (window(.retry), window(.retryEndFrom))
    (retryEndUntil, early, settled) = (window(.retryEndUntil), window(.early), window(.settled))
    (delivery, original, first) = (window(.delivery), window(.original), window(.first))
    server = window(.server)
    if case .limit(let count) = rules.decision(.listLimit)?.value { listLimit = count } else { listLimit = .max }
    subject = rules.words(.subject).compactMap(SubjectEvidence.init(rawValue:))
    status = rules.words(.status).compactMap(Self.statusStep)
    let family = Dictionary(rules.words(.family).compactMap(rules.familyEntry)) { $1 }
    types = rules.legacyTypes.enumerated().map { number, entry in
      LegacyType(entry, number: number, familyStart: family[entry.name] ?? .max)
    }
    eventStarts = rules.words(.events).compactMap { Self.eventEntry($0, rules.eras) }
    failuresStart = rules.start(ofEra: "renewal-failure-events")
    offersStart = rules.start(ofEra: "promotional-offers")
    offersOnInactiveEnd = rules.start(ofEra: "offers-on-inactive")
    upgradeCancelEnd = rules.start(ofEra: "upgrade-three-messages")
  }

  /// `grace 4`: a condition and a status.
  static func statusStep(_ word: String) -> (condition: StatusCondition, value: Int64)? {
    let parts = word.split(separator: " ")
    guard parts.count == 2, let condition = StatusCondition(rawValue: String(parts[0])), let value = Int64(parts[1]),
      (1...5).contains(value)
    else { return nil }
    return (condition, value)
  }

  /// `OFFER_REDEEMED/INITIAL_BUY offer-codes`: a V2 event and an era.
  static func eventEntry(_ word: String, _ eras: [Era]) -> (event: EventName, start: Int64)? {
    let parts = word.split(separator: " ")
    guard parts.count == 2, let era = eras.first(where: { $0.id == parts[1] }) else { return nil }
    let names = String(parts[0]).parts(at: "/", maxSplits: 1)
    guard let type = names.first else { return nil }
    return (EventName(notificationType: type, subtype: names.count > 1 ? names[1] : nil), era.milliseconds)
  }
}

extension RuleSet {
  /// The length of a window, in production and in the Sandbox; zero for one that does not exist.
  package func window(_ name: DecisionName) -> (milliseconds: Int64, sandbox: Int64) { window(id: name.rawValue) }

  func window(id: String) -> (milliseconds: Int64, sandbox: Int64) {
    decisions.first { $0.id == id }?.window ?? (0, 0)
  }

  func decision(_ name: DecisionName) -> DecisionRule? { decisions.first { $0.id == name.rawValue } }

  /// `DID_RENEW family-events`: a V1 type, and when an era starts.
  func familyEntry(_ word: String) -> (type: String, start: Int64)? {
    let parts = word.parts(at: " ")
    guard parts.count == 2, knows(legacyType: parts[0]), let era = eras.first(where: { $0.id == parts[1] }) else {
      return nil
    }
    return (parts[0], era.milliseconds)
  }

  /// When an era starts; `Int64.max` for one that does not exist.
  package func start(ofEra id: String) -> Int64 { eras.first { $0.id == id }?.milliseconds ?? .max }

  /// From when V1 sends to family members all types that it sends to them at all.
  package var familyStart: Int64 { words(.family).compactMap(familyEntry).map(\.start).max() ?? .max }

  /// V2's types of which a period has one event at most.
  package var onceInAPeriod: Set<String> { Set(words(.once)) }

  fileprivate func words(_ name: DecisionName) -> [String] {
    guard case .order(let words) = decision(name)?.value else { return [] }
    return words
  }
}
