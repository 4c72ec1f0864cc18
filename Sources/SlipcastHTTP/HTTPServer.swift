// Unsafe on purpose: libmicrohttpd calls back with pointers to its own objects and to ours.
internal import CSlipcastLater
internal import CSlipcastMicroHTTPD
internal import Dispatch
internal import SlipcastLibC
package import SlipcastSystem
internal import Synchronization

/// How an `HTTPServer` listens.
package struct HTTPOptions: Sendable {
  /// `HOST:PORT`, an IPv6 address in brackets; port 0 is any free one.
  package var listen = "127.0.0.1:8080"
  /// The number of connections at the same time.
  package var connections = 1024
  /// Seconds until the head of a request must be complete.
  package var headSeconds = 10
  /// Seconds until the body of a request must be complete.
  package var bodySeconds = 30
  /// Seconds until the client must have read an answer.
  package var answerSeconds = 10
  /// The number of connections from one address at the same time.
  package var connectionsPerAddress = 64
  /// The bytes of all bodies together that are being received or stored.
  package var bodyBudget = 256 << 20
  /// Certificate chain and key as PEM; both or none.
  package var certificate: String?
  package var key: String?

  package init() {}
}

/// HTTP/1.1 by libmicrohttpd: reads whole requests and passes them to a handler.
package final class HTTPServer: @unchecked Sendable {
  // Safe to send: constant after `start`, except `table`, which has a lock, and `daemon`, which its owner's thread sets.
  private static let threads = min(max(Platform.processors, 2), 16)
  fileprivate let handler: any HTTPHandler
  private let options: HTTPOptions
  fileprivate let table = ConnectionTable()
  fileprivate let budget: BodyBudget
  private var daemon: OpaquePointer?
  private var reaper: (any DispatchSourceTimer)?
  package private(set) var address = ""

  /// Starts to listen.
  ///
  /// - Throws: `FileError` when the address cannot be used, or the certificate is not accepted.
  package init(_ options: HTTPOptions, _ handler: any HTTPHandler) throws(FileError) {
    (self.options, self.handler, budget) = (options, handler, BodyBudget(options.bodyBudget))
    guard let colon = options.listen.lastIndex(of: ":") else { throw Self.badAddress(options.listen) }
    var host = String(options.listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard let number = UInt16(options.listen[options.listen.index(after: colon)...]), !host.isEmpty else {
      throw Self.badAddress(options.listen)
    }
    var actual: Int32 = 0
    let socket = slipcast_mhd_listen(host, "\(number)", &actual)
    guard socket >= 0 else {
      throw FileError(path: options.listen, doing: "listen on", number: -socket)
    }
    address = "\(options.listen[..<colon]):\(actual)"
    try start(on: socket)
    // A timer that was never activated must not be released.
    let reaper = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "slipcast.connections"))
    let table = table
    let limits = ConnectionTable.Limits(
      head: Double(options.headSeconds), body: Double(options.bodySeconds), answer: Double(options.answerSeconds))
    reaper.setEventHandler {
      let ended = table.endSlow(limits)
      if ended != ConnectionTable.Ended() { handler.noteSlow(ended) }
    }
    reaper.schedule(deadline: .now() + 0.5, repeating: 0.5)
    reaper.activate()
    self.reaper = reaper
  }

  private static func badAddress(_ text: String) -> FileError {
    FileError(path: text, doing: "listen on", reason: "expected ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080")
  }

  private func start(on socket: Int32) throws(FileError) {
    var listener = SlipcastListener()
    listener.socket = socket
    listener.threads = UInt32(Self.threads)
    listener.connections = UInt32(max(options.connections, Self.threads))
    listener.connections_per_address = UInt32(options.connectionsPerAddress)
    listener.head_bytes = 32 << 10
    let context = Unmanaged.passUnretained(self).toOpaque()
    func run(_ certificate: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?) -> OpaquePointer? {
      (listener.certificate, listener.key) = (certificate, key)
      return slipcast_mhd_start(&listener, Calls.take, Calls.completed, Calls.connected, Calls.log, context)
    }
    if let certificate = options.certificate, let key = options.key {
      daemon = certificate.withCString { certificate in key.withCString { run(certificate, $0) } }
    } else {
      daemon = run(nil, nil)
    }
    guard daemon == nil else { return }
    slipcast_mhd_close(socket)
    let reason =
      options.certificate == nil
      ? "libmicrohttpd did not start"
      : "libmicrohttpd did not accept the certificate and the key of --tls-cert and --tls-key"
    throw FileError(path: options.listen, doing: "listen on", reason: reason)
  }

  /// Accepts no new connections, waits for running requests, and stops.
  ///
  /// - Parameter seconds: how long to wait for requests that have begun.
  package func stop(within seconds: Double) {
    guard let daemon else { return }
    let socket = MHD_quiesce_daemon(daemon)
    // The system would still accept connections, and they would get no answer; the socket itself may still be in use.
    if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
    let end = Platform.seconds() + seconds
    while table.running > 0, Platform.seconds() < end { Platform.pause(0.01) }
    reaper?.cancel()
    MHD_stop_daemon(daemon)
    if socket >= 0 { slipcast_mhd_close(socket) }
    self.daemon = nil
  }

  fileprivate static func head(_ connection: OpaquePointer, url: String, method: String) -> RequestHead {
    func value(_ name: String) -> String? {
      slipcast_mhd_header(connection, name).map { String(cString: $0) }
    }
    let client = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      return slipcast_mhd_client(connection, base, 64) == 0 ? String(cString: base) : ""
    }
    var head = RequestHead(method: method, path: url, client: client)
    head.host = value("Host")
    head.authorization = value("Authorization")
    head.cookie = value("Cookie")
    head.encoding = value("Content-Encoding")
    head.length = value("Content-Length").flatMap { Int($0) }
    head.isChunked = value("Transfer-Encoding") != nil
    head.waits = value("Expect") != nil
    return head
  }

  /// More values are not read: no page has as many.
  private static let mostValues = 64

  fileprivate static func query(_ connection: OpaquePointer) -> [(name: String, value: String)] {
    var query: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &query) { query in
      slipcast_mhd_arguments(
        connection,
        { context, _, name, value in
          guard let context, let name else { return .YES }
          let query = context.assumingMemoryBound(to: [(name: String, value: String)].self)
          guard query.pointee.count < HTTPServer.mostValues else { return .NO }
          query.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
          return .YES
        }, query)
    }
    return query
  }

  // MARK: a request

  private static let mostSkipped = 64 << 20

  /// - Parameter fault: why the head can be read in several ways.
  fileprivate func begin(_ exchange: Exchange, _ fault: String?) -> MHD_Result {
    let key = UInt(bitPattern: exchange.connection)
    if let fault {
      exchange.answer(handler.answer(unclear: fault, exchange.head))
      exchange.isLast = true
      return respond(exchange)
    }
    if let answer = handler.answer(to: exchange.head) { exchange.answer(answer) }
    table.turn(key, to: exchange.answer == nil ? .body : .rest)
    guard exchange.answer == nil, let length = exchange.head.length, length > handler.maxBody else { return .YES }
    exchange.answer(handler.answer(tooLong: exchange.head))
    table.turn(key, to: .rest)
    // Many senders see the answer only when they have sent everything; no honest one sends this much.
    return exchange.head.waits || length > Self.mostSkipped ? respond(exchange) : .YES
  }

  /// A place in libmicrohttpd's memory, valid until the body begins.
  typealias HeadEnd = UnsafePointer<CChar>

  fileprivate func add(_ bytes: UnsafeRawBufferPointer, to exchange: Exchange) {
    guard exchange.answer == nil else { return }
    if let end = exchange.headEnd {
      exchange.headEnd = nil
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      if slipcast_mhd_body_is_bare(end, start, exchange.head.isChunked ? 1 : 0) != 0 {
        exchange.isLast = true
        return refuse(exchange, handler.answer(unclear: "a line that ends without CR", exchange.head))
      }
    }
    guard exchange.body.count + bytes.count <= handler.maxBody else {
      return refuse(exchange, handler.answer(tooLong: exchange.head))
    }
    if !exchange.add(bytes, most: handler.maxBody) { refuse(exchange, handler.answer(busy: exchange.head)) }
  }

  /// Reads the rest of a request and drops it.
  private func refuse(_ exchange: Exchange, _ answer: Answer) {
    exchange.dropBody()
    table.turn(UInt(bitPattern: exchange.connection), to: .rest)
    exchange.answer(answer)
  }

  fileprivate func finish(_ exchange: Exchange) -> MHD_Result {
    if exchange.answer == nil, !exchange.isTaken {
      exchange.isTaken = true
      table.turn(UInt(bitPattern: exchange.connection), to: .storing)
      handler.take(exchange.takeBody(), exchange.head, exchange)
      if exchange.isSuspended { return .YES }
    }
    return respond(exchange)
  }

  private func respond(_ exchange: Exchange) -> MHD_Result {
    guard let answer = exchange.answer else { return .NO }
    exchange.dropBody()
    table.turn(UInt(bitPattern: exchange.connection), to: .answer)
    let response = answer.body.withUnsafeBytes { slipcast_mhd_response($0.baseAddress, $0.count) }
    guard let response else { return .NO }
    defer { MHD_destroy_response(response) }
    if let type = answer.type { MHD_add_response_header(response, "Content-Type", type) }
    if exchange.isLast { MHD_add_response_header(response, "Connection", "close") }
    for (name, value) in answer.headers { MHD_add_response_header(response, name, value) }
    return MHD_queue_response(exchange.connection, UInt32(answer.status), response)
  }
}

