internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline
internal import SlipcastV2

/// Where the two sides of one life differ; what only one side states does not count.
///
/// Times that lie apart by no more than two clocks may differ are equal.
struct LifeDifferences: Sendable {
  struct Span: Sendable {
    var from: Int64
    var until: Int64
  }

  /// A period that both sides know, with another end.
  struct End: Sendable {
    var legacy: LifeTerm
    var server: LifeTerm
    /// V2 reports that Apple extended it, which V1 never does.
    var isExtended: Bool
  }

  /// The times in which one side gives access and the other one does not, or only one side's period runs; in order,
  /// and spans that touch are one.
  private(set) var spans: [Span] = []
  private(set) var ends: [End] = []
  private(set) var takenBack: [TakenBackDifference] = []
  /// What V1 and V2 say was taken back.
  let legacyTakenBack: [TakenBack]
  let serverTakenBack: [TakenBack]

  init(_ customer: Customer) {
    legacyTakenBack = customer.legacy.life.takenBack(asOf: customer.asOf)
    serverTakenBack = customer.server?.life.takenBack(asOf: customer.asOf) ?? []
    guard let server = customer.server, !server.isEmpty, !customer.legacy.isEmpty else { return }
    let told = server.life.told
    let tolerance = customer.tolerance
    ends = Self.ends(customer.legacy.life.terms, server.life.terms, tolerance: tolerance).map { legacy, server in
      End(legacy: legacy, server: server, isExtended: told[.renewalExtended, default: []].contains(server.key.id))
    }
    takenBack = TakenBackDifference.differences(legacyTakenBack, serverTakenBack, tolerance: tolerance).map { one in
      var one = one
      let reversed = told[.refundReversed, default: []]
      one.isReversed = one.server == nil && (one.legacy?.period.map { reversed.contains($0.id) } ?? !reversed.isEmpty)
      return one
    }
    let apart = ends.map { one in
      Span(from: min(one.legacy.expires, one.server.expires), until: max(one.legacy.expires, one.server.expires))
    }
    spans = Self.joined(Self.opposed(customer, server) + apart).filter {
      $0.until.isApart(from: $0.from, by: tolerance)
    }
  }

  /// Whether the other side states another end or refund of a period.
  func remark(_ term: LifeTerm, isOfServer: Bool) -> String? {
    let other = isOfServer ? "V1" : "V2"
    if let one = ends.first(where: { (isOfServer ? $0.server : $0.legacy).key == term.key }) {
      return "\(other) ends it \(PageTime.moment((isOfServer ? one.legacy : one.server).expires))"
    }
    guard let one = takenBack.first(where: { (isOfServer ? $0.server : $0.legacy)?.period == term.key }) else {
      return nil
    }
    let noun = one.noun
    guard let time = (isOfServer ? one.legacy : one.server)?.time else { return "\(other) has no \(noun)" }
    return "\(other) dates the \(noun) \(PageTime.moment(time))"
  }

  // MARK: finding

  private static func ends(
    _ legacy: [LifeTerm], _ server: [LifeTerm], tolerance: Int64
  ) -> [(LifeTerm, LifeTerm)] {
    let named = Dictionary(server.map { ($0.key.id, $0) }) { _, newest in newest }
    return legacy.compactMap { term in
      guard
        let other = named[term.key.id]
          ?? server.first(where: { $0.key.isBought(with: term.key, tolerance: tolerance) }),
        term.expires != .max, other.expires != .max, term.expires.isApart(from: other.expires, by: tolerance)
      else { return nil }
      return (term, other)
    }
  }

  /// Times in which one side gives access and the other one does not.
  private static func opposed(_ customer: Customer, _ server: Customer.Side) -> [Span] {
    let (one, two) = (customer.legacy.life.intervals, server.life.intervals)
    guard let first = one.first, let other = two.first else { return [] }
    let end = max(one.last?.until ?? customer.asOf, two.last?.until ?? customer.asOf)
    let times = Set((one + two).flatMap { [$0.from, $0.until ?? end] }).sorted()
    var (left, right) = (0, 0)
    var spans: [Span] = []
    for (from, until) in zip(times, times.dropFirst()) where from >= max(first.from, other.from) {
      while left < one.count, (one[left].until ?? .max) <= from { left += 1 }
      while right < two.count, (two[right].until ?? .max) <= from { right += 1 }
      if Set([access(one, left, from), access(two, right, from)]) == [.yes, .no] {
        spans.append(Span(from: from, until: until))
      }
    }
    return spans
  }

  private static func access(_ intervals: [LifeInterval], _ place: Int, _ time: Int64) -> Access {
    guard place < intervals.count, intervals[place].from <= time else { return .unknown }
    return intervals[place].access
  }

  private static func joined(_ spans: [Span]) -> [Span] {
    spans.sorted { ($0.from, $0.until) < ($1.from, $1.until) }.reduce(into: []) { joined, span in
      if let last = joined.last, span.from <= last.until {
        joined[joined.count - 1].until = max(last.until, span.until)
      } else {
        joined.append(span)
      }
    }
  }
}

extension CollectedLife {
  /// The line items of which V2 reports an event that V1 never sends, by its type.
  fileprivate var told: [NotificationType: Set<UInt64>] {
    entries.reduce(into: [:]) { told, entry in
      guard case .event(let group) = entry, group.candidates.isEmpty,
        let type = group.notificationType.flatMap(NotificationType.init(rawValue:)),
        let id = group.facts.transaction?.period?.id
      else { return }
      if type == .renewalExtended || type == .refundReversed { told[type, default: []].insert(id) }
    }
  }
}

extension TakenBackDifference {
  /// `refund`, or `revocation` of what another person paid for.
  var noun: String { (legacy ?? server)?.reason == .refunded ? "refund" : "revocation" }
}
