package import SlipcastSystem
internal import Synchronization

/// Bodies to send, in an unnamed file; their places are in memory, 24 bytes for each.
package final class ReplaySpool: Sendable {
  private struct Place: Sendable {
    var source: Int32
    var record: Int32
    var offset: Int
    var count: Int32
  }

  private struct State: Sendable {
    var places: [Place] = []
    var sources: [String] = []
    var end = 0
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  package init() throws(FileError) { descriptor = try Platform.unnamedFile() }

  deinit { Platform.close(descriptor) }

  package var count: Int { state.withLock(\.places.count) }
  package var bytes: Int { state.withLock(\.end) }

  package func append(_ body: Span<UInt8>, source: String, record: Int) throws(FileError) {
    try Platform.write(descriptor, body, path: "temporary file")
    state.withLock { state in
      if state.sources.last != source { state.sources.append(source) }
      state.places.append(
        Place(
          source: Int32(state.sources.count - 1), record: Int32(truncatingIfNeeded: record), offset: state.end,
          count: Int32(body.count)))
      state.end += body.count
    }
  }

  package func body(_ index: Int) throws(FileError) -> [UInt8] {
    let place = state.withLock { $0.places[index] }
    return try Platform.read(descriptor, at: place.offset, count: Int(place.count))
  }

  /// The source of a body, and its record number there, from 1.
  package func origin(_ index: Int) -> (source: String, record: Int) {
    state.withLock { state in
      let place = state.places[index]
      return (state.sources[Int(place.source)], Int(place.record))
    }
  }
}
