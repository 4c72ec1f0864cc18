/// How messages that tell one action are found and read as one event.
public struct GroupingRules: Sendable {
  /// How far messages of one action may lie apart.
  public internal(set) var windows: [GroupingWindow] = []
  /// Which message of a group leads; `nil` only in a set of rules that is not whole.
  public internal(set) var strength: GroupingStrength?
  /// Which messages belong together, in order; the first that fits decides.
  public internal(set) var pairs: [GroupingPair] = []

  /// The longest window of messages that tell one action, in milliseconds: after it no later message can join.
  package var longestWindow: Int64 {
    windows.filter { $0.id != GroupingWindow.redelivery }.map(\.milliseconds).max() ?? 0
  }

  /// The length of a window, by its id.
  package func milliseconds(of window: String) -> Int64 { windows.first { $0.id == window }?.milliseconds ?? 0 }
}

/// A span of time in which messages may tell one action.
public struct GroupingWindow: Sendable {
  /// `grouping.window`, with a dot and a name for all but the usual one.
  public var id: String
  /// Its length; a message exactly so far away still belongs.
  public var milliseconds: Int64
  /// Why it is so long.
  public var meaning: String
  /// How well it is known.
  public var confidence: RuleConfidence
  /// Keys of `sources.json`.
  public var source: String

  /// The window of pairs that name none.
  package static let usual = "grouping.window"
  /// The window between a message and the V2 notification of its event, where no transaction states the time.
  package static let server = "grouping.window.server"
  /// The window in which deliveries of one message arrive, where nothing else tells a redelivery from a new event.
  package static let redelivery = "grouping.window.redelivery"
}

/// The order in which V1 types lead a group.
public struct GroupingStrength: Sendable {
  /// `grouping.strength`.
  public var id: String
  /// The strongest types first; those of one row are equally strong, and the first named leads.
  public var order: [[String]]
  /// What the order is for.
  public var meaning: String
  /// How well it is known.
  public var confidence: RuleConfidence
  /// Keys of `sources.json`.
  public var source: String

  /// The row of a type and its place in it; `nil` for types that stand alone.
  package func rank(of type: String) -> (row: Int, place: Int)? {
    for (row, types) in order.enumerated() {
      if let place = types.firstIndex(of: type) { return (row, place) }
    }
    return nil
  }
}

/// A message that leads and one that it absorbs, and the event that they tell together.
public struct GroupingPair: Sendable {
  /// What must hold besides the types and the window.
  public enum Condition: String, CaseIterable, Hashable, Sendable {
    /// The companion's period is upgraded.
    case upgraded
    /// The companion turns auto-renew on.
    case on
    /// The companion turns auto-renew off.
    case off
    /// Neither message turns auto-renew off.
    case notOff
    /// The companion is not earlier than the lead.
    case notBefore
    /// The subscription shows no purchase after the lead and up to the companion.
    case noPurchaseBetween
    /// Both are about one line item, or one transaction where there is none.
    case sameLine
    /// They are not known to be about one.
    case otherLine
    /// Both are equally strong.
    case equal
  }

  /// `grouping.` and a name.
  public var id: String
  /// V1 types that may lead.
  public var lead: [String]
  /// V1 types that may be absorbed.
  public var companion: [String]
  /// What else must hold.
  public var conditions: [Condition]
  /// The id of the window: of one of the grouping rules, or of a decision.
  public var window: String
  /// The events that the pair tells.
  ///
  /// The lead's reading, or one of its candidates, is among them. Empty: the lead keeps its reading.
  public var to: [EventName]
  /// What the pair is.
  public var meaning: String
  /// What else a reader should know.
  public var note: String?
  /// How well it is known.
  public var confidence: RuleConfidence
  /// Keys of `sources.json`.
  public var source: String
}

extension RuleSet {
  /// How far the messages of a pair may lie apart; the Sandbox may have a length of its own.
  package func window(of pair: GroupingPair) -> (milliseconds: Int64, sandbox: Int64) {
    if case .window(let length, let sandbox) = decisions.first(where: { $0.id == pair.window })?.value {
      return (length, sandbox ?? length)
    }
    let length = grouping.milliseconds(of: pair.window)
    return (length, length)
  }

  /// The longest window of all pairs, in milliseconds: after it no later message can join.
  package var longestGroupingWindow: Int64 {
    let pairs = grouping.pairs.map { window(of: $0) }.map { max($0.milliseconds, $0.sandbox) }
    return max(grouping.longestWindow, pairs.max() ?? 0)
  }
}

extension GroupingPair.Condition {
  /// The condition in words.
  package var meaning: String {
    switch self {
    case .upgraded: "the absorbed message’s period is upgraded"
    case .on: "the absorbed message turns auto-renew on"
    case .off: "the absorbed message turns auto-renew off"
    case .notOff: "neither message turns auto-renew off"
    case .notBefore: "the absorbed message is not earlier than the one that leads"
    case .noPurchaseBetween: "nothing is bought between the two"
    case .sameLine: "both are about one line item, or one transaction where there is none"
    case .otherLine: "they are not about one line item"
    case .equal: "both types are equally strong"
    }
  }
}
