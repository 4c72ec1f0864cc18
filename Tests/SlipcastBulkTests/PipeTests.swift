import Foundation
import SlipcastBulk
import SlipcastSystem
import Testing

/// Pipes that never wait: whoever made them wanted that for himself, and hands them on as they are.
@Suite struct PipeTests {
  @Test func readingWaitsForBytesThatAreNotThereYet() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    let writer = Thread { try? pipe.fileHandleForWriting.write(contentsOf: Data("{}".utf8)) }
    writer.start()
    var memory: [UInt8] = [0, 0, 0]
    let got = try Platform.read(descriptor, into: &memory, count: 3, path: "-")
    #expect(got == 2)
    #expect(memory == [0x7B, 0x7D, 0])
  }

  @Test func writingWaitsForRoom() async throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    // A separate thread: writing waits, and would keep a task from ever being started.
    let (read, found) = AsyncStream.makeStream(of: Data.self)
    Thread {
      found.yield(pipe.fileHandleForReading.readDataToEndOfFile())
      found.finish()
    }.start()
    // Far more than any pipe holds.
    let text = [UInt8](repeating: 0x61, count: 4 << 20)
    try Platform.write(descriptor, text.span, path: "-")
    try pipe.fileHandleForWriting.close()
    #expect(await read.reduce(into: Data()) { $0 += $1 } == Data(text))
  }

  @Test func standardStreamsAreCalledWhatTheyAre() {
    #expect(FileError(path: "-", doing: "write", reason: "x").description == "standard output: cannot write: x")
    #expect(FileError(path: "-", doing: "read", reason: "x").description == "standard input: cannot read: x")
    #expect(FileError(path: "a", doing: "read", reason: "x").description == "a: cannot read: x")
  }
}
