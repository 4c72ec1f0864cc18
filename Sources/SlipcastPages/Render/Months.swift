internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastWire

extension PageTime {
  /// The month of a moment, as months since January of the year 0.
  static func monthNumber(_ milliseconds: Int64) -> Int {
    StoreSnapshot.month(ofDay: Int(Timestamp(milliseconds: milliseconds).milliseconds / 86_400_000))
  }
}

extension Chart {
  /// A chart of months from the first to the last one that has something.
  init(months cells: [(month: Int, name: String, count: Int)], id: String, title: String, about: String = "") {
    let all = cells.map(\.month)
    // A hostile date would make a chart of millions of columns.
    let last = all.max() ?? 0
    let first = max(all.min() ?? 0, last - 599)
    let months = all.isEmpty ? [] : Array(first...last)
    var values: [String: [Int]] = [:]
    for cell in cells where cell.month >= first {
      values[cell.name, default: Array(repeating: 0, count: months.count)][cell.month - first] += cell.count
    }
    self.init(
      id: id, title: title, about: about, unit: "Month", labels: months.map { PageTime.month($0) },
      series: values.keys.sorted().map { Series(name: $0, values: values[$0] ?? []) })
  }
}

/// What no chart over time can show.
enum Undated {
  /// The words of so many, such as: 15 missing events have no date, and are not in the chart.
  static func words(_ count: Int, _ noun: String) -> String? {
    guard count > 0 else { return nil }
    return count == 1
      ? "1 \(noun) has no date, and is not in the chart."
      : "\(count.grouped) \(noun)s have no date, and are not in the chart."
  }
}
