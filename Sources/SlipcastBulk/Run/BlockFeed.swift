import SlipcastSystem

/// Returns the blocks of all sources, one after another.
struct BlockFeed {
  enum Step {
    /// The block was filled with records of that text.
    case block(name: String)
    /// A text has ended; this number of bytes after its last record belongs to no block.
    case end(name: String, bytes: Int)
    case finished
  }

  private let sources: [RecordSource]
  private let options: BulkOptions
  private var position = RunPosition()
  private var members: SourceMembers?
  private var reader: (any BlockSource)?
  private var name = ""
  private var rows: (any RowFeed)?
  private let page = RowPage()
  /// The source broke between two of its texts.
  private var isBroken = false
  /// Bytes of the sources that were read completely.
  private var rawBytesBefore = 0

  init(_ sources: [RecordSource], _ options: BulkOptions) {
    self.sources = sources
    self.options = options
  }

  /// The start of the next block; the ledger sets the count of records.
  var here: RunPosition {
    var here = position
    here.place = reader?.state.description ?? rows.map { $0.position ?? Self.nowhere }
    return here
  }

  /// The position between rows that have no order to resume in.
  static let nowhere = ""

  /// Bytes read from the files so far, compressed ones where they are compressed.
  var rawBytes: Int { rawBytesBefore + (members?.rawOffset ?? 0) }

  mutating func next(_ block: Block) throws -> Step {
    while true {
      if isBroken {
        isBroken = false
        return .end(name: name, bytes: 0)
      }
      if let reader {
        if try reader.fill(block) { return filled(block) }
        self.reader = nil
        position.isBehindMember = true
        return .end(name: name, bytes: reader.remainder)
      }
      if let rows {
        if try fill(block, from: rows) { return filled(block) }
        self.rows = nil
        position.isBehindMember = true
        return .end(name: name, bytes: 0)
      }
      guard try openNext(block) else { return .finished }
      if isBroken { return filled(block) }
    }
  }

  private func filled(_ block: Block) -> Step {
    block.pointers = pointers(of: block.source)
    return .block(name: name)
  }

  private func pointers(of source: Int) -> RowPointers { sources[source].pointers ?? options.pointers }

  /// Moves to the next text; false after the last one.
  private mutating func openNext(_ block: Block) throws -> Bool {
    block.clear()
    while true {
      if let members {
        if try openMember(of: members, block) { return true }
        try nextSource()
      } else if position.isBehindMember {
        try nextSource()
      }
      guard position.source < sources.count else { return false }
      switch sources[position.source] {
      case .rows(let feed, _):
        (rows, name) = (feed, feed.name)
        return true
      case .file(let file, let patterns):
        name = file.path
        members = try SourceMembers(file, patterns: patterns, isHashed: options.digests != nil)
      }
    }
  }

  private mutating func nextSource() throws(FileError) {
    if let digests = options.digests, let digest = try members?.digest() { digests[position.source] = digest }
    rawBytesBefore += members?.rawOffset ?? 0
    members = nil
    position = RunPosition(source: position.source + 1)
  }

  /// False when the source has no more texts; a source that breaks here returns one block that reports it.
  private mutating func openMember(of members: SourceMembers, _ block: Block) throws -> Bool {
    do throws(FileError) {
      guard let member = try members.next() else { return false }
      if position.isBehindMember {
        position.member += 1
        position.isBehindMember = false
      }
      name = member.name
      if member.refusal != nil {
        reader = blocks(of: member)
      } else if case .file(let file, _) = sources[position.source], let part = file.journal {
        reader = JournalLines(member, part, source: position.source, limit: options.recordBytes)
      } else if case .file(let file, _) = sources[position.source], file.table.isLog {
        reader = LogReader(member, file.table, source: position.source, limit: options.recordBytes)
      } else if case .file(let file, _) = sources[position.source], let form = file.table.form(of: member.name) {
        reader = TableReader(
          member, form, source: position.source, limit: options.recordBytes,
          inlining: options.inlines ? pointers(of: position.source).column : nil)
      } else {
        reader = blocks(of: member)
      }
    } catch {
      // An error of the system ends the run; damage ends the source, and the others follow.
      guard error.number == 0 else { throw error }
      name = error.path
      (block.source, block.offset, block.line, block.consumed) = (position.source, 0, 0, 0)
      block.form = .damaged(error.reason)
      isBroken = true
      try nextSource()
    }
    return true
  }

  private func blocks(of member: SourceMembers.Member) -> BlockReader {
    BlockReader(
      member, source: position.source, limit: options.recordBytes, readsAnyBinary: options.readsAnyBinary,
      waits: options.waits)
  }

  private func fill(_ block: Block, from feed: any RowFeed) throws -> Bool {
    page.clear()
    guard try feed.read(into: page) else { return false }
    block.fill(with: page, of: position.source)
    return true
  }

  /// Resumes at the position of an earlier run.
  mutating func resume(at place: RunPosition) throws {
    position = RunPosition(source: place.source)
    guard place.source < sources.count else { return }
    switch sources[place.source] {
    case .rows(let feed, _):
      if place.isBehindMember { return try nextSource() }
      guard place.place != Self.nowhere else { throw Self.unordered(feed) }
      if let key = place.place { try feed.resume(at: key) }
      (rows, name) = (feed, feed.name)
    case .file(let file, let patterns):
      let members = try SourceMembers(file, patterns: patterns)
      self.members = members
      for _ in 0..<(place.isBehindMember ? place.member + 1 : place.member) {
        guard try members.next() != nil else { throw Self.changed(file) }
      }
      position.member = place.member
      position.isBehindMember = place.isBehindMember
      if !place.isBehindMember, let text = place.place {
        guard let state = ReaderState(text), try openMember(of: members, Block(capacity: 64)), let reader else {
          throw Self.changed(file)
        }
        try reader.resume(at: state)
      }
    }
  }

  private static func unordered(_ feed: any RowFeed) -> FileError {
    let reason = "its rows have no known order; start over without --resume, and name a unique column with key=COLUMN"
    return FileError(path: feed.name, doing: "resume", reason: reason)
  }

  private static func changed(_ file: InputFile) -> FileError {
    FileError(
      path: file.path, doing: "resume", reason: "the file changed since the checkpoint; start over without --resume")
  }
}
