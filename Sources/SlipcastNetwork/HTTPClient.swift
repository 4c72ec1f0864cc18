// Unsafe on purpose: libcurl owns the connection, and reads the body of a request in place during the call.
internal import CSlipcastCurl

/// Sends HTTP requests by libcurl, one after another.
///
/// Connections are reused. For one thread at a time.
/// Redirects are not followed. Proxies are those of the environment (`https_proxy`, `no_proxy`).
package final class HTTPClient {
  private let handle: UnsafeMutableRawPointer?
  private let seconds: Double

  static let isReady: Bool = slipcast_curl_begin() == 0

  /// - Parameter seconds: how long a whole request may take.
  package init(timeout seconds: Double) {
    handle = Self.isReady ? curl_easy_init() : nil
    self.seconds = seconds
  }

  deinit { if let handle { curl_easy_cleanup(handle) } }

  /// Whether a text is an address that this client accepts: `http://` or `https://` and a host.
  package static func isAddress(_ text: String) -> Bool {
    let rest =
      text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : Substring()
    return !rest.isEmpty && rest.first != "/" && !text.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
  }

  /// An address without what may be secret in it: user, password, query and fragment.
  package static func shown(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://")?.upperBound else { return address }
    let rest = address[scheme...].prefix { $0 != "?" && $0 != "#" }
    let host = rest.prefix { $0 != "/" }
    let shown = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    return String(address[..<scheme] + shown + rest[host.endIndex...])
  }

  /// Sends a body.
  ///
  /// - Parameter limit: how many bytes of the response are kept.
  /// - Throws: `HTTPFailure` when no response came.
  package func post(
    _ body: [UInt8], to address: String, type: String = "application/json", keeping limit: Int = 4096
  ) throws(HTTPFailure) -> HTTPReply {
    var transfer = SlipcastTransfer()
    transfer.headers = curl_slist_append(nil, "Content-Type: \(type)")
    // Without this, libcurl waits for a permission to send before each larger body.
    transfer.headers = curl_slist_append(transfer.headers, "Expect:")
    transfer.headers = curl_slist_append(transfer.headers, "Accept-Encoding: identity")
    defer { curl_slist_free_all(transfer.headers) }
    transfer.timeout_ms = Int(seconds * 1000)
    transfer.connect_ms = Int(min(seconds, 10) * 1000)
    let taken = Taken(limit)
    transfer.context = Unmanaged.passUnretained(taken).toOpaque()
    transfer.take = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let taken = Unmanaged<Taken>.fromOpaque(context).takeUnretainedValue()
      return taken.add(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    let code = withExtendedLifetime(taken) {
      address.withCString { address in
        body.withUnsafeBytes { body in
          transfer.url = address
          transfer.length = body.count
          // An empty array has no address, and a request without a body is another one.
          return withUnsafePointer(to: UInt8(0)) { empty in
            transfer.body = body.baseAddress ?? UnsafeRawPointer(empty)
            return handle.map { slipcast_curl_run($0, &transfer) } ?? -1
          }
        }
      }
    }
    return try transfer.result(code: code, body: taken.bytes).get()
  }

  /// The response's body; only its first bytes are kept, and a huge one ends the transfer.
  private final class Taken {
    private let limit: Int
    private(set) var bytes: [UInt8] = []
    private var count = 0

    init(_ limit: Int) { self.limit = limit }

    func add(_ more: UnsafeRawBufferPointer) -> Int {
      count += more.count
      bytes.append(contentsOf: more.prefix(max(0, limit - bytes.count)))
      return count <= 16 << 20 ? more.count : 0
    }
  }
}
