internal import SlipcastDigest
package import SlipcastMapping
internal import SlipcastNetwork
internal import SlipcastReceipts
package import SlipcastSignatures
package import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// Answers requests of `verifyReceipt` from V2 data; any number of threads may ask at the same time.
package final class VerifyReceiptService: Sendable {
  /// What a service answers from, and its trust anchors.
  package struct Options: Sendable {
    package var rules: RuleSet
    /// The certificates and apps of receipts; their environment is decided by the route.
    package var policy: VerificationPolicy
    package var sources: [any CustomerSource] = []
    /// SHA-256 of the shared secrets; empty: `password` is not compared.
    package var secretDigests: [String] = []
    /// Asks Apple; `nil`: only the sources are asked.
    package var apple: AppleLookup?
    package var keepsProvenance = false
    /// Told why an answer has the status 21009, in words for an operator.
    package var onError: @Sendable (String) -> Void = { _ in }
    /// The present time, in milliseconds.
    package var clock: @Sendable () -> Int64 = { Timestamp.now.milliseconds }

    package init(rules: RuleSet, policy: VerificationPolicy) {
      (self.rules, self.policy) = (rules, policy)
      (self.policy.environment, self.policy.appAppleId, self.policy.deviceIdentifier) = (nil, nil, nil)
    }
  }

  /// The address that a request was sent to.
  package enum Route: String, CaseIterable, Sendable {
    case production, sandbox

    var environment: String { self == .production ? "Production" : "Sandbox" }
  }

  /// An answer.
  package struct Answer: Sendable {
    package var status: ReceiptStatus
    /// Without a line feed.
    package var json: [UInt8]
    /// A line; empty unless the request asks for it.
    package var provenance: [UInt8] = []
  }

  private struct Tools {
    let verifier: SignedRecordVerifier
    let requests = JSONReader(names: [])
    let parts = PartReader()
  }

  private let options: Options
  private let table: InverseTable
  private let book: CustomerBook
  private let tools: Pool<Tools>

  package init(_ options: Options) {
    self.options = options
    table = InverseTable(options.rules)
    book = CustomerBook(options.sources)
    tools = Pool { Tools(verifier: SignedRecordVerifier(policy: options.policy, rules: options.rules)) }
  }

  /// True where a request may wait for Apple.
  package var asksApple: Bool { options.apple != nil }

  /// The answer to a request; one that needs Apple waits for it.
  package func answer(_ body: [UInt8], on route: Route, isPost: Bool = true) async -> Answer {
    do throws(ReceiptStatus) {
      let asked = try read(body, route, isPost)
      guard let apple = options.apple, !asked.receipt.ids.isEmpty, asked.isAboutCustomer else {
        return try finish(asked, nil)
      }
      return try finish(asked, await apple.look(for: asked.receipt.ids, in: asked.receipt.scope))
    } catch {
      return refusal(error)
    }
  }

  /// The answer to a request from the sources alone.
  package func answerAtOnce(_ body: [UInt8], on route: Route, isPost: Bool = true) -> Answer {
    do throws(ReceiptStatus) {
      return try finish(try read(body, route, isPost), nil)
    } catch {
      return refusal(error)
    }
  }

  // MARK: the request

  private struct Asked {
    var request: ReceiptRequest
    var receipt: SubmittedReceipt

    /// A one-time purchase in an iOS 6 receipt says everything itself.
    var isAboutCustomer: Bool {
      if case .transaction(let receipt) = receipt.form { FlatAnswer.isSubscription(receipt) } else { true }
    }
  }

  private func read(_ body: [UInt8], _ route: Route, _ isPost: Bool) throws(ReceiptStatus) -> Asked {
    guard isPost else { throw ReceiptStatus.notARequest }
    let asked = try tools.use { (tools) throws(ReceiptStatus) in
      let request = try ReceiptRequest(body, tools.requests)
      return Asked(
        request: request,
        receipt: try SubmittedReceipt(request.receiptData, tools.verifier, options.rules, tools.parts))
    }
    if asked.receipt.scope.environment != route.environment {
      throw route == .production ? ReceiptStatus.sandboxReceipt : .productionReceipt
    }
    try check(asked.request.password)
    return asked
  }

  /// Digests of equal length are compared completely, so the time reveals nothing about the secret.
  private func check(_ password: [UInt8]?) throws(ReceiptStatus) {
    guard !options.secretDigests.isEmpty else { return }
    let digest = SHA256Stream.hexadecimal(of: password ?? [])
    var isKnown = false
    for known in options.secretDigests {
      var difference: UInt8 = 0
      for (left, right) in zip(known.utf8, digest.utf8) { difference |= left ^ right }
      if difference == 0 { isKnown = true }
    }
    guard isKnown, password != nil else { throw ReceiptStatus.wrongSecret }
  }

  // MARK: the answer

  private func finish(_ asked: Asked, _ found: AppleLookup.Found?) throws(ReceiptStatus) -> Answer {
    var (parts, findings) = ([V2Part](), [String]())
    switch found {
    case .parts(let fetched): parts = fetched
    case .refused(let status, let reason):
      if let reason { options.onError(reason) }
      throw status
    case .unreachable: findings.append("appleUnreachable")
    case nil: break
    }
    let customer: Customer
    do {
      customer = try tools.use { tools in
        try book.customer(
          naming: asked.receipt.ids, in: asked.receipt.scope, own: parts + asked.receipt.transactions, tools.parts)
      }
    } catch {
      options.onError("\(error)")
      throw ReceiptStatus.internalError
    }
    if asked.receipt.ids.isEmpty { findings.append("receiptNamesNoPurchase") }
    if customer.records.isEmpty, parts.isEmpty, !asked.receipt.ids.isEmpty, asked.isAboutCustomer {
      // Apple may know more than the receipt, and only Apple was asked.
      if case .unreachable = found { throw ReceiptStatus.unavailable }
      findings.append("nothingStored")
    }
    let now = options.clock()
    if case .transaction(let receipt) = asked.receipt.form {
      let flat = FlatAnswer(table: table, receipt: receipt, customer: customer, now: now, findings: findings)
      let (written, status) = flat.write(
        receiptData: asked.request.receiptData, keepsProvenance: options.keepsProvenance)
      return Answer(status: status, json: written.json, provenance: written.provenance)
    }
    let members = ReceiptMembers(receipt: asked.receipt, requestedAt: now)
    let frame = AnswerWriter.Frame(
      environment: asked.receipt.scope.environment, excludesOld: asked.request.excludesOld,
      listed: asked.receipt.listed, latestReceipt: asked.request.receiptData, receipt: { members.write(to: &$0) },
      findings: findings)
    let written = AnswerWriter(table: table, keepsProvenance: options.keepsProvenance).answer(customer, frame)
    return Answer(status: .valid, json: written.json, provenance: written.provenance)
  }

  /// An answer without data.
  package func refusal(_ status: ReceiptStatus) -> Answer {
    let json = JSONWriter.object(capacity: 64) { writer in
      writer.member("status", status.rawValue)
      if status == .retryable { writer.member("is_retryable", true) }
    }.bytes
    guard options.keepsProvenance else { return Answer(status: status, json: json) }
    var provenance = Provenance()
    if let finding = status.finding { provenance.finding(finding) }
    return Answer(status: status, json: json, provenance: provenance.line)
  }
}
