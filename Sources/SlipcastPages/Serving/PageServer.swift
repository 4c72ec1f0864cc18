internal import SlipcastHTTP
package import SlipcastMapping
package import SlipcastStores
internal import SlipcastSystem

/// What a `PageServer` shows, and who may see it.
package struct PageOptions: Sendable {
  /// `HOST:PORT`.
  package var listen = "127.0.0.1:8090"
  /// Who knows these bytes may see the pages; `nil`: everybody who can connect.
  package var token: [UInt8]?
  /// Ids are replaced by pseudonyms.
  package var redacts = false
  package var rules: RuleSet
  /// A store; `nil`: only reports are shown.
  package var store: StoreLocation?
  /// Files that `parity --format json` wrote.
  package var reports: [ParityFile] = []
  /// Takes messages for the person who runs the program.
  package var note: @Sendable (String) -> Void = { _ in }

  package init(rules: RuleSet) { self.rules = rules }

  /// Only programs of this machine can connect.
  package var isLoopback: Bool { HostCheck(listen: listen).isLoopback }
}

/// The web application over a store and reports.
package final class PageServer {
  private let http: HTTPServer

  /// The address and port that it listens on.
  package var address: String { http.address }

  /// Opens the store and listens.
  ///
  /// - Throws: `StoreError` for what is not a store; `FileError` for an address that cannot be used.
  package init(_ options: PageOptions) throws {
    let site = try PageSite(options)
    var settings = HTTPOptions()
    settings.listen = options.listen
    settings.connections = 256
    let handler = PageHandler(
      site, hosts: HostCheck(listen: options.listen), token: options.token.map { TokenCheck($0) }, note: options.note)
    http = try HTTPServer(settings, handler)
    site.overview?.prepare()
  }

  /// Answers the requests that have begun, and returns.
  package func stop() { http.stop(within: 5) }
}
