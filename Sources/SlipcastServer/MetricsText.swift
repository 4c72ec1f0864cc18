/// Metrics in the text format of Prometheus; every name begins with `slipcast_`.
struct MetricsText {
  private(set) var text = ""

  /// Adds a metric with one value for each value of a label.
  mutating func family(
    _ name: String, type: String, help: String, label: String, _ samples: [(String, Int)]
  ) {
    begin(name, type, help)
    for (value, count) in samples { text += "slipcast_\(name){\(label)=\"\(Self.escaped(value))\"} \(count)\n" }
  }

  mutating func family(_ name: String, _ type: String, _ help: String, count: some CustomStringConvertible) {
    begin(name, type, help)
    text += "slipcast_\(name) \(count)\n"
  }

  /// Adds a histogram; `counts` has one more than `bounds`, for what is above the last bound.
  mutating func addHistogram(_ name: String, _ help: String, bounds: [Double], counts: [Int], sum: Double) {
    begin(name, "histogram", help)
    var total = 0
    for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], counts) {
      total += count
      text += "slipcast_\(name)_bucket{le=\"\(bound)\"} \(total)\n"
    }
    text += "slipcast_\(name)_sum \(sum)\nslipcast_\(name)_count \(total)\n"
  }

  private mutating func begin(_ name: String, _ type: String, _ help: String) {
    text += "# HELP slipcast_\(name) \(help)\n# TYPE slipcast_\(name) \(type)\n"
  }

  private static func escaped(_ name: String) -> String {
    name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
