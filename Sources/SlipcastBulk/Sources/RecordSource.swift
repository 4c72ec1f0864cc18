/// A source of records for a run.
package enum RecordSource {
  /// A file, compressed or archived or neither; the patterns choose among the files of an archive.
  case file(InputFile, patterns: [String] = [])
  /// Rows of a database; the pointers lead into their bodies.
  case rows(any RowFeed, pointers: RowPointers? = nil)

  package var name: String {
    switch self {
    case .file(let file, _): file.path
    case .rows(let feed, _): feed.name
    }
  }

  /// What its rows have where; `nil`: what the options of the run say.
  package var pointers: RowPointers? {
    switch self {
    case .file(let file, _): file.pointers
    case .rows(_, let pointers): pointers
    }
  }
}

/// A position between two blocks of a run, where it can be resumed.
package struct RunPosition: Hashable, Sendable {
  /// The source, as an index in the list of sources.
  package var source = 0
  /// The text inside the source, counted from 0: a file of an archive.
  package var member = 0
  /// Earlier records of that text, or earlier rows.
  package var records = 0
  /// The position of its reader: a `ReaderState`, or the key of a row; `nil` before the first block.
  package var place: String?
  /// The text has been read to its end.
  package var isBehindMember = false
  /// How far the block that begins there was read: a `WalkerPlace`; `nil`: not at all.
  package var part: String?
}
