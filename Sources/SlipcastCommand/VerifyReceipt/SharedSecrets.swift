import SlipcastWire

/// The file of `--shared-secret`: one secret on each line.
enum SharedSecrets {
  static func read(_ path: String) throws -> [[UInt8]] {
    let text = try Files.secret("--shared-secret") { try Files.read(path, limit: 1 << 20) }
    let start = ByteOrderMark.count(in: text)
    let secrets = text[start...].split(separator: 0x0A).compactMap { line -> [UInt8]? in
      let secret = line.last == 0x0D ? line.dropLast() : line
      return secret.isEmpty ? nil : Array(secret)
    }
    guard !secrets.isEmpty else { throw UsageError("--shared-secret \(path): expected one secret on each line") }
    return secrets
  }
}
