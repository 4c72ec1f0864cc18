package import SlipcastBulk
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// One event of a journal.
package struct JournalRecord: Sendable {
  /// Its number in the journal, from 1, without gaps.
  package var number: Int64
  /// When it arrived, milliseconds since 1970 UTC.
  package var receivedAt: Int64
  package var version: IncomingNotification.Version
  /// The id that its converted line has.
  package var id: KnownIDs.ID
  /// An event with this id and other content is in the journal already; this one is kept and not delivered.
  package var differs = false
  /// The bytes of the request, unchanged.
  package var body: [UInt8]
}

/// A line of a journal: JSON, with a checksum of what follows it (`Examples/journal.md`).
enum JournalLine {
  static func write(_ record: JournalRecord, to writer: JSONWriter) {
    let start = writer.count
    writer.raw(JournalHead.start)
    writer.raw(String(repeating: "0", count: JournalHead.sumDigits) + "\"")
    writer.member("number", Int(record.number))
    if record.differs { writer.member(JournalHead.mark, true) }
    writer.member("receivedAt", Int(record.receivedAt))
    writer.member("version", record.version.rawValue)
    writer.member("id", text(record.id))
    writer.key("body")
    writer.escaped(record.body.span)
    writer.byte(UInt8(ascii: "}"))
    let sum = Array(JournalHead.sum(of: writer.buffer.span.extracting(start...)))
    writer.replace(at: start + JournalHead.start.utf8.count, with: sum.span)
    writer.byte(0x0A)
  }

  /// The record of a line without its line feed; `nil` for a damaged one.
  static func read(_ line: Span<UInt8>, _ reader: JSONReader) -> JournalRecord? {
    guard JournalHead.isIntact(line) else { return nil }
    return reader.parse(JSONBuffer(line)) { root in
      guard let number = root["number"]?.integer, let time = root["receivedAt"]?.integer,
        let version = root["version"]?.string.flatMap(IncomingNotification.Version.init(rawValue:)),
        let id = root["id"]?.string.flatMap({ KnownIDs.ID(uuid: $0) }), let body = root["body"]?.string
      else { return nil }
      let differs = root[JournalHead.mark] != nil
      return JournalRecord(
        number: number, receivedAt: time, version: version, id: id, differs: differs, body: Array(body.utf8))
    }
  }

  /// Where the intact lines of a text begin and end, whatever is between and behind them.
  static func intact(in text: Span<UInt8>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while let brace = Platform.find(UInt8(ascii: "{"), in: text, from: place) {
      place = brace + 1
      guard text.starts(with: JournalHead.start.utf8, at: brace), let end = end(of: brace, in: text),
        JournalHead.isIntact(text.extracting(brace..<end))
      else { continue }
      found.append(brace..<end)
      place = end
    }
    return found
  }

  /// Behind the brace that closes an object without objects in it; `nil` without one.
  private static func end(of start: Int, in text: Span<UInt8>) -> Int? {
    var isString = false
    var place = start
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "\\") where isString: place += 1
      case UInt8(ascii: "\""): isString.toggle()
      case UInt8(ascii: "}") where !isString: return place + 1
      default: break
      }
      place += 1
    }
    return nil
  }

  static func text(_ id: KnownIDs.ID) -> String { UUIDText.string(id.high, id.low) }
}
