public import SlipcastV2

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

  /// `decision.` and a name.
  public var id: String
  /// The window, limit or order.
  public var value: Value
  /// What it decides.
  public var meaning: String
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String
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
  case listLimit = "decision.list.limit"
  case subject = "decision.subject"
  case status = "decision.status"
  case family = "decision.family"
}

enum SubjectEvidence: String, CaseIterable, Sendable {
  case lineItem, originalId, flatObject, cancellation, nextProduct, newestPeriod
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

    func length(isSandbox: Bool) -> Int64 { isSandbox ? sandbox : production }
  }

  let action, companion, refund, upgrade, gap, grace, retry, retryEndFrom, retryEndUntil, early, settled: Window
  let delivery, original, first: Window
  let listLimit: Int
  let subject: [SubjectEvidence]
  let status: [(condition: StatusCondition, value: Int64)]
  /// From when V1 sends a type to family members, by the type's number; `Int64.max` for never.
  let familyStart: [Int64]
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
      let length = rules.window(name)
      return Window(production: length.milliseconds, sandbox: length.sandbox)
    }
    (action, companion) = (window(.action), window(.companion))
    (refund, upgrade) = (window(.refund), window(.upgrade))
    (gap, grace) = (window(.gap), window(.grace))
    (retry, retryEndFrom) = (window(.retry), window(.retryEndFrom))
    (retryEndUntil, early, settled) = (window(.retryEndUntil), window(.early), window(.settled))
    (delivery, original, first) = (window(.delivery), window(.original), window(.first))
    if case .limit(let count) = rules.decision(.listLimit)?.value { listLimit = count } else { listLimit = .max }
    subject = rules.words(.subject).compactMap(SubjectEvidence.init(rawValue:))
    status = rules.words(.status).compactMap(Self.statusStep)
    var starts = [Int64](repeating: .max, count: LegacyEventType.allCases.count)
    for word in rules.words(.family) {
      guard let (type, era) = Self.familyEntry(word, rules.eras) else { continue }
      starts[type.number] = era.milliseconds
    }
    familyStart = starts
    func start(of era: String) -> Int64 { rules.eras.first { $0.id == era }?.milliseconds ?? .max }
    failuresStart = start(of: "renewal-failure-events")
    offersStart = start(of: "promotional-offers")
    offersOnInactiveEnd = start(of: "offers-on-inactive")
    upgradeCancelEnd = start(of: "upgrade-three-messages")
  }

  /// `grace 4`: a condition and a status.
  static func statusStep(_ word: String) -> (condition: StatusCondition, value: Int64)? {
    let parts = word.split(separator: " ")
    guard parts.count == 2, let condition = StatusCondition(rawValue: String(parts[0])), let value = Int64(parts[1]),
      (1...5).contains(value)
    else { return nil }
    return (condition, value)
  }

  /// `DID_RENEW family-events`: a V1 type and an era.
  static func familyEntry(_ word: String, _ eras: [Era]) -> (type: LegacyEventType, era: Era)? {
    let parts = word.split(separator: " ")
    guard parts.count == 2, let type = LegacyEventType(rawValue: String(parts[0])),
      let era = eras.first(where: { $0.id == parts[1] })
    else { return nil }
    return (type, era)
  }
}

extension RuleSet {
  /// The length of a window, in production and in the Sandbox; zero for one that does not exist.
  package func window(_ name: DecisionName) -> (milliseconds: Int64, sandbox: Int64) { window(id: name.rawValue) }

  func window(id: String) -> (milliseconds: Int64, sandbox: Int64) {
    guard case .window(let length, let sandbox) = decisions.first(where: { $0.id == id })?.value else { return (0, 0) }
    return (length, sandbox ?? length)
  }

  func decision(_ name: DecisionName) -> DecisionRule? { decisions.first { $0.id == name.rawValue } }

  fileprivate func words(_ name: DecisionName) -> [String] {
    guard case .order(let words) = decision(name)?.value else { return [] }
    return words
  }
}
