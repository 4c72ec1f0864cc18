internal import SlipcastBulk
internal import SlipcastHTTP
@_spi(Slipcast) internal import SlipcastWire

/// What `/healthz` and `/metrics` say.
struct Reports: Sendable {
  var journal: Journal
  var counters: Shared<Counters>
  var targets: [Shared<DeliveryState>]
  var settles = false

  private func pending(_ values: DeliveryState) -> Int {
    max(0, Int(journal.last - (values.position ?? journal.first - 1))) + values.waiting
  }

  /// The answer to a `GET` request; `nil` for a path without a report.
  func answer(_ path: String) -> Answer? {
    switch path {
    case "/healthz": health
    case "/metrics": Answer(200, type: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.utf8))
    default: nil
    }
  }

  private var health: Answer {
    // A delivery changes the counters before its state. In this order, what no longer waits is counted.
    let states = targets.map(\.now)
    let values = counters.now
    let failure = journal.trouble
    let text = JSONWriter.line(capacity: 512) { writer in
      let isDegraded = values.isFailing || states.contains { $0.trouble != nil }
      if failure == nil { writer.member("status", isDegraded ? "degraded" : "ok") }
      if failure != nil { writer.member("status", "failed") }
      writer.member("reason", ifPresent: failure)
      writer.member("received", values.received.values.reduce(0, +))
      writer.member("stored", journal.count)
      writer.member("repeated", values.repeated)
      writer.member("refused", values.refused)
      writer.member("converted", values.converted)
      writer.member("rejected", values.rejected)
      for (key, count) in [("pending", pending), ("undelivered", { $0.undelivered })]
        as [(String, (DeliveryState) -> Int)]
      {
        writer.object(key) { for state in states { writer.member(state.name.description, count(state)) } }
      }
    }
    return Answer(failure == nil ? 200 : 503, type: "application/json", body: text.bytes)
  }

  private var metrics: String {
    var text = MetricsText()
    let states = targets.map(\.now)
    let values = counters.now
    addRequests(values, to: &text)
    addDeliveries(states, to: &text)
    text.family("journal_bytes", "gauge", "Bytes of the journal.", count: journal.bytes)
    text.addHistogram(
      "sync_seconds", "The time of one write to disk.", bounds: Counters.bounds, counts: values.syncs,
      sum: values.syncSeconds)
    return text.text
  }

  private func addRequests(_ values: Counters, to text: inout MetricsText) {
    text.family(
      "received_total", type: "counter", help: "Requests by the version of the notification; none: rejected.",
      label: "version",
      values.received.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    text.family(
      "answers_total", type: "counter", help: "Responses to notifications by status.", label: "status",
      values.answers.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) })
    text.family(
      "timeouts_total", type: "counter",
      help: "Connections that were ended because the client was slow; head: also idle ones.",
      label: "part",
      [("answer", values.slowAnswers), ("body", values.slowBodies), ("head", values.slowHeads)])
    text.family("stored_total", "counter", "Events that were stored in the journal.", count: values.stored)
    text.family("repeated_total", "counter", "Repeated events, which are stored once.", count: values.repeated)
    text.family(
      "differing_total", "counter", "Repeated events with other content, which is kept and not delivered.",
      count: values.differing)
    text.family(
      "converted_total", "counter", "Events that were converted or decoded for --to, else V1 for --forward v2.",
      count: values.converted)
    text.family("rejected_total", "counter", "Stored V1 bodies that could not be converted.", count: values.rejected)
    if settles {
      text.family(
        "settled_total", "counter", "Events for --to whose reading earlier events settled.", count: values.settled)
    }
  }

  private func addDeliveries(_ states: [DeliveryState], to text: inout MetricsText) {
    text.family(
      "pending", type: "gauge", help: "Events of the journal that a target does not have yet.", label: "target",
      states.map { ($0.name.description, pending($0)) })
    text.family(
      "undelivered", type: "gauge", help: "Events that a target did not accept, after the last retry.", label: "target",
      states.map { ($0.name.description, $0.undelivered) })
    text.family(
      "delivery_failures_total", type: "counter", help: "Failed attempts to deliver.", label: "target",
      states.map { ($0.name.description, $0.failures) })
  }
}
