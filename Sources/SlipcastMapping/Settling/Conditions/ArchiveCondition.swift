/// A condition of an archive fact, as a row of `archive-facts.json` names it.
protocol ArchiveCondition: Hashable, Sendable {
  /// What its names are, as errors call one.
  static var what: String { get }
  static var names: [String] { get }
  init?(name: String)
  var name: String { get }
  /// It asks about a period, so a row with `"period": "none"` cannot have it.
  var needsPeriod: Bool { get }
  /// It asks about the time range of `complete`, so the row must have one.
  var needsRange: Bool { get }
  /// It compares with the message that shows the fact, at the time for which it does.
  var needsNeighbour: Bool { get }
}

extension ArchiveCondition {
  var needsRange: Bool { false }
  var needsNeighbour: Bool { false }
}

/// A condition of the event, and of the period that the row is about (`when`).
enum EventCondition: ArchiveCondition {
  case event(MomentCondition)
  case period(PeriodCondition)
  case pair(PairCondition)

  static let what = "a condition of the event"
  static let names =
    MomentCondition.allCases.map(\.rawValue) + PeriodCondition.allCases.map(\.rawValue)
    + PairCondition.allCases.map(\.rawValue)

  init?(name: String) {
    if let condition = MomentCondition(rawValue: name) {
      self = .event(condition)
    } else if let condition = PeriodCondition(rawValue: name) {
      self = .period(condition)
    } else if let condition = PairCondition(rawValue: name) {
      self = .pair(condition)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .event(let condition): condition.rawValue
    case .period(let condition): condition.rawValue
    case .pair(let condition): condition.rawValue
    }
  }

  var needsPeriod: Bool {
    switch self {
    case .event: false
    case .period, .pair: true
    }
  }
}

/// A condition of one other message (`shows`, `none`).
enum MessageCondition: ArchiveCondition {
  case report(ReportCondition)
  case change(ChangeCondition)
  case renewal(RenewalCondition)
  case writing(WritingCondition)
  case list(ListCondition)

  static let what = "a condition of another message"
  static let names =
    ReportCondition.allCases.map(\.rawValue) + ChangeCondition.allCases.map(\.rawValue)
    + RenewalCondition.allCases.map(\.rawValue) + WritingCondition.allCases.map(\.rawValue)
    + ListCondition.allCases.map(\.rawValue)

  init?(name: String) {
    if let condition = ReportCondition(rawValue: name) {
      self = .report(condition)
    } else if let condition = ChangeCondition(rawValue: name) {
      self = .change(condition)
    } else if let condition = RenewalCondition(rawValue: name) {
      self = .renewal(condition)
    } else if let condition = WritingCondition(rawValue: name) {
      self = .writing(condition)
    } else if let condition = ListCondition(rawValue: name) {
      self = .list(condition)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .report(let condition): condition.rawValue
    case .change(let condition): condition.rawValue
    case .renewal(let condition): condition.rawValue
    case .writing(let condition): condition.rawValue
    case .list(let condition): condition.rawValue
    }
  }

  var needsPeriod: Bool {
    switch self {
    case .report(let condition): condition.needsPeriod
    case .change(let condition): condition.needsPeriod
    case .renewal(let condition): condition.needsPeriod
    case .writing(let condition): condition.needsPeriod
    case .list(let condition): condition.needsPeriod
    }
  }

  var needsRange: Bool {
    if case .writing(let condition) = self { condition.needsRange } else { false }
  }

  var needsNeighbour: Bool {
    switch self {
    case .change(let condition): condition.needsNeighbour
    case .writing(let condition): condition.needsNeighbour
    case .report, .renewal, .list: false
    }
  }
}
