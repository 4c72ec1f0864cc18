import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  private static let mostCauses = 12

  /// What failing differences have in common: dates of several paths that are shifted alike are one entry.
  var causeItems: [ReportItem] {
    var paths: [String: [ParityCause]] = [:]
    var order: [String] = []
    for cause in causes {
      let key = cause.groupKey
      if paths[key] == nil { order.append(key) }
      paths[key, default: []].append(cause)
    }
    let items = order.prefix(Self.mostCauses).compactMap { paths[$0].map(item) }
    let rest = order.count - items.count
    return items + (rest > 0 ? [ReportItem(words: "\(Words.count(rest, "more cause")); JSON lists all")] : [])
  }

  private func item(_ causes: [ParityCause]) -> ReportItem {
    let pairs = causes.map(\.pairs).max() ?? 0
    let places = causes.map { cause in
      let share = Words.percent(cause.pairs, of: cause.all)
      let part = cause.pairs < cause.all ? " (\(share) of its failing pairs)" : ""
      return "\(cause.path): \(Words.count(cause.pairs, "pair"))\(part)".safe
    }
    let common = causes[0].common.words
    return ReportItem(
      lead: .count(pairs), name: causes[0].words.safe, details: places + (common.isEmpty ? [] : [common.safe]),
      tone: .bad)
  }
}

extension ParityCause {
  /// Causes with the same key are one.
  fileprivate var groupKey: String {
    guard kind == .shifted, let by else { return "\(path) \(kind.rawValue) \(from?.json ?? "") \(to?.json ?? "")" }
    return "shifted \(by) \(common.words)"
  }

  /// `V2's dates are 7 h earlier, all exactly: probably the time zone America/Los_Angeles`.
  var words: String {
    switch kind {
    case .shifted:
      let by = by ?? 0
      // An hour is also what daylight saving changes.
      let isHour = zoneShift?.magnitude == 3_600_000
      let zone = timeZone.map { "; probably \(isHour ? "daylight saving, or " : "")a time zone: \($0)" } ?? ""
      let length = Words.duration(by.magnitude)
      return "shifted: V2's date is \(length) \(by < 0 ? "earlier" : "later")\(isExact ? ", all exactly" : "")\(zone)"
    case .recoded: return "recoded: \(from?.json ?? "another value") in V1 is \(to?.json ?? "another value") in V2"
    case .absentInV2: return "absent in V2"
    case .absentInV1: return "absent in V1"
    case .other: return "other differences"
    }
  }
}

extension ParityCause.Common {
  /// `all of com.example.app, DID_RENEW, and no other pair is`.
  var words: String {
    let parts = [
      bundleId.map { "app \($0)" }, productId.map { "product \($0)" }, type.map { "type \($0)" },
      since.map { "since \(Words.moment($0))" }, until.map { "until \(Words.moment($0))" },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : "only these: \(parts.joined(separator: ", "))"
  }
}

extension Words {
  /// `7 h`, `1 h 30 min`, `1 s`, `250 ms`.
  package static func duration(_ milliseconds: UInt64) -> String {
    var rest = milliseconds
    var parts: [String] = []
    for (unit, length) in [("d", UInt64(86_400_000)), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)] {
      if rest >= length {
        parts.append("\(rest / length) \(unit)")
        rest %= length
      }
    }
    return parts.isEmpty ? "0 s" : parts.prefix(3).joined(separator: " ")
  }
}
