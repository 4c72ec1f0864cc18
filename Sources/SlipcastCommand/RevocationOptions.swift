import SlipcastBulk
import SlipcastNetwork
import SlipcastSignatures
import SlipcastSystem
@_spi(Slipcast) import SlipcastWire

/// Options about revoked certificates, and the checker that they ask for.
struct RevocationOptions {
  /// `nil` where nothing is checked.
  let checker: RevocationChecker?
  /// An undetermined revocation does not fail.
  let isOptional: Bool
  private let cache: String?

  /// - Parameter retry: after how many seconds a certificate without an answer is asked about again; `nil`: never.
  init(_ arguments: Arguments, retry: Double? = nil) throws {
    isOptional = arguments.has("revocation-optional")
    cache = arguments.last("ocsp-cache")
    guard arguments.has("online-checks") else {
      if let idle = ["ocsp-cache", "revocation-optional"].first(where: { arguments.has($0) }) {
        throw UsageError("--\(idle) has no effect without --online-checks")
      }
      checker = nil
      return
    }
    var responses: [String: [UInt8]] = [:]
    if let cache, Platform.kind(cache) != .nothing { responses = try Self.read(cache) }
    checker = RevocationChecker(responses: responses, retry: retry) { address, request in
      guard let address = HTTPAddress(address) else {
        throw HTTPFailure(message: "the certificate names no address with http:// or https://", seconds: 0)
      }
      let client = HTTPClient(timeout: 10)
      let reply = try client.post(request, to: address, type: "application/ocsp-request", keeping: 1 << 20)
      guard reply.status == 200 else {
        throw HTTPFailure(message: "the response was \(reply.status)", seconds: reply.seconds)
      }
      return reply.body
    }
  }

  /// Certificates have no usable answer, and that counts.
  var isFailed: Bool { !isOptional && checker.map { $0.undetermined > 0 } ?? false }

  func save() throws {
    guard let cache, let checker else { return }
    let writer = JSONWriter(capacity: 4096)
    for (certificate, response) in checker.responses.sorted(by: { $0.key < $1.key }) {
      writer.object {
        writer.member("certificate", certificate)
        writer.member("response", Base64.encode(response))
      }
      writer.raw("\n")
    }
    try Files.write(writer.string, to: cache)
  }

  /// Reads a cache; its answers are verified when they are used.
  ///
  /// The file is written again at the end, so nothing else may be in it.
  private static func read(_ path: String) throws -> [String: [UInt8]] {
    var responses: [String: [UInt8]] = [:]
    let reader = JSONReader(names: [])
    for line in try Files.read(path).split(separator: 0x0A) {
      let entry = reader.parse(JSONBuffer(line)) { entry -> (certificate: String, response: [UInt8])? in
        guard entry.kind == .object, entry.children.count == 2, let certificate = entry["certificate"]?.string,
          let response = entry["response"]?.string.flatMap({ Base64.decode($0.utf8) })
        else { return nil }
        return (certificate, response)
      }
      guard let entry = entry.flatMap(\.self) else {
        throw UsageError("--ocsp-cache \(path): it is not a cache that slipcast wrote; name another file, or delete it")
      }
      responses[entry.certificate] = entry.response
    }
    return responses
  }
}
