internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Where a record is, with which its line of output starts.
struct RecordPlace {
  var input: String
  var line = 1
  var offset = 0

  func begin(_ writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    writer.member("input", input)
    writer.member("line", line)
    writer.member("offset", offset)
  }
}

extension RecordPlace {
  init(_ range: Range<Int>, in block: Block, _ book: inout BlockBook) {
    input = book.sourceName
    (offset, line) = book.position(range.lowerBound, in: block)
  }
}

struct VerdictLine {
  var place: RecordPlace
  var verdict: Verdict

  func write(to writer: JSONWriter, asText isText: Bool) {
    if isText { return writeText(to: writer) }
    let start = writer.count
    place.begin(writer)
    writer.member("kind", verdict.kind?.rawValue ?? "unknown")
    if !verdict.path.isEmpty { writer.member("path", verdict.path) }
    Self.writeMembers(of: verdict, to: writer)
    writer.byte(UInt8(ascii: "}"))
    writer.endSafely(from: start)
  }

  /// `verdict`, `reason` and related members of an object.
  static func writeMembers(of verdict: Verdict, to writer: JSONWriter) {
    writer.member("verdict", verdict.isValid ? "valid" : "invalid")
    if let refusal = verdict.refusal {
      writer.member("reason", refusal.reason.rawValue)
      if !refusal.path.isEmpty { writer.member("at", refusal.path) }
      writer.member("message", refusal.description)
    }
    if verdict.isUnverified, verdict.isValid { writer.member("unverified", true) }
    writer.member("judgedAt", ifPresent: verdict.judgedAt?.milliseconds)
    if verdict.isTimeUndetermined { writer.member("signingTime", "undetermined") }
    if let revocation = verdict.revocation {
      writer.member("revocation", revocation.word)
      if let reason = revocation.reason { writer.member("revocationReason", reason) }
    }
  }

  private func writeText(to writer: JSONWriter) {
    var text = "\(place.input):\(place.line): \(verdict.kind?.rawValue ?? "unknown")"
    if !verdict.path.isEmpty { text += " \(verdict.path)" }
    if let refusal = verdict.refusal {
      text += ": invalid, \(refusal.reason.rawValue): \(refusal)"
    } else {
      text += verdict.isUnverified ? ": accepted, NOT VERIFIED" : ": valid"
      if let time = verdict.judgedAt { text += " as of \(time)" }
      if verdict.isTimeUndetermined { text += ", signing time undetermined" }
      if let reason = verdict.revocation?.reason { text += ", revocation undetermined (\(reason))" }
    }
    writer.raw(SafeText.words(text) + "\n")
  }
}

extension JSONWriter {
  /// Ends a line that may be shown on a terminal: characters that could mislead it become equivalent escapes.
  func endSafely(from start: Int) {
    let line = content.part(start..<count)
    // C0 is escaped in any JSON; all other dangerous characters are not ASCII, except DEL.
    if line.buffer.span.contains(where: { $0 >= 0x7F }) {
      let safe = SafeText.json(line.string)
      truncate(to: start)
      raw(safe)
    }
    byte(0x0A)
  }

  /// Certificates as the member `certificates`.
  func write(_ certificates: [Certificate]) {
    list("certificates", certificates) { certificate in
      member("subject", certificate.subject)
      member("issuer", certificate.issuer)
      member("serialNumber", certificate.serialNumber)
      member("notBefore", certificate.notBefore.description)
      member("notAfter", certificate.notAfter.description)
      member("sha256", certificate.sha256)
      member("markers", certificate.markers)
    }
  }
}
