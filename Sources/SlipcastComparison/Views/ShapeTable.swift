internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// The shapes of a run, each once; shared by all workers.
package final class ShapeTable: Sendable {
  private struct State {
    var numbers: [[UInt8]: UInt32] = [:]
    var shapes: [EventShape] = []
    var events: [EventName: Int] = [:]
    var bytes = 0
  }

  /// Honest archives have some hundreds; an archive that has more carries them in its images.
  private static let mostBytes = 16 << 20
  /// Stands for a shape that the image carries itself.
  static let carried = UInt32.max

  private let state = Mutex(State())

  package init() {}

  /// The number of a shape; `carried` when the table is full.
  func number(of bytes: JSONText) -> UInt32 {
    let key = Array(bytes.buffer)
    return state.withLock { state in
      if let known = state.numbers[key] { return known }
      guard state.bytes + 4 * key.count < Self.mostBytes else { return Self.carried }
      let number = UInt32(state.shapes.count)
      state.numbers[key] = number
      let shape = ShapeWriter.read(bytes) { event in
        if let known = state.events[event] { return known }
        state.events[event] = state.events.count
        return state.events.count - 1
      }
      state.shapes.append(shape)
      state.bytes += 4 * key.count
      return number
    }
  }

  /// The shape of a number that `number(of:)` gave.
  func shape(_ number: UInt32) -> EventShape { state.withLock { $0.shapes[Int(number)] } }
}
