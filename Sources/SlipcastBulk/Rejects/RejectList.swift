internal import SlipcastDigest

/// The rejects of one block, in compact form: a broken block may have one on each of its lines.
struct RejectList {
  private struct Entry {
    var record: Int
    var offset: Int
    var faultOffset: Int?
    var length: Int
    var line: Int
    var stage: Reject.Stage
    /// Positions in `words`.
    var code: Int32
    var path: Int32
    var message: Int32
    /// Position in `words`, or -1.
    var id: Int32
    /// Position in `subjects`, or -1.
    var subject: Int32
    /// Position in `words`, or -1.
    var omitted: Int32
    var inputEnd: Int
    /// Where the digest begins in `digests`, or -1.
    var digest: Int
  }

  private var entries: [Entry] = []
  /// Each text once: broken lines mostly have the same fault.
  private var words: [String] = []
  private var places: [String: Int32] = [:]
  private var subjects: [RejectSubject] = []
  private var inputs: [UInt8] = []
  /// Hexadecimal digits, of the same number for each.
  private var digests: [UInt8] = []
  /// Of every reject, or of none.
  private var raw: [Reject.RawText] = []
  private var rawBytes = 0

  /// Its approximate size in bytes.
  var weight: Int {
    entries.count * MemoryLayout<Entry>.stride + subjects.count * Self.subjectBytes + inputs.count + digests.count
      + rawBytes
  }
  /// The number of the last rejected record, from the block's start.
  var lastRecord: Int? { entries.last?.record }

  mutating func removeAll() { self = RejectList() }

  mutating func append(_ reject: Reject) {
    inputs += reject.input
    let subject = reject.subject == nil ? -1 : Int32(truncatingIfNeeded: subjects.count)
    if let known = reject.subject { subjects.append(known) }
    let digest = reject.sha256 == nil ? -1 : digests.count
    digests += reject.sha256.map { Array($0.utf8) } ?? []
    if let text = reject.raw {
      raw.append(text)
      rawBytes += text.record.count
    }
    entries.append(
      Entry(
        record: reject.record, offset: reject.offset, faultOffset: reject.faultOffset, length: reject.length,
        line: reject.line, stage: reject.stage,
        code: place(reject.code), path: place(reject.path), message: place(reject.message),
        id: reject.id.map { place($0) } ?? -1, subject: subject, omitted: reject.inputOmitted.map { place($0) } ?? -1,
        inputEnd: inputs.count, digest: digest))
  }

  /// A type and an id, of which most subjects consist.
  private static let subjectBytes = MemoryLayout<RejectSubject>.stride + 96

  private mutating func place(_ text: String) -> Int32 {
    if let known = places[text] { return known }
    let place = Int32(truncatingIfNeeded: words.count)
    words.append(text)
    places[text] = place
    return place
  }

  /// Passes on the rejects one after another, in their order.
  ///
  /// - Parameter before: the number of earlier records of the source.
  func forEach(source: String, after before: Int, _ use: (Reject) throws -> Void) rethrows {
    var start = 0
    for (place, entry) in entries.enumerated() {
      try use(
        Reject(
          source: source, record: before + entry.record, offset: entry.offset, faultOffset: entry.faultOffset,
          length: entry.length, sha256: digest(at: entry.digest), line: entry.line, stage: entry.stage,
          code: words[Int(entry.code)], path: words[Int(entry.path)], message: words[Int(entry.message)],
          id: entry.id < 0 ? nil : words[Int(entry.id)],
          subject: entry.subject < 0 ? nil : subjects[Int(entry.subject)], input: Array(inputs[start..<entry.inputEnd]),
          inputOmitted: entry.omitted < 0 ? nil : words[Int(entry.omitted)],
          raw: raw.isEmpty ? nil : raw[place]))
      start = entry.inputEnd
    }
  }

  private func digest(at place: Int) -> String? {
    place < 0 ? nil : String(decoding: digests[place..<place + SHA256Stream.digits], as: UTF8.self)
  }
}
