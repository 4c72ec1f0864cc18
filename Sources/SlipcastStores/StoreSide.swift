internal import SlipcastBulk

/// Which records of a store are read: a store may hold both sides of a migration, and one event may be on both.
public enum StoreSide: String, CaseIterable, Hashable, Sendable {
  /// What Slipcast converted from version 1.
  case v1
  /// What Apple made.
  case v2
  /// All; an event of both sides comes twice.
  case both

  /// The condition on an origin; empty for both.
  ///
  /// An index on the origin would be a bad choice next to those of subscriptions and places, so none can be used.
  func condition(on origin: String) -> String { self == .both ? "" : " AND (\(origin) || '') = '\(rawValue)'" }

  var other: StoreSide {
    switch self {
    case .v1: .v2
    case .v2: .v1
    case .both: .both
    }
  }
}

/// How a command chooses the side that it reads.
package struct StoreSideRule: Sendable {
  /// The side that was asked for; `nil`: none.
  package var asked: StoreSide?
  /// The side that is read otherwise; the other one of a store that has no record of it.
  package var preferred: StoreSide

  /// Reads everything: what is found is counted once by its ids, whichever side it is of.
  package static let both = StoreSideRule(preferred: .both)

  package init(asked: StoreSide? = nil, preferred: StoreSide) { (self.asked, self.preferred) = (asked, preferred) }
}

extension StoreSideRule {
  /// - Parameter count: how many records there are of a side.
  func choose<Failure: Error>(_ count: (StoreSide) throws(Failure) -> Int) throws(Failure) -> ChosenSide {
    let wanted = asked ?? preferred
    guard wanted != .both else { return ChosenSide(.both) }
    let others = try count(wanted.other)
    guard others > 0 else { return ChosenSide(wanted) }
    if asked == nil, try count(wanted) == 0 { return ChosenSide(wanted.other) }
    return ChosenSide(wanted, leftOut: others)
  }
}

/// The side that was chosen, and what is left out.
package struct ChosenSide: Sendable {
  package var side: StoreSide
  /// Records of the other side.
  package var leftOut = 0

  package init(_ side: StoreSide, leftOut: Int = 0) { (self.side, self.leftOut) = (side, leftOut) }
}

extension StoreReader {
  /// Chooses the side that a command reads.
  ///
  /// - Parameter readsAnswers: the command reads histories and statuses too, not only notifications.
  /// - Throws: `StoreError`.
  package func choose(_ rule: StoreSideRule, readsAnswers: Bool = true) throws(StoreError) -> ChosenSide {
    let tables = readsAnswers ? ["notifications", "answers"] : ["notifications"]
    return try rule.choose { side throws(StoreError) in try count(of: side, in: tables) }
  }

  /// It has notifications of that side.
  package func has(_ side: StoreSide) throws(StoreError) -> Bool {
    let origin = StoreQueries.origin(in: "notifications", version: version)
    return try database.value("SELECT 1 FROM notifications WHERE \(origin) = '\(side.rawValue)' LIMIT 1") != nil
  }

  private func count(of side: StoreSide, in tables: [String]) throws(StoreError) -> Int {
    var count = 0
    for table in tables {
      let origin = StoreQueries.origin(in: table, version: version)
      count += Int(try database.number("SELECT count(*) FROM \(table) WHERE \(origin) = '\(side.rawValue)'"))
    }
    return count
  }
}

extension StoreQueries {
  /// The side of a record; older stores have V2 records of the endpoint alone, which no rule has read.
  static func origin(in table: String, version: Int) -> String {
    if version >= SchemaVersion.ofOrigins { return "origin" }
    return table == "notifications" ? "CASE WHEN rule IS NULL THEN 'v2' ELSE 'v1' END" : "'v1'"
  }
}
