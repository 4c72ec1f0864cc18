/// A condition of an archive fact, as a row of `archive-facts.json` names it.
///
/// What one condition needs, all conditions of its enumeration need.
protocol ArchiveCondition: RawRepresentable<String>, CaseIterable, Sendable {
  /// It asks about a period, so a row with `"period": "none"` cannot have it.
  static var needsPeriod: Bool { get }
  /// It asks about the time range of `complete`, so the row must have one.
  static var needsRange: Bool { get }
  /// It compares with the message that shows the fact, at the time for which it does.
  static var needsNeighbour: Bool { get }
}

extension ArchiveCondition {
  static var needsPeriod: Bool { false }
  static var needsRange: Bool { false }
  static var needsNeighbour: Bool { false }
}

/// A condition of the event, and of the period that the row is about (`when`).
protocol EventCondition: ArchiveCondition {
  func holds(for subject: FactSubject) -> Bool
}

/// A condition of one message (`shows`, `none`).
protocol MessageCondition: ArchiveCondition {
  /// - Parameter index: the place of the message.
  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool
}

/// The conditions that a member of a row may name.
struct ConditionNames<Condition: Sendable>: Sendable {
  /// What they are, as errors call one.
  let what: String
  private let all: [(name: String, condition: Condition)]

  init(_ what: String, _ all: [(name: String, condition: Condition)]...) {
    (self.what, self.all) = (what, all.flatMap(\.self))
  }

  var names: [String] { all.map(\.name) }

  subscript(_ name: String) -> Condition? { all.first { $0.name == name }?.condition }
}

/// All conditions by their names.
enum ArchiveVocabulary {
  static let event = ConditionNames<any EventCondition>(
    "a condition of the event", MomentCondition.named { $0 }, PeriodCondition.named { $0 }, PairCondition.named { $0 })
  static let message = ConditionNames<any MessageCondition>(
    "a condition of another message", AboutCondition.named { $0 }, ReportCondition.named { $0 },
    ChangeCondition.named { $0 }, ChangeInPeriodCondition.named { $0 }, RenewalCondition.named { $0 },
    RenewalOfPeriodCondition.named { $0 }, WritingCondition.named { $0 }, WritingByPeriodCondition.named { $0 },
    RangeCondition.named { $0 }, NeighbourCondition.named { $0 }, ListCondition.named { $0 })
  static let period = ConditionNames<any PeriodTest>(
    "a condition of a period of the subscription", OtherPeriodCondition.named { $0 },
    PeriodBeforeCondition.named { $0 })
}

extension ArchiveCondition {
  fileprivate static func named<Condition>(_ condition: (Self) -> Condition) -> [(name: String, condition: Condition)] {
    allCases.map { ($0.rawValue, condition($0)) }
  }
}
