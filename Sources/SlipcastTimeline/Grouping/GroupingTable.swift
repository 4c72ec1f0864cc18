internal import SlipcastMapping

/// The grouping rules, laid out for quick answers: which pairs two types may form, and which of them leads.
struct GroupingTable: Sendable {
  struct Pair: Sendable {
    let rule: GroupingPair
    let milliseconds: Int64
    let sandbox: Int64
    /// Messages further apart may belong to separate actions.
    let certain: Int64
    /// Times this close have no order.
    let tolerance: Int64
    /// The condition `GroupingPair.Condition.noPurchaseBetween`.
    let forbidsPurchaseBetween: Bool

    init(_ rule: GroupingPair, _ rules: RuleSet) {
      self.rule = rule
      (milliseconds, sandbox) = rules.window(of: rule)
      let isOneAction = rule.window == DecisionName.action.rawValue
      tolerance = rules.window(.companion).milliseconds
      certain = isOneAction ? tolerance : .max
      forbidsPurchaseBetween = rule.conditions.contains(.noPurchaseBetween)
    }
  }

  /// How strongly a message leads; less is stronger.
  struct Rank: Comparable, Sendable {
    let row: Int
    let place: Int

    static func < (left: Rank, right: Rank) -> Bool { (left.row, left.place) < (right.row, right.place) }
  }

  /// After it no later message can join.
  let longestWindow: Int64
  private let numbers: [String: Int]
  private let ranks: [Rank]
  /// For every lead and companion the pairs that name both types, in the order of the rules.
  private let pairs: [[Pair]]

  init(_ rules: RuleSet) {
    let grouping = rules.grouping
    longestWindow = rules.longestGroupingWindow
    var numbers: [String: Int] = [:]
    var ranks: [Rank] = []
    for (row, types) in (grouping.strength?.order ?? []).enumerated() {
      for (place, type) in types.enumerated() where numbers[type] == nil {
        numbers[type] = ranks.count
        ranks.append(Rank(row: row, place: place))
      }
    }
    var pairs: [[Pair]] = Array(repeating: [], count: ranks.count * ranks.count)
    for rule in grouping.pairs {
      let pair = Pair(rule, rules)
      for lead in rule.lead.compactMap({ numbers[$0] }) {
        for companion in rule.companion.compactMap({ numbers[$0] }) {
          pairs[lead * ranks.count + companion].append(pair)
        }
      }
    }
    (self.numbers, self.ranks, self.pairs) = (numbers, ranks, pairs)
  }

  /// The number of a V1 type; `nil` for one that is never merged.
  func number(of type: String?) -> Int? { type.flatMap { numbers[$0] } }

  /// The rank of a type; messages about an upgraded period rank after all others.
  func rank(of number: Int, isUpgraded: Bool) -> Rank {
    isUpgraded ? Rank(row: ranks.count, place: number) : ranks[number]
  }

  /// The pairs that a lead and a companion of these types may form.
  func pairs(_ lead: Int, _ companion: Int) -> [Pair] { pairs[lead * ranks.count + companion] }
}
