internal import CSlipcastCurl
internal import Dispatch
internal import SlipcastLibC
internal import Synchronization

/// Sends HTTP requests by libcurl, any number at the same time, over HTTP/2 where the server offers it.
///
/// Connections are reused. Redirects are not followed. Proxies are those of the environment (`https_proxy`, `no_proxy`);
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` replace the system's root certificates.
final class HTTPSession: Sendable {
  private let loop: TransferLoop

  init() {
    let loop = TransferLoop()
    self.loop = loop
    DispatchQueue(label: "slipcast.http").async { loop.run() }
  }

  deinit { loop.end() }

  /// Ends all requests, and those to come, with a failure.
  func end() { loop.end() }

  /// Sends a request.
  ///
  /// - Throws: `HTTPFailure` when no response came.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPReply {
    let transfer = Transfer(request, isModern: true)
    let result = await withCheckedContinuation { loop.start(Call(transfer: transfer, answer: $0)) }
    return try result.get()
  }
}

private struct Call {
  let transfer: Transfer
  let answer: CheckedContinuation<Result<HTTPReply, HTTPFailure>, Never>

  func fail(_ kind: HTTPFailure.Kind, _ message: String) {
    answer.resume(returning: .failure(HTTPFailure(kind: kind, message: message)))
  }
}

/// The thread on which libcurl works.
private final class TransferLoop: @unchecked Sendable {
  // Safe to send: libcurl's set is used by the thread of `run`; only `curl_multi_wakeup` is called by others, as its
  // documentation allows.
  private struct Queue {
    var waiting: [Call] = []
    var isEnding = false
  }

  private static let ended = "the session has ended"

  private let set: Transfer.Handle? = HTTPClient.isReady ? slipcast_curl_set() : nil
  private let queue = Mutex(Queue())

  deinit { if let set { curl_multi_cleanup(set) } }

  func start(_ call: Call) {
    let isEnding = queue.withLock { queue in
      if !queue.isEnding { queue.waiting.append(call) }
      return queue.isEnding
    }
    if isEnding { return call.fail(.ended, Self.ended) }
    curl_multi_wakeup(set)
  }

  func end() {
    queue.withLock { $0.isEnding = true }
    curl_multi_wakeup(set)
  }

  func run() {
    var running: [Transfer.Handle: Call] = [:]
    var free: [Transfer.Handle] = []
    while true {
      let calls: [Call]? = queue.withLock { queue in
        guard !queue.isEnding else { return nil }
        defer { queue.waiting = [] }
        return queue.waiting
      }
      guard let calls else { break }
      for call in calls {
        guard let handle = free.popLast() ?? curl_easy_init() else {
          call.fail(.other, "libcurl has no memory")
          continue
        }
        slipcast_curl_prepare(handle, call.transfer.state)
        running[handle] = call
        curl_multi_add_handle(set, handle)
      }
      var count: Int32 = 0
      guard curl_multi_perform(set, &count) == CURLM_OK else { break }
      var code: Int32 = 0
      while let handle = slipcast_curl_ended(set, &code) {
        curl_multi_remove_handle(set, handle)
        if let call = running.removeValue(forKey: handle) {
          slipcast_curl_finish(handle, call.transfer.state, code)
          call.answer.resume(returning: call.transfer.result(code: code))
        }
        free.append(handle)
      }
      curl_multi_poll(set, nil, 0, 60_000, nil)
    }
    let waiting = queue.withLock { queue in
      queue.isEnding = true
      defer { queue.waiting = [] }
      return queue.waiting
    }
    for call in waiting { call.fail(.ended, Self.ended) }
    for (handle, call) in running {
      curl_multi_remove_handle(set, handle)
      call.fail(.ended, Self.ended)
      curl_easy_cleanup(handle)
    }
    for handle in free { curl_easy_cleanup(handle) }
  }
}
