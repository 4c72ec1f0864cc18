internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// The events that a trace may stand for: names in one text, or objects with what each needs.
  func tracedEvents() -> [TracedEvent] {
    guard let list = element["candidates"] else { return [] }
    if let names = list.string { return names.parts(at: " ").map { TracedEvent(event: event($0)) } }
    guard list.kind == .array else {
      fault("expected an array of objects \"candidates\", or their events in one string", at: "candidates")
      return []
    }
    return list.children.compactMap(tracedEvent)
  }

  private func tracedEvent(_ item: JSONElement) -> TracedEvent? {
    guard let to = item["to"]?.string else {
      fault("expected candidates of the form {\"to\": \"TYPE/SUBTYPE\"}", in: item)
      return nil
    }
    var traced = TracedEvent(event: event(to))
    (traced.since, traced.until) = (item["since"]?.string, item["until"]?.string)
    for number in item["intents"]?.string?.parts(at: " ") ?? [] {
      if let intent = Int32(number).flatMap(ExpirationIntent.init(rawValue:)) {
        traced.intents.append(intent)
      } else {
        fault("\"intents\": \"\(number)\" is not an expiration intent", in: item)
      }
    }
    traced.changesProduct = item["changesProduct"]?.boolean == true
    return traced
  }
}
