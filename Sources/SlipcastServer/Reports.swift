@_spi(Slipcast) internal import SlipcastWire

/// What `/healthz` and `/metrics` say.
struct Reports: Sendable {
  var journal: Journal
  var counters: Counters
  var targets: [DeliveryState]
  /// Readings are settled with earlier events.
  var settles = false
  /// The last comparison with V2 data.
  var comparison: ComparisonState?

  private func pending(_ values: DeliveryState.Values) -> Int {
    max(0, Int(journal.last - (values.position ?? journal.first - 1))) + values.waiting
  }

  /// The answer to a `GET` request; `nil` for a path that is no report.
  func answer(_ path: String) -> Answer? {
    switch path {
    case "/healthz": Answer(200, type: "application/json", body: health)
    case "/metrics": Answer(200, type: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.utf8))
    default: nil
    }
  }

  private var health: [UInt8] {
    let values = counters.now
    let states = targets.map { ($0.name, $0.now) }
    let writer = JSONWriter(capacity: 512)
    writer.byte(UInt8(ascii: "{"))
    writer.member("status", states.contains { $0.1.trouble != nil } ? "degraded" : "ok")
    writer.member("received", values.received.values.reduce(0, +))
    writer.member("stored", journal.count)
    writer.member("repeated", values.repeated)
    writer.member("refused", values.refused)
    writer.member("converted", values.converted)
    writer.member("rejected", values.rejected)
    for (key, count) in [("pending", pending), ("undelivered", { $0.undelivered })]
      as [(String, (DeliveryState.Values) -> Int)]
    {
      writer.key(key)
      writer.byte(UInt8(ascii: "{"))
      for (name, state) in states { writer.member(name, count(state)) }
      writer.byte(UInt8(ascii: "}"))
    }
    writer.raw("}\n")
    return writer.bytes
  }

  private var metrics: String {
    let values = counters.now
    var text = ""
    func family(_ name: String, _ type: String, _ help: String, _ samples: [(labels: String, value: String)]) {
      text += "# HELP slipcast_\(name) \(help)\n# TYPE slipcast_\(name) \(type)\n"
      for (labels, value) in samples { text += "slipcast_\(name)\(labels) \(value)\n" }
    }
    func plain(_ value: Int) -> [(labels: String, value: String)] { [("", "\(value)")] }
    family(
      "received_total", "counter", "Requests by the version of the notification; none: refused.",
      values.received.sorted { $0.key < $1.key }.map { ("{version=\"\($0.key)\"}", "\($0.value)") })
    family(
      "answers_total", "counter", "Responses to notifications by status.",
      values.answers.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", "\($0.value)") })
    family(
      "timeouts_total", "counter", "Connections that were ended without a response; head: also idle ones.",
      [("{part=\"body\"}", "\(values.slowBodies)"), ("{part=\"head\"}", "\(values.slowHeads)")])
    family("stored_total", "counter", "Events that were stored in the journal.", plain(values.stored))
    family("repeated_total", "counter", "Repeated events, which are stored once.", plain(values.repeated))
    family("converted_total", "counter", "Events that were converted or decoded for --to.", plain(values.converted))
    family("rejected_total", "counter", "Stored V1 bodies that could not be converted.", plain(values.rejected))
    if settles {
      family("settled_total", "counter", "Events for --to whose reading earlier events settled.", plain(values.settled))
    }
    let states = targets.map { (Self.label($0.name), $0.now) }
    family(
      "pending", "gauge", "Events of the journal that a target does not have yet.",
      states.map { ("{target=\"\($0.0)\"}", "\(pending($0.1))") })
    family(
      "undelivered", "gauge", "Events that a target did not accept, after the last retry.",
      states.map { ("{target=\"\($0.0)\"}", "\($0.1.undelivered)") })
    family(
      "delivery_failures_total", "counter", "Failed attempts to deliver.",
      states.map { ("{target=\"\($0.0)\"}", "\($0.1.failures)") })
    family("journal_bytes", "gauge", "Bytes of the journal.", plain(journal.bytes))
    if let values = comparison?.now {
      family(
        "compared", "gauge", "Events by the result of the last comparison (--compare).",
        values.results.map { ("{result=\"\($0.name)\"}", "\($0.count)") })
      family("compare_runs_total", "counter", "Comparisons that ended.", plain(values.runs))
      family("compare_failures_total", "counter", "Comparisons that could not be made.", plain(values.failures))
      family("comparison_duration_seconds", "gauge", "How long the last comparison took.", [("", "\(values.seconds)")])
    }
    text += "# HELP slipcast_sync_seconds The time of one write to disk.\n# TYPE slipcast_sync_seconds histogram\n"
    var sum = 0
    for (bound, count) in zip(Counters.bounds.map { "\($0)" } + ["+Inf"], values.syncs) {
      sum += count
      text += "slipcast_sync_seconds_bucket{le=\"\(bound)\"} \(sum)\n"
    }
    text += "slipcast_sync_seconds_sum \(values.syncSeconds)\nslipcast_sync_seconds_count \(sum)\n"
    return text
  }

  private static func label(_ name: String) -> String {
    var text = ""
    for character in name {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
    return text
  }
}
