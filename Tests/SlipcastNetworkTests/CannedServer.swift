import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server on 127.0.0.1 that answers requests in turn with prepared responses, one on each connection.
final class CannedServer: Sendable {
  struct Response: Sendable {
    var status = 200
    var body = "{}"
  }

  private struct State {
    var responses: [Response]
    var requests: [String] = []
  }

  private let listener: Int32
  private let state: Mutex<State>
  let address: String

  init(_ responses: [Response]) throws {
    state = Mutex(State(responses: responses))
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    Thread.detachNewThread { [self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        answer(connection)
      }
    }
  }

  /// The heads of the requests so far.
  var requests: [String] { state.withLock(\.requests) }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func answer(_ connection: Int32) {
    defer { close(connection) }
    var text = [UInt8]()
    var piece = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: text, as: UTF8.self).contains("\r\n\r\n") {
      let got = recv(connection, &piece, piece.count, 0)
      guard got > 0 else { return }
      text += piece[..<got]
    }
    let response = state.withLock { state in
      state.requests.append(String(decoding: text, as: UTF8.self))
      return state.responses.isEmpty ? Response(status: 500) : state.responses.removeFirst()
    }
    let head =
      "HTTP/1.1 \(response.status) X\r\nContent-Type: application/json\r\nContent-Length: \(response.body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n"
    let bytes = Array((head + response.body).utf8)
    var sent = 0
    while sent < bytes.count {
      let wrote = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
      guard wrote > 0 else { return }
      sent += wrote
    }
  }
}
