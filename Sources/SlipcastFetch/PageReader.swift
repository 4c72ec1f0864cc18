internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastNetwork
internal import SlipcastReceipts
internal import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What one response holds, verified.
struct Page: Sendable {
  /// Its lines of the output, each with a line feed.
  var lines: [UInt8] = []
  var rejects: [Reject] = []
  var hasMore = false
  /// Apple knows no order with this id, or it holds nothing of this app.
  var isUnknownOrder = false
  var state: FetchEvent.PageState
}

/// Why a response is not used.
struct PageFault: Error {
  var code: String
  var path: String
  var message: String
}

/// Verifies responses and makes the lines of the output; for one task at a time.
final class PageReader {
  private let list: CustomerList
  private let endpoint: ServerEndpoint
  private let policy: VerificationPolicy
  private let rules: RuleSet
  private let reader = JSONReader(names: SignedRecordVerifier.names, limits: JSONLimits(recordBytes: 32 << 20))
  private let inner = JSONReader(names: [])
  private let writer = JSONWriter(capacity: 64 << 10)
  private var verifiers: [String: SignedRecordVerifier] = [:]

  init(_ list: CustomerList, _ options: FetchOptions, rules: RuleSet) {
    (self.list, endpoint, policy, self.rules) = (list, options.endpoint, options.policy, rules)
  }

  /// Reads the response to a request of a job.
  ///
  /// - Throws: `PageFault` for one that is not trusted, or is not Apple's.
  func read(_ body: [UInt8], _ job: FetchLedger.Job) throws(PageFault) -> Page {
    let buffer = JSONBuffer(body)
    defer { withExtendedLifetime(buffer) {} }
    guard let tape = try? reader.read(buffer), tape[0].kind == .object else {
      throw PageFault(code: "notJSON", path: "", message: "expected a JSON object")
    }
    let root = JSONElement(tape: tape)
    try check(root, job)
    writer.clear()
    if endpoint == .orders, try isUnknownOrder(root) {
      return Page(isUnknownOrder: true, state: FetchEvent.PageState(page: job.chain.page + 1))
    }
    var page = try begin(root, job.chain.page + 1)
    if endpoint == .notifications {
      try readNotifications(root, job, into: &page)
    } else {
      try readTokens(root, job, into: &page)
    }
    page.lines = writer.bytes
    return page
  }

  // MARK: the response

  private func check(_ root: JSONElement, _ job: FetchLedger.Job) throws(PageFault) {
    let wanted = [("bundleId", job.bundleId), ("environment", job.chain.environment.rawValue)]
    for (name, value) in wanted {
      guard let found = root[name], found.kind != .null, found.string != value else { continue }
      let refusal = Refusal(name == "bundleId" ? .bundleIdMismatch : .environmentMismatch)
      throw PageFault(code: refusal.reason.rawValue, path: name, message: refusal.description)
    }
    try checkMembers(root)
  }

  /// What Slipcast writes, and what it reads where nothing is signed: next to signed values nothing covers it, and a line
  /// with it would be believed.
  private static let unexpected = Set(ModelCatalog.decodedNames.values).union([
    "slipcast", "migration", "notificationType", "notificationUUID",
  ])

  private func checkMembers(_ element: JSONElement) throws(PageFault) {
    for child in element.children {
      if element.kind == .object, Self.unexpected.contains(child.name) {
        throw PageFault(
          code: "unexpectedMember", path: JSONPath(tape: child.tape, index: child.index).description,
          message: "expected none of Slipcast's own members, and no decoded member next to signed ones")
      }
      if child.kind == .object || child.kind == .array { try checkMembers(child) }
    }
  }

  private var listName: String {
    switch endpoint {
    case .history, .refunds, .orders: "signedTransactions"
    case .statuses: "data"
    case .notifications: "notificationHistory"
    }
  }

  private func begin(_ root: JSONElement, _ number: Int) throws(PageFault) -> Page {
    var page = Page(state: FetchEvent.PageState(page: number))
    if let items = try member(listName, "array", in: root, { $0.kind == .array ? $0 : nil }) {
      page.state.isEmpty = items.children.isEmpty
    } else if endpoint != .notifications || root["hasMore"] == nil {
      throw PageFault(code: "missing", path: listName, message: "expected an array, found nothing")
    }
    guard endpoint != .statuses, endpoint != .orders else { return page }
    let name = endpoint == .notifications ? "paginationToken" : "revision"
    page.state.cursor = try member(name, "string", in: root) { $0.string }
    page.hasMore = try member("hasMore", "boolean", in: root) { $0.boolean } ?? false
    return page
  }

  /// - Throws: `PageFault` for a response without one of the two states that Apple documents.
  private func isUnknownOrder(_ root: JSONElement) throws(PageFault) -> Bool {
    let status = try member("status", "number", in: root) { $0.integer }
    switch status.map({ Open<OrderLookupStatus>(rawValue: Int32(clamping: $0)) })?.known {
    case .valid: return false
    case .invalid: return true
    case nil:
      let found = status.map { "\($0)" } ?? "nothing"
      throw PageFault(code: "wrongValue", path: "status", message: "expected 0 (valid) or 1 (invalid), found \(found)")
    }
  }

  /// A member of the kind that is expected; `nil` where it is missing or null.
  private func member<Value>(
    _ name: String, _ expected: String, in root: JSONElement, _ read: (JSONElement) -> Value?
  ) throws(PageFault) -> Value? {
    guard let element = root[name], element.kind != .null else { return nil }
    guard let value = read(element) else { throw Self.wrongKind(name, expected, element) }
    return value
  }

