internal import SlipcastBulk

/// Finds the source of a record by its number in the archive.
struct RecordPlaces {
  /// Where the records of a source begin: the number of records before them in the archive, and in the source.
  private struct Part {
    var before: Int
    var source: String
    var beforeInSource: Int
  }

  private var parts: [Part] = []

  mutating func add(_ block: BlockLocation, before: Int) {
    let name = InputFile.title(block.name)
    if let last = parts.last, last.source == name, last.before - last.beforeInSource == before - block.before { return }
    parts.append(Part(before: before, source: name, beforeInSource: block.before))
  }

  /// - Parameter record: counted from 1 through all sources.
  func find(_ record: Int) -> (source: String, record: Int) {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].before < record { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return ("", record) }
    let part = parts[low - 1]
    return (part.source, record - part.before + part.beforeInSource)
  }
}
