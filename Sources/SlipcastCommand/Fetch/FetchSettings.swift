import SlipcastBulk
import SlipcastFetch
import SlipcastNetwork
import SlipcastSignatures
import SlipcastSystem
import SlipcastV2
import SlipcastWire

/// The options of `fetch` and the variables of the environment.
enum FetchSettings {
  static func options(_ endpoint: ServerEndpoint, _ arguments: Arguments) throws -> FetchOptions {
    var options = FetchOptions(endpoint)
    options.policy = try TrustOptions.policy(arguments)
    switch arguments.last("environment") {
    case "production": options.environment = .production
    case "sandbox": options.environment = .sandbox
    default: break
    }
    if endpoint == .orders {
      guard options.environment != .sandbox else {
        throw UsageError("--environment sandbox: Apple looks up orders in production only; the sandbox has none")
      }
      options.environment = .production
    }
    if let server = try server("server", arguments) {
      (options.productionServer, options.sandboxServer) = (server, server)
    }
    if endpoint != .orders, let server = try server("sandbox-server", arguments) { options.sandboxServer = server }
    options.rate = try arguments.number("rate", 1...1_000_000).map { Double($0) }
    options.connections = try arguments.number("connections", 1...64) ?? 8
    options.client.timeout = Double(try arguments.number("timeout", 1...3600) ?? 30)
    if arguments.command.option("from") != nil {
      options.from = try arguments.time("from").map { Timestamp(milliseconds: $0) }
      options.until = try arguments.time("until").map { Timestamp(milliseconds: $0) }
      try check(options, now: .now)
    }
    return options
  }

  /// Checks that there is a time to ask about.
  private static func check(_ options: FetchOptions, now: Timestamp) throws {
    if let from = options.from, from >= options.until ?? now {
      throw UsageError(options.until == nil ? "--from must not be in the future" : "--from must be before --until")
    }
    // Production keeps notifications for longer.
    let earliest = FetchOptions.earliest(options.environment ?? .production, now: now)
    guard let until = options.until, until <= earliest else { return }
    throw UsageError("--until is before \(earliest), the earliest notifications that Apple keeps")
  }

  /// A server, without a slash at its end.
  ///
  /// Tokens must not travel in the clear, except on this machine.
  static func server(_ name: String, _ arguments: Arguments) throws -> String? {
    guard var text = arguments.last(name) else { return nil }
    while text.hasSuffix("/") { text.removeLast() }
    guard HTTPAddress(text) != nil, !text.contains("?"), !text.contains("#"), !text.contains("@") else {
      throw UsageError("--\(name) is the address of a server, such as https://api.example.com:8443")
    }
    if text.hasPrefix("http://") {
      let host = text.dropFirst(7).prefix { $0 != "/" }
      let name = host.hasPrefix("[") ? host.prefix { $0 != "]" }.dropFirst() : host.prefix { $0 != ":" }
      guard name == "localhost" || name == "::1" || isLoopback(name) else {
        throw UsageError(
          "--server and --sandbox-server begin with https://; http:// is for this machine (127.0.0.1) only, because "
            + "requests contain a token")
      }
    }
    return text
  }

  /// True for 127.0.0.0/8.
  private static func isLoopback(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// - Parameter option: the option that needs the key.
  static func key(_ arguments: Arguments, for option: String = "execute") throws -> APIKey {
    func value(_ name: String, _ variable: String) -> String? {
      arguments.last(name) ?? Platform.environment(variable).flatMap { $0.isEmpty ? nil : $0 }
    }
    let names = [("key", "SLIPCAST_KEY"), ("key-id", "SLIPCAST_KEY_ID"), ("issuer", "SLIPCAST_ISSUER")]
    let missing = names.filter { value($0.0, $0.1) == nil }
    guard missing.isEmpty, let path = value("key", "SLIPCAST_KEY"), let id = value("key-id", "SLIPCAST_KEY_ID"),
      let issuer = value("issuer", "SLIPCAST_ISSUER")
    else {
      let list = missing.map { "--\($0.0) (or the variable \($0.1))" }.joined(separator: ", ")
      throw UsageError(
        "--\(option) needs \(list): an In-App Purchase key of App Store Connect (Users and Access, Integrations)")
    }
    let source = arguments.has("key") ? "--key" : "SLIPCAST_KEY"
    guard let bytes = try Files.secret(source, { try Files.head(path, count: 64 << 10) }) else {
      throw UsageError("--key \(path): expected the .p8 file of App Store Connect, found a much larger file")
    }
    do throws(APIKeyError) {
      return try APIKey(pem: bytes, keyId: id, issuerId: issuer)
    } catch {
      let place =
        switch error.reason {
        case .keyId: "--key-id"
        case .issuerId: "--issuer"
        default: "--key \(path)"
        }
      throw UsageError("\(place): \(error)")
    }
  }
}
