internal import SlipcastBulk
import SlipcastSystem

/// What a forward has delivered, and what it must try again; kept in a file of short lines.
///
/// `p N`: the position at the beginning. `d N`: delivered or settled. `w N ATTEMPTS TIME`: waits for its next attempt
/// (milliseconds since 1970). `u N`: undelivered. Each line ends with the checksum of a `LineChain`. What is appended is not
/// forced to disk: after a power failure a consumer may receive events again, which it must expect anyway.
struct ForwardLog: ~Copyable {
  struct Waiting: Hashable {
    var number: Int64
    var attempts: Int
    /// Milliseconds since 1970 UTC.
    var time: Int64
    /// Its subscription; `nil` until it is known.
    var subscription: String?

    fileprivate var line: String { "w \(number) \(attempts) \(time)" }
  }

  private var state: State
  private let path: String
  private var descriptor: Int32
  private var lines = 0
  private let identity: String
  private var chain: LineChain

  /// Reads the file, or begins one.
  ///
  /// - Parameters:
  ///   - identity: the journal and the service that it belongs to.
  ///   - start: the position of a new forward.
  /// - Throws: `FileError` for a file that was changed, or is that of another journal or service.
  init(_ path: String, of identity: String, start: Int64) throws(FileError) {
    let isNew = Platform.kind(path) == .nothing
    let found = isNew ? State(position: start) : try Self.read(path, identity)
    let file = try Self.rewrite(path, identity, found)
    (self.path, self.identity, state) = (path, identity, found)
    (descriptor, chain) = file
  }

  private static func read(_ path: String, _ identity: String) throws(FileError) -> State {
    let advice = "restore it from a copy, or delete it to deliver all events again"
    var (state, chain, number) = (State(position: 0), LineChain(identity), 0)
    // The last line may be incomplete after a crash.
    var window = try TextWindow(InputFile(path: path))
    while let line = try window.nextWholeLine() {
      number += 1
      let text = window.text[line]
      let content = text.dropLast(LineChain.digits + 1)
      guard text.dropFirst(content.count).elementsEqual(" \(chain.sum(content.span))".utf8),
        state.apply(String(decoding: content, as: UTF8.self), isFirst: number == 1)
      else { throw LineChain.damage(path, line: number, advice: advice) }
    }
    guard number > 0 else {
      throw FileError(path: path, doing: "continue from", reason: "it is empty or cut; \(advice)")
    }
    return state
  }

  deinit { Platform.close(descriptor) }

  /// All events up to this one are delivered, waiting, or undelivered.
  var position: Int64 { state.position }
  var waiting: [Int64: Waiting] { state.waiting }
  var undelivered: Set<Int64> { state.undelivered }

  private struct State {
    var position: Int64
    var waiting: [Int64: Waiting] = [:]
    var undelivered: Set<Int64> = []

    /// - Returns: false for a line that cannot be read.
    mutating func apply(_ line: String, isFirst: Bool = false) -> Bool {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count >= 2, let number = Int64(words[1]), isFirst == (words[0] == "p") else { return false }
      switch (words[0], words.count) {
      case ("p", 2): position = number
      case ("d", 2):
        waiting[number] = nil
        undelivered.remove(number)
      case ("u", 2):
        waiting[number] = nil
        undelivered.insert(number)
      case ("w", 4):
        guard let attempts = Int(words[2]), let time = Int64(words[3]) else { return false }
        undelivered.remove(number)
        waiting[number] = Waiting(number: number, attempts: attempts, time: time)
      default: return false
      }
      position = max(position, number)
      return true
    }
  }

  private static func text(_ line: String, _ chain: inout LineChain) -> [UInt8] {
    let content = Array(line.utf8)
    return content + Array(" \(chain.sum(content.span))\n".utf8)
  }

  private static func rewrite(
    _ path: String, _ identity: String, _ state: State
  ) throws(FileError) -> (Int32, LineChain) {
    var chain = LineChain(identity)
    var bytes = text("p \(state.position)", &chain)
    for event in state.waiting.values { bytes += text(event.line, &chain) }
    for number in state.undelivered { bytes += text("u \(number)", &chain) }
    let name = path + ".new"
    let descriptor = try Platform.create(name)
    do throws(FileError) {
      try Platform.write(descriptor, bytes, path: name)
      // An empty file would have no position.
      try Platform.synchronize(descriptor, path: name)
      try Platform.rename(name, to: path)
    } catch {
      Platform.close(descriptor)
      throw error
    }
    return (descriptor, chain)
  }

  private mutating func note(_ line: String) throws(FileError) {
    var next = chain
    try Platform.write(descriptor, Self.text(line, &next), path: path)
    chain = next
    _ = state.apply(line)
    lines += 1
    guard lines > 100_000 else { return }
    let fresh = try Self.rewrite(path, identity, state)
    Platform.close(descriptor)
    (descriptor, chain, lines) = (fresh.0, fresh.1, 0)
  }

  /// Notes the subscription of a waiting event, which the file does not contain.
  mutating func note(subscription: String?, of number: Int64) { state.waiting[number]?.subscription = subscription }

  /// Lets no event wait longer than from now on.
  ///
  /// - Parameter latest: the latest time of the next attempt, by the number of attempts before.
  mutating func limitTimes(_ latest: (_ attempts: Int) -> Int64) {
    for (number, event) in waiting { state.waiting[number]?.time = min(event.time, latest(event.attempts)) }
  }

  /// Lets an event wait for an earlier one of its subscription; the file does not contain this.
  mutating func postpone(_ number: Int64, to time: Int64) { state.waiting[number]?.time = time }

  mutating func noteDelivered(_ number: Int64) throws(FileError) { try note("d \(number)") }

  mutating func noteUndelivered(_ number: Int64) throws(FileError) { try note("u \(number)") }

  mutating func noteWaiting(_ event: Waiting) throws(FileError) {
    try note(event.line)
    note(subscription: event.subscription, of: event.number)
  }
}