  private static func wrongKind(_ path: String, _ expected: String, _ found: JSONElement) -> PageFault {
    PageFault(code: "wrongKind", path: path, message: "expected a \(expected), found \(found.kind.description)")
  }

  private func verifier(_ job: FetchLedger.Job) -> SignedRecordVerifier {
    let name = "\(job.chain.environment.rawValue) \(job.bundleId)"
    if let kept = verifiers[name] { return kept }
    var policy = policy
    (policy.bundleId, policy.environment) = (job.bundleId, job.chain.environment.rawValue)
    let made = SignedRecordVerifier(policy: policy, rules: rules)
    verifiers[name] = made
    return made
  }

  // MARK: lists of tokens

  private func readTokens(_ root: JSONElement, _ job: FetchLedger.Job, into page: inout Page) throws(PageFault) {
    for item in root["signedTransactions"]?.children ?? [] where item.kind != .string {
      throw Self.wrongKind("signedTransactions", "string", item)
    }
    for verdict in verifier(job).verify(root.tape) {
      guard let refusal = verdict.refusal, refusal.reason != .nothingSigned else { continue }
      throw PageFault(code: refusal.reason.rawValue, path: verdict.path, message: refusal.description)
    }
    let digest = SHA256Stream()
    var covers: Set<Int32> = []
    for thing in SignedRecordVerifier.signedThings(in: root.tape) {
      payload(thing.text) { payload in
        // An order lists some purchases of a customer; and its id is of another kind.
        for name in endpoint == .orders ? [] : ["originalTransactionId", "transactionId", "appTransactionId"] {
          if let index = payload[name]?.string.flatMap({ list.index(of: $0) }) { covers.insert(index) }
        }
        for member in payload.children where member.name != "signedDate" { digest.add(member.name + member.json) }
      }
    }
    // The state of a subscription is next to its tokens.
    if endpoint == .statuses { addStatuses(of: root, to: digest) }
    (page.state.covers, page.state.digest) = (covers.sorted(), digest.hexadecimal)
    writeLine(root, job)
  }

  private func addStatuses(of root: JSONElement, to digest: SHA256Stream) {
    for group in root["data"]?.children ?? [] {
      digest.add("group" + (group["subscriptionGroupIdentifier"]?.json ?? ""))
      for item in group["lastTransactions"]?.children ?? [] {
        digest.add("item" + (item["originalTransactionId"]?.json ?? "") + (item["status"]?.json ?? ""))
      }
    }
  }

  private func payload(_ token: [UInt8], _ use: (JSONElement) -> Void) {
    guard let payload = CompactJWS(token.span)?.payload else { return }
    inner.parse(JSONBuffer(payload)) { use($0) }
  }

  // MARK: notifications

  private func readNotifications(_ root: JSONElement, _ job: FetchLedger.Job, into page: inout Page) throws(PageFault) {
    for item in root["notificationHistory"]?.children ?? [] {
      guard item.kind == .object else { throw Self.wrongKind("notificationHistory", "object", item) }
      let token = Array((item["signedPayload"]?.string ?? "").utf8)
      let verdict = verifier(job).verify(text: token.span)
      let isNotification = verdict.kind == .notification || !verdict.isValid
      let refused = verdict.refusal?.reason == .bundleIdMissing && isAboutNoApp(token) ? nil : verdict.refusal
      if let refusal = isNotification ? refused : Refusal(.payloadUnknown, "expected a notification") {
        let fault = PageFault(
          code: refusal.reason.rawValue, path: "signedPayload", message: refusal.description)
        page.rejects.append(reject(fault, job, input: Array(item.json.utf8)))
        continue
      }
      var event: KnownIDs.ID?
      payload(token) { event = $0["notificationUUID"]?.string.flatMap { KnownIDs.ID(uuid: $0) } }
      page.state.events.append(event ?? KnownIDs.ID(digestOf: token))
      writeLine(item, job)
    }
  }

  /// A notification without any of the members that name an app; such as UNCLAIM_SEATS, or one of a later version.
  private func isAboutNoApp(_ token: [UInt8]) -> Bool {
    var isAboutNone = false
    payload(token) { payload in
      isAboutNone = ["data", "summary", "externalPurchaseToken", "appData"].allSatisfy { payload[$0] == nil }
    }
    return isAboutNone
  }

  // MARK: lines

  /// Writes an object as Apple sent it, with the member `slipcast` added.
  private func writeLine(_ object: JSONElement, _ job: FetchLedger.Job) {
    let start = writer.count
    let text = object.tape.json(object.index).buffer
    if text.contains(0x0A) || text.contains(0x0D) { writer.copy(object) } else { writer.raw(text) }
    writer.truncate(to: writer.count - 1)
    if writer.count == start + 1 || object.children.isEmpty {
      writer.truncate(to: start)
      writer.raw("{")
    } else {
      writer.byte(UInt8(ascii: ","))
    }
    writer.raw("\"slipcast\":{")
    writer.member("endpoint", endpoint.rawValue)
    if let id = job.customer.id { writer.member("id", id) }
    writer.member("environment", job.chain.environment.rawValue)
    writer.member("page", job.chain.page + 1)
    writer.raw("}}\n")
  }

  /// A response, or a part of one, that is not trusted.
  func reject(_ fault: PageFault, _ job: FetchLedger.Job, input: [UInt8]) -> Reject {
    Reject(
      received: "\(endpoint.rawValue) \(job.chain.environment.rawValue)", record: job.chain.page + 1, stage: .verify,
      code: fault.code, path: fault.path, message: fault.message, id: job.customer.id, input: input)
  }
}
