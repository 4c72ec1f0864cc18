@_spi(Slipcast) import SlipcastWire

/// Why a value is not in an answer.
enum OutletLoss: String, CaseIterable, Sendable {
  /// V1 has no key for the member.
  case noKey
  /// The member is newer than this version.
  case unknownMember
  /// A member is missing that would decide the key.
  case undetermined
  /// A conversion concluded the value, and no signed source states it.
  case inferred
  /// The value is of another kind than Apple documents, or a date that no text can hold.
  case unreadable
  /// V2 does not say which consumables are finished, and the receipt does not list this one.
  case consumable
}

/// Where the values of an answer come from, and what it could not say.
struct Provenance {
  private(set) var sources: [(path: String, origin: String)] = []
  private(set) var losses: [(path: String, kind: OutletLoss, rule: String)] = []
  private(set) var findings: [(code: String, path: String)] = []

  mutating func source(_ path: String, _ origin: String) { sources.append((path, origin)) }
  mutating func loss(_ path: String, _ kind: OutletLoss, _ rule: String) { losses.append((path, kind, rule)) }
  mutating func finding(_ code: String, at path: String = "") { findings.append((code, path)) }

  /// One line: `{"sources":{PATH:SOURCE},"losses":[{"path","kind","rule"}],"findings":[{"code","path"}]}`.
  var line: [UInt8] {
    JSONWriter.line(capacity: 4096) { writer in
      writer.object("sources") { for (path, origin) in sources { writer.member(path, origin) } }
      writer.list("losses", losses) { loss in
        writer.member("path", loss.path)
        writer.member("kind", loss.kind.rawValue)
        writer.member("rule", loss.rule)
      }
      writer.list("findings", findings) { finding in
        writer.member("code", finding.code)
        writer.member("path", finding.path)
      }
    }.bytes
  }
}
