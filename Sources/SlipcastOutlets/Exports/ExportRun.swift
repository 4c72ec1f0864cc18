internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

/// Writes the subscriptions of a book as the file of a provider.
package struct ExportRun {
  /// Which environments are exported.
  package enum Environments: String, CaseIterable, Sendable { case production, sandbox, all }

  package struct Counts: Sendable {
    package var subscriptions = 0
    package var rows = 0
    package var missing: [ExportReason: Int] = [:]
    /// Other purchases in the file, and those that are not.
    package var purchases = 0
    package var otherPurchases = 0
    /// Rows of `--users` that belong to no subscription.
    package var unusedUsers = 0

    package var missingCount: Int { missing.values.reduce(0, +) }
  }

  private struct Customer {
    var id: String
    var subscriptions: [[ExportRow.Content?]] = []
    var purchases: [[ExportRow.Content?]] = []
  }

  private let format: ExportFormat
  private let environments: Environments
  private var users: ExportUsers
  private var counts = Counts()
  private var customers: [Customer] = []
  private var places: [String: Int] = [:]

  package init(_ format: ExportFormat, users: ExportUsers, environments: Environments) {
    (self.format, self.users, self.environments) = (format, users, environments)
  }

  /// - Parameters:
  ///   - write: receives lines of the file.
  ///   - miss: receives lines about subscriptions that are not in it.
  package mutating func write(
    _ book: SubscriptionBook, to write: @escaping (Span<UInt8>) throws -> Void,
    missing miss: (Span<UInt8>) throws -> Void
  ) throws -> Counts {
    let writer = ExportWriter(format, sink: write)
    try writer.writeHeader()
    for subscription in book.subscriptions {
      counts.subscriptions += 1
      do {
        try add(subscription, receipt: try book.receipt(of: subscription), to: writer)
        counts.rows += 1
      } catch let gap as ExportRow.Gap {
        counts.missing[gap.reason, default: 0] += 1
        try miss(Self.missingLine(subscription, gap.reason).span)
      }
    }
    for purchase in book.purchases { add(purchase) }
    if format.form == .documents { try writeCustomers(to: writer) }
    counts.unusedUsers = users.unusedCount
    return counts
  }

  private mutating func add(_ subscription: Subscription, receipt: [UInt8]?, to writer: ExportWriter) throws {
    let user = users.user(of: subscription)
    if let reason = Self.exclusion(subscription.newest, environments) { throw ExportRow.Gap(reason: reason) }
    guard let user else { throw ExportRow.Gap(reason: .noUser) }
    let row = ExportRow(
      format: format, user: user, purchase: subscription.newest, subscription: subscription, receipt: receipt)
    let contents = try row.contents(format.columns)
    guard format.form == .documents else { return try writer.write(contents) }
    customers[place(of: user)].subscriptions.append(contents)
  }

  private mutating func add(_ purchase: Purchase) {
    let user = users.user(originalTransactionId: purchase.originalTransactionId, token: purchase.appAccountToken)
    guard format.purchases != nil, let user, Self.exclusion(purchase, environments) == nil,
      let contents = try? ExportRow(format: format, user: user, purchase: purchase).contents(format.purchaseColumns)
    else {
      counts.otherPurchases += 1
      return
    }
    counts.purchases += 1
    customers[place(of: user)].purchases.append(contents)
  }

  private mutating func place(of user: String) -> Int {
    if let place = places[user] { return place }
    places[user] = customers.count
    customers.append(Customer(id: user))
    return customers.count - 1
  }

  private func writeCustomers(to writer: ExportWriter) throws {
    for start in stride(from: 0, to: customers.count, by: format.batch) {
      let part = customers[start..<min(start + format.batch, customers.count)]
      try writer.write(part.map { ($0.id, $0.subscriptions, $0.purchases) })
    }
  }

  /// Why a purchase is not exported, whatever is known of it.
  private static func exclusion(_ purchase: Purchase, _ environments: Environments) -> ExportReason? {
    switch (purchase.environment, environments) {
    case (nil, _): return .unknownEnvironment
    case ("Production"?, .sandbox): return .production
    case ("Production"?, _), ("Sandbox"?, .sandbox), ("Sandbox"?, .all): break
    default: return .sandbox
    }
    switch purchase.inAppOwnershipType {
    case "FAMILY_SHARED": return .familyShared
    case "ASSIGNED": return .assigned
    default: return nil
    }
  }

  private static func missingLine(_ subscription: Subscription, _ reason: ExportReason) -> [UInt8] {
    JSONWriter.line(capacity: 128) { writer in
      writer.member("originalTransactionId", subscription.originalTransactionId)
      writer.member("productId", ifPresent: subscription.newest.productId)
      writer.member("reason", reason.rawValue)
    }.bytes
  }
}
