import SlipcastWire

/// Dates as pages show them: in UTC, in words; a script adds the local time.
package enum PageTime {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `17 June 2025, 12:00 UTC`; seconds where there are any.
  package static func moment(_ milliseconds: Int64) -> String {
    let iso = Timestamp(milliseconds: milliseconds).description
    guard let end = iso.firstIndex(of: "T") else { return iso }
    let time = iso[iso.index(after: end)...].prefix { $0 != "Z" && $0 != "." }
    return "\(day(milliseconds)), \(time.hasSuffix(":00") ? time.dropLast(3) : time) UTC"
  }

  /// `17 June 2025`.
  package static func day(_ milliseconds: Int64) -> String {
    let iso = Timestamp(milliseconds: milliseconds).description
    let parts = iso.prefix { $0 != "T" }.split(separator: "-")
    guard parts.count == 3, let month = Int(parts[1]), months.indices.contains(month - 1), let day = Int(parts[2])
    else { return iso }
    return "\(day) \(months[month - 1]) \(parts[0])"
  }

  /// `2025-06`, of months since January of the year 0.
  package static func month(_ number: Int) -> String {
    let (year, month) = (number / 12, number % 12 + 1)
    return "\(year)-\(month < 10 ? "0" : "")\(month)"
  }

  /// A length as people name it: `1 month`, `7 days`, `1 year`.
  package static func length(_ milliseconds: Int64) -> String {
    let days = Int((Double(milliseconds) / 86_400_000).rounded())
    func words(_ count: Int, _ unit: String) -> String { count == 1 ? "1 \(unit)" : "\(count) \(unit)s" }
    switch days {
    case ..<1: return words(max(0, Int((Double(milliseconds) / 60_000).rounded())), "minute")
    case 28...31: return "1 month"
    case 59...62: return "2 months"
    case 89...92: return "3 months"
    case 181...184: return "6 months"
    case 365...366: return "1 year"
    default: return words(days, "day")
    }
  }
}

extension Markup {
  /// Adds a moment, in UTC; the script adds the local time.
  package func add(moment: Int64?, else words: String = "unknown") {
    guard let moment else { return add(text: words) }
    add(
      "time", ["datetime": Timestamp(milliseconds: moment).description],
      text: PageTime.moment(moment))
  }
}
