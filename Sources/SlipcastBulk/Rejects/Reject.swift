internal import SlipcastDigest
@_spi(Slipcast) package import SlipcastWire

/// A record that could not be converted: where it is, why, and what is kept of it.
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
  /// Bytes before the record in the source.
  public var offset: Int
  /// Bytes before the fault in the source, where it is after the record's start.
  public var faultOffset: Int?
  /// The length of the record in its source, in bytes.
  public var length: Int
  /// The SHA-256 of these bytes in hexadecimal digits; `nil` when they were not held.
  public var sha256: String?
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
  /// The record's type and original transaction ids; `nil` where nothing of it was read.
  public var subject: RejectSubject?
  /// What is kept of the record, without the secret; empty unless rejects are kept.
  ///
  /// A record that was recognized keeps the values under names that this program reads; other values are replaced by
  /// their kind and length. A record of unknown form keeps its names.
  public var input: [UInt8]
  /// Why the record is not kept, as one word: `unparsed`, it was not read completely; `values`, its form is unknown, and
  /// `input` has its names only.
  public var inputOmitted: String?
  /// The record as its source has it, with the header row of its table before it; only for a file of raw rejects.
  var raw: RawText?

  /// Text of a source, secrets included.
  struct RawText: Hashable, Sendable {
    /// The header row of the table; empty for records that are in none.
    var header: [UInt8]
    var record: [UInt8]
    /// The form of the table; `nil` for records that are in none.
    var form: TableForm?
  }

  /// The reject as one JSON object; `input` is text, or `inputBase64` where the record is not UTF-8;
  /// `null` where nothing is kept, for the reason `inputOmitted`.
  package func write(to writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    writer.member("source", source)
    writer.member("record", record)
    writer.member("offset", offset)
    if let faultOffset { writer.member("faultOffset", faultOffset) }
    writer.member("length", length)
    if let sha256 { writer.member("sha256", sha256) }
    writer.member("line", line)
    writer.member("stage", stage.rawValue)
    writer.member("code", code)
    writer.member("path", path)
    writer.member("message", message)
    if let id { writer.member("id", id) }
    subject?.write(to: writer)
    if input.isEmpty, inputOmitted != nil {
      writer.key("input")
      writer.raw("null")
    } else if let text = String(validating: input, as: UTF8.self) {
      writer.member("input", text)
    } else {
      writer.member("inputBase64", Base64.encode(input))
    }
    if let inputOmitted { writer.member("inputOmitted", inputOmitted) }
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
  ///
  /// - Parameter input: has no secret in it.
  package init(
    received source: String, record: Int, stage: Stage, code: String, path: String, message: String, id: String?,
    input: [UInt8]
  ) {
    self.init(
      source: source, record: record, offset: 0, length: input.count,
      sha256: SHA256Stream.hexadecimal(of: input.span), line: 1, stage: stage, code: code, path: path,
      message: message, id: id, input: input)
  }

  /// A converted record that a store rejected: its V2 line is kept, which never contains the secret.
  init(_ refused: StoreOutcome.Refused) {
    self.init(
      received: refused.source, record: refused.record, stage: .store, code: "valueNotStorable", path: "",
      message: refused.message, id: nil, input: refused.line)
    line = 0
  }
}
