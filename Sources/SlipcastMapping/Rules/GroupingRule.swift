public import SlipcastV2

/// How messages about one action are found and read as one event.
public struct GroupingRules: Sendable {
  /// Which message of a group leads; `nil` only in a set of rules that is not whole.
  public internal(set) var strength: GroupingStrength?
  /// Which messages belong together, in order; the first that fits decides.
  public internal(set) var pairs: [GroupingPair] = []
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
  public var confidence: Confidence
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

/// A leading message and one that it absorbs, and the event that they report together.
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
    /// The companion is earlier than the lead by `decision.window.companion` at most.
    case notLongBefore
    /// The subscription shows no purchase after the lead and up to the companion.
    case noPurchaseBetween
    /// Both are about one line item, or one transaction without a line item.
    case sameLine
    /// No other purchase replaced the lead's period, nor followed it: without one, its refund ends the subscription.
    case leadRuns
    /// Each names its purchase: a line item, or a transaction that was not chosen among those of its list.
    case named
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
  /// The id of the decision that holds the window.
  public var window: String
  /// The events that the pair reports.
  ///
  /// The lead's reading, or one of its candidates, is among them. Empty: the lead keeps its reading.
  public var to: [EventName]
  /// What the pair is.
  public var meaning: String
  /// What else a reader should know.
  public var note: String?
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String
}

extension RuleSet {
  /// The longest time between the messages of a pair; the Sandbox may have a different length.
  package func window(of pair: GroupingPair) -> (milliseconds: Int64, sandbox: Int64) { window(id: pair.window) }

  /// The longest time between messages about one action: after it no later message can join.
  package var longestGroupingWindows: (milliseconds: Int64, sandbox: Int64) {
    let windows = grouping.pairs.map { window(of: $0) } + [window(.server)]
    return (windows.map(\.milliseconds).max() ?? 0, windows.map(\.sandbox).max() ?? 0)
  }

  /// The same, in milliseconds, whatever the environment.
  package var longestGroupingWindow: Int64 {
    max(longestGroupingWindows.milliseconds, longestGroupingWindows.sandbox)
  }
}

extension GroupingPair.Condition {
  package var meaning: String {
    switch self {
    case .upgraded: "the absorbed message’s period is upgraded"
    case .on: "the absorbed message turns auto-renew on"
    case .off: "the absorbed message turns auto-renew off"
    case .notOff: "neither message turns auto-renew off"
    case .notBefore: "the absorbed message is not earlier than the one that leads"
    case .notLongBefore: "the absorbed message is not earlier than the one that leads, or by seconds"
    case .noPurchaseBetween: "nothing is bought between the two"
    case .leadRuns: "no upgrade replaced the lead's period, and the absorbed message is not about a later one"
    case .named: "each names its purchase, which was not chosen among those of its list"
    case .sameLine: "both are about one line item, or one transaction without a line item"
    case .otherLine: "they are not about one line item"
    case .equal: "both types are equally strong"
    }
  }
}
