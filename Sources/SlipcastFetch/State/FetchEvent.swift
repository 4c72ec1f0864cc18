internal import SlipcastBulk
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// One thing that happened to the request chain of a customer.
struct FetchEvent: Sendable {
  enum Outcome: String, Sendable { case found, notFound, failed }

  enum Kind: Sendable {
    case page(PageState)
    case reject
    /// The chain starts again from its first page.
    case restart
    /// The environment before does not know the id; this one is asked next.
    case move
    case end(outcome: Outcome, code: Int64?, message: String)
  }

  /// What is known after a page.
  struct PageState: Sendable {
    /// From 1.
    var page: Int
    /// The `revision` or `paginationToken`.
    var cursor: String?
    /// Customers whose ids it contains.
    var covers: [Int32] = []
    /// The start of the notifications that were asked for, in milliseconds since 1970 UTC: all pages have the same.
    var start: Int64?
    /// The id of the event of each line, for notifications.
    var events: [KnownIDs.ID] = []
    /// Nothing is listed.
    var isEmpty = true
    /// A digest of its content without the times of signing, to detect changes.
    var digest = ""
  }

  var customer: Int32
  /// The number of the event in its chain, from 1.
  var sequence: Int
  var environment: Environment
  /// The requests that it took, and how many of them were sent again.
  var requests = 0
  var retries = 0
  var kind: Kind

  /// An event with the lines of its response.
  typealias Noted = (event: FetchEvent, lines: [UInt8])

  /// The event as one JSON object with a line feed; `count` bytes of lines follow.
  ///
  /// - Parameter isFollowed: the next event is about the same response; without it, this one does not count.
  func json(count: Int, isFollowed: Bool = false) -> [UInt8] {
    JSONWriter.line(capacity: 256) { writer in
      writer.member("customer", Int(customer))
      writer.member("sequence", sequence)
      writer.member("environment", environment.rawValue)
      writer.member("requests", requests)
      writer.member("retries", retries)
      writer.member("bytes", count)
      if isFollowed { writer.member("followed", 1) }
      switch kind {
      case .page(let state):
        writer.member("page", state.page)
        writer.member("cursor", ifPresent: state.cursor)
        writer.member("start", ifPresent: state.start)
        writer.list("covers", state.covers.map { [$0] }) { writer.member("customer", Int($0[0])) }
        writer.list("events", state.events) { id in
          writer.member("high", "\(id.high)")
          writer.member("low", "\(id.low)")
        }
        if state.isEmpty { writer.member("empty", 1) }
        writer.member("digest", state.digest)
      case .reject: writer.member("reject", 1)
      case .restart: writer.member("restart", 1)
      case .move: writer.member("move", 1)
      case .end(let outcome, let code, let message):
        writer.member("end", outcome.rawValue)
        writer.member("code", ifPresent: code)
        writer.member("message", message)
      }
    }.bytes
  }

  static func read(_ root: JSONElement) -> (event: FetchEvent, count: Int, isFollowed: Bool)? {
    guard let customer = root["customer"]?.integer, let sequence = root["sequence"]?.integer,
      let environment = root["environment"]?.string.flatMap(Environment.init(rawValue:)),
      let requests = root["requests"]?.integer, let retries = root["retries"]?.integer,
      let count = root["bytes"]?.integer, (0...1 << 32).contains(count),
      let kind = kind(root)
    else { return nil }
    let event = FetchEvent(
      customer: Int32(truncatingIfNeeded: customer), sequence: Int(sequence), environment: environment,
      requests: Int(requests), retries: Int(retries), kind: kind)
    return (event, Int(count), root["followed"] != nil)
  }

  private static func kind(_ root: JSONElement) -> Kind? {
    if root["reject"] != nil { return .reject }
    if root["restart"] != nil { return .restart }
    if root["move"] != nil { return .move }
    if let end = root["end"]?.string.flatMap(Outcome.init(rawValue:)) {
      return .end(outcome: end, code: root["code"]?.integer, message: root["message"]?.string ?? "")
    }
    guard let page = root["page"]?.integer else { return nil }
    let covers = (root["covers"]?.children ?? []).compactMap { $0["customer"]?.integer }
    let events = (root["events"]?.children ?? []).compactMap { item -> KnownIDs.ID? in
      guard let high = item["high"]?.string.flatMap({ UInt64($0) }),
        let low = item["low"]?.string.flatMap({ UInt64($0) })
      else { return nil }
      return KnownIDs.ID(high: high, low: low)
    }
    return .page(
      PageState(
        page: Int(page), cursor: root["cursor"]?.string, covers: covers.map { Int32(truncatingIfNeeded: $0) },
        start: root["start"]?.integer, events: events, isEmpty: root["empty"] != nil,
        digest: root["digest"]?.string ?? ""))
  }
}
