internal import SlipcastBulk

/// What a forward has delivered, and what it must try again; kept in a file of short lines.
///
/// `d N`: delivered or settled. `w N ATTEMPTS TIME`: waits for its next attempt (milliseconds since 1970). `u N`: undelivered.
/// The file is not forced to disk: after a power failure a consumer may receive events again, which it must expect anyway.
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

  /// Reads the file, or begins one.
  ///
  /// - Parameter start: the position of a new forward.
  /// - Throws: `BulkError`.
  init(_ path: String, start: Int64) throws(BulkError) {
    (self.path, state) = (path, State(position: start))
    if Platform.kind(path) == .file {
      // The last line may be incomplete after a crash.
      var window = try TextWindow(InputFile(path: path))
      while let line = try window.nextWholeLine() { state.apply(String(decoding: window.text[line], as: UTF8.self)) }
    }
    descriptor = try Self.rewrite(path, state)
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

    mutating func apply(_ line: String) {
      let words = line.split(separator: " ")
      guard words.count >= 2, let number = Int64(words[1]) else { return }
      switch (words[0], words.count) {
      case ("p", 2): position = number
      case ("d", 2):
        waiting[number] = nil
        undelivered.remove(number)
      case ("u", 2):
        waiting[number] = nil
        undelivered.insert(number)
      case ("w", 4):
        guard let attempts = Int(words[2]), let time = Int64(words[3]) else { return }
        undelivered.remove(number)
        waiting[number] = Waiting(number: number, attempts: attempts, time: time)
      default: return
      }
      position = max(position, number)
    }
  }

  private static func rewrite(_ path: String, _ state: State) throws(BulkError) -> Int32 {
    var text = "p \(state.position)\n"
    for event in state.waiting.values { text += event.line + "\n" }
    for number in state.undelivered { text += "u \(number)\n" }
    let name = path + ".new"
    let descriptor = try Platform.create(name)
    do throws(BulkError) {
      try Platform.write(descriptor, Array(text.utf8), path: name)
      try Platform.rename(name, to: path)
    } catch {
      Platform.close(descriptor)
      throw error
    }
    return descriptor
  }

  private mutating func note(_ line: String) throws(BulkError) {
    try Platform.write(descriptor, Array((line + "\n").utf8), path: path)
    state.apply(line)
    lines += 1
    guard lines > 100_000 else { return }
    let fresh = try Self.rewrite(path, state)
    Platform.close(descriptor)
    (descriptor, lines) = (fresh, 0)
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

  mutating func noteDelivered(_ number: Int64) throws(BulkError) { try note("d \(number)") }

  mutating func noteUndelivered(_ number: Int64) throws(BulkError) { try note("u \(number)") }

  mutating func noteWaiting(_ event: Waiting) throws(BulkError) {
    try note(event.line)
    note(subscription: event.subscription, of: event.number)
  }
}
