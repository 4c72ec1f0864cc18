@_spi(Slipcast) package import SlipcastWire

/// A record that could not be converted, kept complete except for its secret.
public struct Reject: Hashable, Sendable {
  /// The stage at which a record failed.
  public enum Stage: String, CaseIterable, Hashable, Sendable {
    /// Getting at the records of a source: it is damaged.
    case source
    /// Reading JSON.
    case json
    /// Finding the record in its row.
    case row
    /// Recognizing and reading the legacy record.
    case legacy
    /// Turning it into V2.
    case cast
    /// Signing it with a test identity.
    case sign
    /// Verifying the receipts in it.
    case verify
    /// Keeping it in a database.
    case store
  }

  /// The source of the record.
  public var source: String
  /// Its number in the source, from 1.
  public var record: Int
  /// Bytes before the fault in the source.
  public var offset: Int
  /// The line of the fault in the source, from 1.
  public var line: Int
  /// The stage at which it failed.
  public var stage: Stage
  /// One word for programs, such as `incomplete` or `wrongKind`.
  public var code: String
  /// The value at fault; empty for the record itself.
  public var path: String
  /// What was expected and what was found.
  public var message: String
  /// The row's own id, if requested.
  public var id: String?
  /// The record unchanged, except for the secret; empty unless rejects are kept.
  public var input: [UInt8]
  /// Why the record is not kept, as one word: it may contain the secret in a form that cannot be searched.
  public var inputOmitted: String?

  /// The reject as one JSON object; `input` is text, or `inputBase64` where the record is not UTF-8;
  /// `null` with `inputOmitted` where the record must not be kept.
  package func write(to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    writer.member("source", source)
    writer.member("record", record)
    writer.member("offset", offset)
    writer.member("line", line)
    writer.member("stage", stage.rawValue)
    writer.member("code", code)
    writer.member("path", path)
    writer.member("message", message)
    if let id { writer.member("id", id) }
    if let inputOmitted {
      writer.key("input")
      writer.raw("null")
      writer.member("inputOmitted", inputOmitted)
    } else if let text = String(validating: input, as: UTF8.self) {
      writer.member("input", text)
    } else {
      writer.member("inputBase64", Base64.encode(input))
    }
    writer.raw("}\n")
  }

  /// Passes on the reject as a line of JSON.
  public func withLine(_ use: (Span<UInt8>) throws -> Void) rethrows {
    let writer = JSONWriter(capacity: input.count + 1024)
    write(to: writer)
    try withExtendedLifetime(writer) { try use(writer.buffer.span) }
  }

  /// `archive.ndjson:12: record 12: unified_receipt: expected …`.
  public var description: String {
    "\(source):\(line): record \(record): " + (path.isEmpty ? "" : path + ": ") + message
  }
}

extension Reject {
  /// A reject of something that was received, and not read from a file.
  package init(
    received source: String, record: Int, stage: Stage, code: String, path: String, message: String, id: String?,
    input: [UInt8]
  ) {
    self.init(
      source: source, record: record, offset: 0, line: 1, stage: stage, code: code, path: path, message: message,
      id: id, input: input, inputOmitted: nil)
  }

  /// A converted record that a store rejected: its V2 line is kept, so that nothing is lost.
  init(_ refused: StoreOutcome.Refused) {
    let (line, omission) = SecretFilter.filter(refused.line.span)
    self.init(
      source: refused.source, record: refused.record, offset: 0, line: 0, stage: .store, code: "valueNotStorable",
      path: "", message: refused.message, id: nil, input: line, inputOmitted: omission?.rawValue)
  }
}
