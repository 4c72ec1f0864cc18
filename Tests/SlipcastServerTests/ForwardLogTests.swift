import SlipcastBulk
import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastServer

/// What a forward remembers over a crash.
@Suite struct ForwardLogTests {
  @Test func aCrashLosesNothingThatWasNoted() async throws {
    try await Temporary.file("") { path in
      Platform.remove(path)
      do {
        var log = try ForwardLog(path, of: "service", start: 4)
        try log.noteDelivered(5)
        try log.noteWaiting(ForwardLog.Waiting(number: 6, attempts: 1, time: 100))
        try log.noteWaiting(ForwardLog.Waiting(number: 7, attempts: 2, time: 200))
        try log.noteUndelivered(8)
        try log.noteWaiting(ForwardLog.Waiting(number: 9, attempts: 1, time: 300))
        try log.noteDelivered(9)
      }
      // The last line was cut off by the crash.
      let descriptor = try Platform.append(to: path)
      try Platform.write(descriptor, Array("d".utf8), path: path)
      Platform.close(descriptor)
      for _ in 0..<2 {
        let log = try ForwardLog(path, of: "service", start: 0)
        let (position, undelivered) = (log.position, log.undelivered)
        let waiting = log.waiting.values.sorted { $0.number < $1.number }
        #expect(position == 9 && undelivered == [8])
        #expect(waiting.map(\.number) == [6, 7] && waiting.map(\.attempts) == [1, 2])
        #expect(waiting.map(\.time) == [100, 200])
      }
    }
  }

  @Test func aLongFileIsWrittenAnewWithItsLastLine() async throws {
    try await Temporary.file("") { path in
      Platform.remove(path)
      do {
        var log = try ForwardLog(path, of: "service", start: 0)
        for number in 1...Int64(100_000) { try log.noteDelivered(number) }
        try log.noteWaiting(ForwardLog.Waiting(number: 100_001, attempts: 1, time: 100))
      }
      #expect(Platform.size(path) ?? 0 < 100)
      let log = try ForwardLog(path, of: "service", start: 0)
      let (position, waiting) = (log.position, log.waiting.count)
      #expect(position == 100_001 && waiting == 1)
    }
  }

  /// Only a kill may end the file within a line; anything else was not written by a forward.
  @Test func everyOtherChangeIsRefused() async throws {
    try await Temporary.file("") { path in
      Platform.remove(path)
      do {
        var log = try ForwardLog(path, of: "service", start: 4)
        try log.noteDelivered(5)
        try log.noteUndelivered(6)
      }
      let whole = try Platform.contents(of: path, limit: 1000)
      func open(_ bytes: [UInt8], of identity: String = "service") throws -> Int64 {
        Platform.remove(path)
        let descriptor = try Platform.create(path)
        try Platform.write(descriptor, bytes, path: path)
        Platform.close(descriptor)
        return try ForwardLog(path, of: identity, start: 100).position
      }
      #expect(try open(whole) == 6)
      #expect(throws: FileError.self) { try open(whole, of: "another service") }
      let lines = whole.split(separator: 0x0A).map { Array($0) + [0x0A] }
      #expect(throws: FileError.self) { try open([]) }
      #expect(throws: FileError.self) { try open(lines[0] + lines[2]) }
      #expect(throws: FileError.self) { try open(lines[0] + lines[2] + lines[1]) }
      #expect(throws: FileError.self) { try open(lines[1] + lines[2]) }
      for place in whole.indices.dropLast() {
        var changed = whole
        changed[place] ^= 1
        #expect(throws: FileError.self, "byte \(place)") { try open(changed) }
      }
      // A new forward would begin at 100, and lose the events before.
      for count in 0..<lines[0].count { #expect(throws: FileError.self) { try open(Array(whole.prefix(count))) } }
      for count in lines[0].count..<whole.count { #expect(try open(Array(whole.prefix(count))) <= 6) }
    }
  }
}
