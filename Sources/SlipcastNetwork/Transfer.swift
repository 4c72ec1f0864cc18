// Unsafe on purpose: libcurl reads a request in place, and calls back with the bytes of its response.
internal import CSlipcastCurl
internal import SlipcastLibC

final class Transfer: @unchecked Sendable {
  // Safe to send: it belongs to the caller until it is queued, and to the thread that runs it afterwards.

  /// What libcurl calls an easy handle, or a set of these.
  typealias Handle = UnsafeMutableRawPointer

  /// What libcurl reads and writes during a request; its address does not change.
  let state = UnsafeMutablePointer<SlipcastTransfer>.allocate(capacity: 1)
  private let address: UnsafeMutablePointer<CChar>?
  private let body: UnsafeMutableBufferPointer<UInt8>
  private let kept: Int
  private var received: [UInt8] = []
  private var count = 0
  /// A longer response ends the transfer.
  private static let longest = 16 << 20

  /// - Parameters:
  ///   - isModern: accepts compressed responses, and uses HTTP/2 where the server offers it.
  ///   - kept: how many bytes of the response are kept.
  init(_ request: HTTPRequest, isModern: Bool, keeping kept: Int = longest) {
    self.kept = kept
    address = strdup(request.address)
    body = UnsafeMutableBufferPointer.allocate(capacity: max(1, request.body?.count ?? 0))
    var transfer = SlipcastTransfer()
    // Without this, libcurl waits for a permission to send before each larger body.
    for line in request.headers + ["Expect:"] { transfer.headers = curl_slist_append(transfer.headers, line) }
    transfer.url = UnsafePointer(address)
    if let bytes = request.body {
      _ = body.initialize(from: bytes)
      (transfer.body, transfer.length) = (UnsafeRawPointer(body.baseAddress), bytes.count)
    }
    transfer.is_modern = isModern ? 1 : 0
    transfer.is_direct = request.isDirect ? 1 : 0
    transfer.timeout_ms = Int(request.timeout * 1000)
    transfer.connect_ms = Int(min(request.timeout, 10) * 1000)
    transfer.take = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .add(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    state.initialize(to: transfer)
    state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    curl_slist_free_all(state.pointee.headers)
    free(address)
    body.deallocate()
    state.deallocate()
  }

  private func add(_ bytes: UnsafeRawBufferPointer) -> Int {
    count += bytes.count
    guard count <= Self.longest else { return 0 }
    received.append(contentsOf: bytes.prefix(max(0, kept - received.count)))
    return bytes.count
  }

  func result(code: Int32) -> Result<HTTPReply, HTTPFailure> {
    let ended = state.pointee
    guard code == 0 else {
      let words = Self.text(ended.message)
      let kind: HTTPFailure.Kind =
        (400...599).contains(ended.proxy_status)
        ? .refusedByProxy : HTTPFailure.Kind(code: code, isConnected: ended.is_connected != 0)
      return .failure(
        HTTPFailure(kind: kind, message: words.isEmpty ? "libcurl failed (\(code))" : words, seconds: ended.seconds))
    }
    return .success(
      HTTPReply(
        status: ended.status, body: received, seconds: ended.seconds, date: Self.text(ended.date),
        retryAfter: Self.text(ended.retry_text), contentType: Self.text(ended.content_type)))
  }

  /// A text in an array of characters.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
