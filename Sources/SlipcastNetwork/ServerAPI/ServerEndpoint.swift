@_spi(Slipcast) package import SlipcastWire

/// An endpoint of the App Store Server API that lists what Apple knows of a customer or an app.
package enum ServerEndpoint: String, CaseIterable, Sendable {
  case history, statuses, refunds, notifications
  /// Look Up Order ID, which exists in production only.
  case orders

  /// Apple's limit in Production, in requests per second for each app; the sandbox has a tenth.
  ///
  /// Source: Apple, "Identifying rate limits".
  package var rate: Double { self == .refunds || self == .orders ? 10 : 50 }

  /// Apple's limit in an environment.
  package func rate(isSandbox: Bool) -> Double { isSandbox ? rate / 10 : rate }

  /// The path of a page, and its query.
  ///
  /// - Parameters:
  ///   - id: a transaction id, or an order id.
  ///   - cursor: `revision` or `paginationToken` of the page before; `nil` for the first page.
  package func path(id: String, cursor: String?) -> String {
    let id = Self.encoded(id)
    let revision = cursor.map { "?revision=\(Self.encoded($0))" } ?? ""
    return switch self {
    case .history: "/inApps/v2/history/\(id)\(revision)"
    case .statuses: "/inApps/v1/subscriptions/\(id)"
    case .refunds: "/inApps/v2/refund/lookup/\(id)\(revision)"
    case .orders: "/inApps/v1/lookup/\(id)"
    case .notifications:
      "/inApps/v1/notifications/history" + (cursor.map { "?paginationToken=\(Self.encoded($0))" } ?? "")
    }
  }

  /// The body of a request for notifications; without an id, those of all customers.
  package static func body(_ times: ClosedRange<Timestamp>, id: String?) -> [UInt8] {
    JSONWriter.object(capacity: 128) { writer in
      writer.member("startDate", times.lowerBound.milliseconds)
      writer.member("endDate", times.upperBound.milliseconds)
      writer.member("transactionId", ifPresent: id)
    }.bytes
  }

  /// A text in a URL: all characters but letters, digits and `-._~` as percent codes (RFC 3986 section 2).
  package static func encoded(_ text: String) -> String {
    Hexadecimal.percentEncoded(text, keeping: "-._~")
  }
}

/// Apple's servers.
package enum AppleServer {
  package static let production = "https://api.storekit.apple.com"
  package static let sandbox = "https://api.storekit-sandbox.apple.com"
}
