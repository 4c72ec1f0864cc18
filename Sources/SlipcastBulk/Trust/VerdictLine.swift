internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// One verdict as a line of output.
struct VerdictLine {
  var input: String
  /// The line of the record in its source, from 1.
  var line: Int
  /// Bytes before the record in its source.
  var offset: Int
  var verdict: Verdict

  func write(to writer: JSONWriter, asText isText: Bool) {
    if isText { return writeText(to: writer) }
    let start = writer.count
    writer.byte(UInt8(ascii: "{"))
    writer.member("input", input)
    writer.member("line", line)
    writer.member("offset", offset)
    writer.member("kind", verdict.kind?.rawValue ?? "unknown")
    if !verdict.path.isEmpty { writer.member("path", verdict.path) }
    Self.writeMembers(of: verdict, to: writer)
    writer.byte(UInt8(ascii: "}"))
    SafeLine.end(writer, from: start)
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
    var text = "\(input):\(line): \(verdict.kind?.rawValue ?? "unknown")"
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
