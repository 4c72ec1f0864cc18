internal import SlipcastNetwork
internal import SlipcastReceipts
package import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// Asks Apple's App Store Server API what it knows of a customer, within a time.
package final class AppleLookup: Sendable {
  /// How Apple is asked.
  package struct Options: Sendable {
    package var key: APIKey
    /// Other servers than Apple's, for tests.
    package var productionServer: String?
    package var sandboxServer: String?
    package var anchors: TrustAnchors
    /// The time for one answer, in seconds.
    package var seconds = 10.0

    package init(key: APIKey, anchors: TrustAnchors) { (self.key, self.anchors) = (key, anchors) }
  }

  enum Found: Sendable {
    case parts([V2Part])
    /// Apple's answer, with the reason for an operator where it is not the customer's.
    case refused(ReceiptStatus, String? = nil)
    /// No answer came; what is stored may still be right.
    case unreachable
  }

  /// The client ends so many seconds later: which of two equal times is over first would be chance, and an answer that
  /// takes too long is another status than none.
  private static let margin = 5.0
  /// A history has 20 transactions on a page.
  private static let mostPages = 1000
  private let options: Options
  private let clients = Mutex<[CustomerScope: ServerAPI]>([:])

  package init(_ options: Options) { self.options = options }

  /// All transactions and the subscriptions of the customer who made one of the purchases.
  func look(for ids: Set<String>, in scope: CustomerScope) async -> Found {
    // One id of the customer is enough.
    guard let bundleId = scope.bundleId, let id = ids.sorted().last else { return .refused(.internalError) }
    let api = client(scope, bundleId)
    let seconds = options.seconds
    return await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      let limit = Task {
        try? await Task.sleep(for: .seconds(seconds))
        answer.give(.refused(.retryable))
      }
      Task {
        answer.give(await Self.look(for: id, api))
        limit.cancel()
      }
    }
  }

  /// The first of two answers counts: a request that is running is not waited for after the time.
  private final class FirstAnswer: Sendable {
    private let waiting: Mutex<CheckedContinuation<Found, Never>?>

    init(_ waiting: CheckedContinuation<Found, Never>) { self.waiting = Mutex(waiting) }

    func give(_ found: Found) { waiting.withLock { $0.take() }?.resume(returning: found) }
  }

  private func client(_ scope: CustomerScope, _ bundleId: String) -> ServerAPI {
    clients.withLock { clients in
      if let known = clients[scope] { return known }
      let isSandbox = scope.environment != "Production"
      let api = ServerAPI(
        key: options.key, bundleId: bundleId, environment: isSandbox ? .sandbox : .production,
        server: isSandbox ? options.sandboxServer : options.productionServer, anchors: options.anchors,
        within: options.seconds + Self.margin)
      // Only receipts that are trusted lead here, but of any app.
      if clients.count >= 64 { clients.removeAll() }
      clients[scope] = api
      return api
    }
  }

  private static func look(for id: String, _ api: ServerAPI) async -> Found {
    do throws(ServerAPIError) {
      var parts: [V2Part] = []
      var revision: String?
      for _ in 0..<mostPages {
        var page = try await api.transactionHistory(of: id, revision: revision)
        page.signedTransactions = nil
        parts += read(page.json, "Get Transaction History")
        guard page.hasMore == true, let next = page.revision, next != revision else { break }
        revision = next
      }
      var statuses = try await api.subscriptionStatuses(of: id)
      for group in (statuses.data ?? []).indices {
        for item in (statuses.data?[group].lastTransactions ?? []).indices {
          statuses.data?[group].lastTransactions?[item].signedTransactionInfo = nil
          statuses.data?[group].lastTransactions?[item].signedRenewalInfo = nil
        }
      }
      return .parts(parts + read(statuses.json, "Get All Subscription Statuses"))
    } catch {
      return error.found
    }
  }

  private static func read(_ json: String, _ origin: String) -> [V2Part] {
    PartReader().read(text: Array(json.utf8), from: origin)
  }
}

extension ServerAPIError {
  fileprivate var found: AppleLookup.Found {
    if case .unreachable = reason { return .unreachable }
    guard let code else { return .refused(.internalError, message) }
    if [.accountNotFound, .originalTransactionIdNotFound].contains(code) { return .refused(.noAccount) }
    return code.isRetryable ? .refused(.retryable) : .refused(.internalError, message)
  }
}
