package import SlipcastBulk
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// The user ids of an app's own accounts, by original transaction id or by `appAccountToken`.
package struct ExportUsers: Sendable {
  private var users: [String: String] = [:]
  /// The ids that are app account tokens.
  package private(set) var areTokens = false
  private var used: Set<String> = []

  package init() {}

  package static let columns = ["original_transaction_id", "app_account_token"]

  /// Why a list of users cannot be used.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  /// The rows that belong to no subscription.
  package var unusedCount: Int { users.count - used.count }

  package mutating func user(of subscription: Subscription) -> String? {
    user(originalTransactionId: subscription.originalTransactionId, token: subscription.appAccountToken)
  }

  package mutating func user(originalTransactionId: String?, token: String?) -> String? {
    let key = areTokens ? token?.lowercased() : originalTransactionId
    if let key, let user = users[key] {
      used.insert(key)
      return user
    }
    return token
  }

  /// Reads a list with a header row.
  ///
  /// - Throws: `Fault` for rows without an id, and for two users of one id; `FileError`.
  package mutating func read(_ source: RecordSource, rules: RuleSet) async throws {
    var options = ConvertOptions()
    options.jobs = 1
    var rows: [(id: String?, token: String?, user: String?)] = []
    _ = try await ScanRun(.server, rules: rules, options: options) { UserScanner() }.scan(
      [source],
      onReject: { throw Fault(description: "record \($0.record): \($0.message)") },
      deliver: { scanner, _, _ in rows += scanner.rows }, watch: { _, _ in true })
    for (number, row) in rows.enumerated() { try add(row, number + 1) }
  }

  mutating func add(_ row: (id: String?, token: String?, user: String?), _ number: Int) throws(Fault) {
    guard let id = row.id ?? row.token?.lowercased() else {
      throw Fault(
        description: "row \(number): expected a column original_transaction_id or app_account_token with an id")
    }
    if number == 1 { areTokens = row.id == nil }
    guard areTokens == (row.id == nil) else {
      throw Fault(description: "row \(number): expected the same column of ids in all rows")
    }
    guard let user = row.user, !user.isEmpty else {
      throw Fault(description: "row \(number): expected a column user_id with an id")
    }
    if let known = users[id], known != user {
      throw Fault(
        description:
          "row \(number): a second user_id for the same \(Self.columns[areTokens ? 1 : 0]); leave one of them")
    }
    users[id] = user
  }
}

/// Reads rows of users.
private final class UserScanner: RecordScanner {
  private(set) var rows: [(id: String?, token: String?, user: String?)] = []

  func begin() -> Int? {
    rows = []
    return nil
  }

  func isServer(_ tape: JSONTape, _ root: Int) -> Bool { tape[root].kind == .object }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let row = JSONElement(tape: tape, index: root)
    rows.append((row["original_transaction_id"]?.anyText, row["app_account_token"]?.anyText, row["user_id"]?.anyText))
  }

  func take(legacy converter: Converter, record: Int) throws(ScanFault) {
    throw ScanFault(code: "noUser", message: "expected a row with a user_id, found a version 1 record")
  }
}
