internal import SlipcastReports
internal import SlipcastWire

/// How many messages came on each day, and on which days none did.
struct MessageCalendar: Sendable {
  /// Days since 1970 by UTC, in order.
  private let days: [(day: Int, count: Int)]
  /// More days are not drawn.
  private static let mostDays = 366 * 8

  init(_ days: [(day: Int, count: Int)]) { self.days = days }

  static func name(_ day: Int) -> String { Words.day(Int64(day) * 86_400_000) }

  /// Spans without a message between days that have one.
  var quiet: [ClosedRange<Int>] {
    zip(days, days.dropFirst()).compactMap { before, after in
      after.day - before.day > 1 ? (before.day + 1)...(after.day - 1) : nil
    }
  }

  /// A drawing with a column for each week, and the quiet days in it.
  func add(to parent: Markup) {
    guard let last = days.last?.day, let earliest = days.first?.day else { return }
    let first = max(earliest, last - Self.mostDays)
    let shown = days.filter { $0.day >= first }
    let most = max(1, shown.map(\.count).max() ?? 1)
    // 1970-01-01 was a Thursday; weeks begin on Monday.
    let start = first - (first + 3) % 7
    let weeks = (last - start) / 7 + 1
    let silent = quiet.reduce(0) { $0 + $1.count }
    let words =
      "\(shown.reduce(0) { $0 + $1.count }.grouped) messages from \(Self.name(first)) to \(Self.name(last)); "
      + (silent == 0 ? "every day has one" : "\(silent) days without any")
    let figure = parent.add("figure", ["class": "time"])
    figure.add("p", ["class": "panel-title"], text: words + ".")
    let picture = figure.drawing("calendar", text: words, width: weeks * 10, height: 70)
    picture.box("none", x: 0, y: 0, width: Double(weeks * 10), height: 70)
    for one in shown {
      let place = one.day - start
      let level = 1 + 3 * (Int.bitWidth - one.count.leadingZeroBitCount) / (Int.bitWidth - most.leadingZeroBitCount)
      picture.box(
        "l\(min(4, level))", x: Double(place / 7 * 10 + 1), y: Double(place % 7 * 10 + 1), width: 8, height: 8,
        title: "\(Self.name(one.day)): \(one.count.grouped)")
    }
    let axis = figure.add("p", ["class": "axis"])
    axis.add("span", text: Self.name(first))
    axis.add("span", text: Self.name(last))
  }
}
