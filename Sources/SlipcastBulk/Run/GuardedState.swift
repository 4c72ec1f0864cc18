internal import SlipcastDigest
package import SlipcastSystem
@_spi(Slipcast) package import SlipcastWire

/// A file that a later run continues from, and that checks itself.
///
/// It is one JSON object that begins with what wrote it and a digest of the whole text. A file that was changed, cut,
/// mixed up with another one, or written by another version is refused as a whole: no member of it is believed.
///
///     {"slipcastState":"convert","version":2,"sha256":"…64 digits…",MEMBERS}
package enum GuardedState {
  /// What wrote it.
  package enum Writer: String, CaseIterable, Sendable {
    case convert
    case fetch
    /// How far a target of `serve` is.
    case serve
    /// The mark of the folder of a journal.
    case journal
  }

  private static let version = 2
  private static let digits = 64

  private static func start(_ kind: Writer) -> String {
    #"{"slipcastState":"\#(kind.rawValue)","version":\#(version),"sha256":""#
  }

  /// The text of a state, with a line feed.
  package static func seal(_ kind: Writer, _ write: (JSONWriter) -> Void) -> [UInt8] {
    let start = start(kind)
    let writer = JSONWriter(capacity: 4096)
    writer.raw(start)
    writer.raw(String(repeating: "0", count: digits) + "\"")
    write(writer)
    writer.raw("}\n")
    let digest = SHA256Stream.hexadecimal(of: writer.bytes)
    writer.replace(at: start.utf8.count, with: Array(digest.utf8).span)
    return writer.bytes
  }

  /// Reads a state.
  ///
  /// - Parameter read: `nil` where a member is missing or of another kind.
  /// - Throws: `StateFault` for anything but the whole, unchanged text.
  package static func open<State>(
    _ text: [UInt8], _ kind: Writer, _ read: (JSONElement) -> State?
  ) throws(StateFault) -> State {
    let start = Array(start(kind).utf8)
    guard text.starts(with: start) else { throw fault(text, kind) }
    let place = start.count..<start.count + digits
    guard text.count > place.upperBound else { throw .damaged }
    var unsigned = text
    unsigned.replaceSubrange(place, with: repeatElement(UInt8(ascii: "0"), count: digits))
    guard text[place].elementsEqual(SHA256Stream.hexadecimal(of: unsigned).utf8) else { throw .damaged }
    let reader = JSONReader(names: [], limits: JSONLimits(recordBytes: 1 << 30))
    guard let state = reader.parse(JSONBuffer(text), read) else { throw .damaged }
    return state
  }

  private static func fault(_ text: [UInt8], _ kind: Writer) -> StateFault {
    func begins(_ words: String) -> Bool { text.starts(with: words.utf8) }
    for other in Writer.allCases where other != kind && begins(start(other)) { return .foreign(other) }
    // What begins like a state was one, however little of it is left.
    let isCut = start(kind).utf8.starts(with: text)
    return isCut || begins(#"{"slipcast"#) || begins(#"{"sl"#) ? .damaged : .notAState
  }
}

/// The checksums of lines that are appended to a file: each covers its line and all lines before it, so that a line that
/// was changed, removed or moved is noticed, and a file of something else.
///
/// Lines that are missing at the end are not noticed: a kill may cut the last ones off. Their reader repeats the work.
package struct LineChain: Sendable {
  package static let digits = 16
  private var last: String

  /// - Parameter identity: what the file belongs to.
  package init(_ identity: String) { last = SHA256Stream.hexadecimal(of: [identity]) }

  /// The checksum of the next line.
  package mutating func sum(_ text: Span<UInt8>) -> String { sum(text, text.extracting(0..<0)) }

  /// The checksum of the next line, and of what follows it.
  package mutating func sum(_ text: Span<UInt8>, _ more: Span<UInt8>) -> String {
    let digest = SHA256Stream()
    digest.add(last)
    digest.add(text)
    digest.add(more)
    last = String(digest.hexadecimal.prefix(Self.digits))
    return last
  }

  package static func damage(_ path: String, line: Int, advice: String) -> FileError {
    FileError(
      path: path, doing: "continue from",
      reason: "line \(line) was changed, or belongs to another file: its checksum is wrong; \(advice)")
  }
}

/// Why a state is not believed.
package enum StateFault: Error, Hashable, Sendable {
  case damaged
  case foreign(GuardedState.Writer)
  case notAState

  /// What is wrong, without the file's name.
  package var reason: String {
    switch self {
    case .damaged: "it was changed or cut, or another version of slipcast wrote it: its checksum is wrong"
    case .foreign(.journal): "it is the mark of a journal of slipcast serve"
    case .foreign(let kind): "it is a state of slipcast \(kind.rawValue)"
    case .notAState: "it is not a state that slipcast wrote"
    }
  }
}