/// The calls of libmicrohttpd; outside of the server's type, because importers of the server must not see types of C.
private enum Calls {
  private static func server(_ context: UnsafeMutableRawPointer) -> HTTPServer {
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
  }

  static let take: MHD_AccessHandlerCallback = {
    context, connection, url, method, version, upload, size, slot in
    guard let context, let connection, let url, let method, let version, let size, let slot else { return .NO }
    let server = server(context)
    guard let known = slot.pointee, slipcast_mhd_is_new(known) == 0 else {
      var head = HTTPServer.head(connection, url: String(cString: url), method: String(cString: method))
      if server.handler.readsQuery { head.query = HTTPServer.query(connection) }
      let exchange = Exchange(connection, head, server.budget)
      let fault = slipcast_mhd_fault(connection, url, version, slot.pointee, &exchange.headEnd)
      slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
      return server.begin(exchange, fault.map { String(cString: $0) })
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if size.pointee > 0, let upload {
      server.add(UnsafeRawBufferPointer(start: upload, count: size.pointee), to: exchange)
      size.pointee = 0
      return .YES
    }
    return server.finish(exchange)
  }

  static let completed: MHD_RequestCompletedCallback = { context, connection, slot, _ in
    guard let slot, let known = slot.pointee, slipcast_mhd_is_new(known) == 0 else { return }
    if let context, let connection {
      server(context).table.turn(UInt(bitPattern: connection), to: .head)
    }
    Unmanaged<Exchange>.fromOpaque(known).release()
    slot.pointee = nil
  }

  static let connected: MHD_NotifyConnectionCallback = { context, connection, _, code in
    guard let context, let connection else { return }
    let server = server(context)
    let key = UInt(bitPattern: connection)
    if slipcast_mhd_is_start(code) != 0 {
      server.table.add(key, socket: slipcast_mhd_socket(connection))
    } else {
      server.table.remove(key)
    }
  }

  /// libmicrohttpd itself answers requests that it cannot read, and reports them only in its log.
  static let log: MHD_LogCallback = { context, format, words in
    guard let context, let format, let words else { return }
    var bytes = [CChar](repeating: 0, count: 256)
    guard vsnprintf(&bytes, bytes.count, format, words) > 0 else { return }
    let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let start = text.firstRange(of: "HTTP response code is ")?.upperBound,
      let status = Int(text[start...].prefix { $0.isNumber })
    else { return }
    server(context).handler.noteUnreadable(status: status)
  }
}
