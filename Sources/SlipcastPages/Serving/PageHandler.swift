internal import SlipcastHTTP
internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastWire

/// Answers requests for pages: only `GET`, only from who may see them, and never by changing anything.
final class PageHandler: HTTPHandler {
  private let site: PageSite
  private let hosts: HostCheck
  private let token: TokenCheck?
  private let note: @Sendable (String) -> Void

  init(_ site: PageSite, hosts: HostCheck, token: TokenCheck?, note: @escaping @Sendable (String) -> Void) {
    (self.site, self.hosts, self.token, self.note) = (site, hosts, token, note)
  }

  /// No request has a body.
  let maxBody = 0
  let readsQuery = true

  private static let policy = [
    "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src 'self'", "form-action 'self'",
    "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  /// What every answer states.
  private static let headers: [(name: String, value: String)] = [
    ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
  ]

  func answer(to head: RequestHead) -> Answer? {
    guard head.method == "GET" || head.method == "HEAD" else {
      return Self.words(405, "Pages are only read: use GET.", [("Allow", "GET, HEAD")])
    }
    guard (head.length ?? 0) == 0, !head.isChunked else { return Self.words(400, "A request for a page has no body.") }
    guard let host = head.host else { return Self.words(400, "The request states no Host.") }
    guard hosts.accepts(host) else {
      return Self.words(421, "This name is not an address of slipcast ui: use the one that it printed at its start.")
    }
    if head.path == "/assets/icon.svg" { return Self.file("image/svg+xml", PageAssets.icon) }
    if let token, let refusal = admit(head, token) { return refusal }
    switch head.path {
    case "/assets/ui.css": return Self.file("text/css; charset=utf-8", PageAssets.css)
    case "/assets/ui.js": return Self.file("text/javascript; charset=utf-8", PageAssets.script)
    default: return page(PageRequest(path: head.path, query: head.query))
    }
  }

  /// The answer to a request without access, or to one that gets access with it; `nil` for one that has access.
  private func admit(_ head: RequestHead, _ token: TokenCheck) -> Answer? {
    if let given = head.query.first(where: { $0.name == "token" })?.value, token.isToken(given) {
      // Without the token in the address, so that no history and no picture of the screen has it.
      let address = PageRequest(path: head.path, query: head.query).address([:])
      return Self.redirect(to: address, [token.setCookie])
    }
    if token.admits(head) { return nil }
    let words =
      "Open the page once with ?token=…, or send Authorization: Bearer …: the token is in the file of --token."
    return Self.words(401, words, [("WWW-Authenticate", "Bearer realm=\"slipcast ui\"")])
  }

  private func page(_ request: PageRequest) -> Answer {
    do {
      switch try site.answer(request) {
      case .page(let view): return Self.html(200, site.layout.html(view))
      case .missing(let view): return Self.html(404, site.layout.html(view))
      case .redirect(let address): return Self.redirect(to: address, [])
      case .csv(let name, let text):
        let disposition = "attachment; filename=\"\(name).csv\""
        return Self.file("text/csv; charset=utf-8; header=present", text, [("Content-Disposition", disposition)])
      }
    } catch {
      note("\(error)")
      let view = View(title: "Not readable") { main in
        main.add("h1", text: "The store cannot be read now")
        main.add("p", text: "The program's messages say why. Reload the page to try again.")
      }
      return Self.html(503, site.layout.html(view))
    }
  }

  // MARK: answers

  private static func html(_ status: Int, _ text: String) -> Answer {
    Answer(status, type: "text/html; charset=utf-8", body: Array(text.utf8), headers: headers)
  }

  private static func file(
    _ type: String, _ text: String, _ more: [(name: String, value: String)] = []
  ) -> Answer {
    Answer(200, type: type, body: Array(text.utf8), headers: headers + more)
  }

  private static func words(
    _ status: Int, _ text: String, _ more: [(name: String, value: String)] = []
  ) -> Answer {
    Answer(status, type: "text/plain; charset=utf-8", body: Array((text + "\n").utf8), headers: headers + more)
  }

  private static func redirect(to address: String, _ more: [(name: String, value: String)]) -> Answer {
    // An address that begins with two slashes would name another host.
    let local = address.hasPrefix("//") ? "/" : address
    return Answer(303, headers: headers + more + [("Location", local)])
  }

  func answer(tooLong head: RequestHead) -> Answer { Self.words(400, "A request for a page has no body.") }
  func answer(busy head: RequestHead) -> Answer { Self.words(503, "Too many requests at once.") }
  func answer(unclear fault: String, _ head: RequestHead) -> Answer {
    Self.words(400, "The head of the request has \(fault).")
  }

  func noteUnreadable(status: Int) {}
  func noteSlow(_ ended: ConnectionTable.Ended) {}

  func take(_ body: [UInt8], _ head: RequestHead, _ exchange: Exchange) {
    exchange.answer(Self.words(400, "A request for a page has no body."))
  }
}
