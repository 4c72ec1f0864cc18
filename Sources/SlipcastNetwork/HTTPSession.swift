// Unsafe on purpose: libcurl owns the connections, and calls back with the bytes of responses.
internal import CSlipcastCurl
internal import Dispatch
internal import SlipcastLibC
internal import Synchronization

/// Sends HTTP requests by libcurl, any number at the same time, over HTTP/2 where the server offers it.
///
/// Connections are reused. Redirects are not followed. Proxies are those of the environment (`https_proxy`, `no_proxy`);
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` replace the system's root certificates.
package final class HTTPSession: Sendable {
  private let loop: TransferLoop

  /// - Parameter bodyBytes: the longest response.
  package init(bodyBytes: Int = 16 << 20) {
    let loop = TransferLoop(bodyBytes: bodyBytes)
    self.loop = loop
    DispatchQueue(label: "slipcast.http").async { loop.run() }
  }

  deinit { loop.end() }

  /// Ends all requests, and those to come, with a failure.
  package func end() { loop.end() }

  /// Sends a request.
  ///
  /// - Throws: `HTTPFailure` when no response came.
  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPReply {
    let result = await withCheckedContinuation { loop.start(Transfer(request, $0)) }
    return try result.get()
  }
}

/// One request on its way.
private final class Transfer: @unchecked Sendable {
  // Safe to send: it belongs to the caller until it is queued, and to the thread of the loop afterwards.
  typealias Answer = CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>

  let request: HTTPRequest
  let answer: Answer
  /// What libcurl reads and writes during a request; its address does not change.
  let state = UnsafeMutablePointer<SlipcastTransfer>.allocate(capacity: 1)
  private let address: UnsafeMutablePointer<CChar>?
  private let body: UnsafeMutableBufferPointer<UInt8>
  private var received: [UInt8] = []
  private var limit = 0

  init(_ request: HTTPRequest, _ answer: Answer) {
    (self.request, self.answer) = (request, answer)
    state.initialize(to: SlipcastTransfer())
    address = strdup(request.address)
    body = UnsafeMutableBufferPointer.allocate(capacity: max(1, request.body?.count ?? 0))
    if let bytes = request.body { _ = body.initialize(from: bytes) }
  }

  deinit {
    curl_slist_free_all(state.pointee.headers)
    free(address)
    body.deallocate()
    state.deallocate()
  }

  func prepare(_ handle: UnsafeMutableRawPointer, limit: Int) {
    self.limit = limit
    var headers: UnsafeMutablePointer<curl_slist>?
    // Without this, libcurl waits for a permission to send before each larger body.
    for line in request.headers + ["Expect:"] { headers = curl_slist_append(headers, line) }
    state.pointee.url = UnsafePointer(address)
    state.pointee.headers = headers
    if let bytes = request.body {
      (state.pointee.body, state.pointee.length) = (UnsafeRawPointer(body.baseAddress), bytes.count)
    }
    state.pointee.is_modern = 1
    state.pointee.is_direct = request.isDirect ? 1 : 0
    state.pointee.timeout_ms = Int(request.timeout * 1000)
    state.pointee.connect_ms = Int(min(request.timeout, 10) * 1000)
    state.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    state.pointee.take = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        .add(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    slipcast_curl_prepare(handle, state)
  }

  private func add(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard received.count + bytes.count <= limit else { return 0 }
    received.append(contentsOf: bytes)
    return bytes.count
  }

  func finish(_ handle: UnsafeMutableRawPointer, code: Int32) {
    slipcast_curl_finish(handle, state, code)
    answer.resume(returning: state.pointee.result(code: code, body: received))
  }

  func fail(_ kind: HTTPFailure.Kind, _ message: String) {
    answer.resume(returning: .failure(HTTPFailure(kind: kind, message: message, seconds: 0)))
  }
}

/// The thread on which libcurl works.
private final class TransferLoop: @unchecked Sendable {
  // Safe to send: libcurl's set is used by the thread of `run`; only `curl_multi_wakeup` is called by others, as its
  // documentation allows.
  private struct Queue {
    var waiting: [Transfer] = []
    var isEnding = false
  }

  private static let ended = "the session has ended"

  private let set: UnsafeMutableRawPointer?
  private let bodyBytes: Int
  private let queue = Mutex(Queue())

  init(bodyBytes: Int) {
    self.bodyBytes = bodyBytes
    set = HTTPClient.isReady ? slipcast_curl_set() : nil
  }

  deinit { if let set { curl_multi_cleanup(set) } }

  func start(_ transfer: Transfer) {
    let isEnding = queue.withLock { queue in
      if !queue.isEnding { queue.waiting.append(transfer) }
      return queue.isEnding
    }
    if isEnding { return transfer.fail(.ended, Self.ended) }
    curl_multi_wakeup(set)
  }

  func end() {
    queue.withLock { $0.isEnding = true }
    curl_multi_wakeup(set)
  }

  func run() {
    var running: [UnsafeMutableRawPointer: Transfer] = [:]
    var free: [UnsafeMutableRawPointer] = []
    while true {
      let (waiting, isEnding) = queue.withLock { queue in
        defer { queue.waiting = [] }
        return (queue.waiting, queue.isEnding)
      }
      guard !isEnding else {
        for transfer in waiting { transfer.fail(.ended, Self.ended) }
        break
      }
      for transfer in waiting {
        guard let handle = free.popLast() ?? curl_easy_init() else {
          transfer.fail(.other, "libcurl has no memory")
          continue
        }
        transfer.prepare(handle, limit: bodyBytes)
        running[handle] = transfer
        curl_multi_add_handle(set, handle)
      }
      var count: Int32 = 0
      guard curl_multi_perform(set, &count) == CURLM_OK else { break }
      var code: Int32 = 0
      while let handle = slipcast_curl_ended(set, &code) {
        curl_multi_remove_handle(set, handle)
        running.removeValue(forKey: handle)?.finish(handle, code: code)
        free.append(handle)
      }
      curl_multi_poll(set, nil, 0, 60_000, nil)
    }
    let waiting = queue.withLock { queue in
      queue.isEnding = true
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for transfer in waiting { transfer.fail(.ended, Self.ended) }
    for (handle, transfer) in running {
      curl_multi_remove_handle(set, handle)
      transfer.fail(.ended, Self.ended)
      curl_easy_cleanup(handle)
    }
    for handle in free { curl_easy_cleanup(handle) }
  }
}
