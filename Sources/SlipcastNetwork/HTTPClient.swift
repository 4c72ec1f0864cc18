internal import CSlipcastCurl
internal import CSlipcastLater

/// Sends HTTP requests by libcurl, one after another.
///
/// Connections are reused. For one thread at a time.
/// Redirects are not followed. Proxies are those of the environment (`https_proxy`, `no_proxy`).
package final class HTTPClient {
  private let handle: Transfer.Handle?
  private let seconds: Double

  static let isReady: Bool = slipcast_curl_begin() == 0

  /// - Parameter seconds: how long a whole request may take.
  package init(timeout seconds: Double) {
    handle = Self.isReady ? curl_easy_init() : nil
    self.seconds = seconds
  }

  deinit { if let handle { curl_easy_cleanup(handle) } }

  /// Sends a body.
  ///
  /// - Parameter limit: how many bytes of the response are kept.
  /// - Throws: `HTTPFailure` when no response came.
  package func post(
    _ body: [UInt8], to address: HTTPAddress, type: String = "application/json", keeping limit: Int = 4096
  ) throws(HTTPFailure) -> HTTPReply {
    let request = HTTPRequest(
      address: address.secretText, body: body, headers: ["Content-Type: \(type)", "Accept-Encoding: identity"],
      timeout: seconds)
    let transfer = Transfer(request, isModern: false, keeping: limit)
    return try transfer.result(code: handle.map { slipcast_curl_run($0, transfer.state) } ?? -1).get()
  }
}
