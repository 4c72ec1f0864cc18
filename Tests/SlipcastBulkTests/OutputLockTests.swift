import Foundation
import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Two runs never write to the same files.
@Suite struct OutputLockTests {
  @Test func aFileBelongsToOneRunAtATime() async throws {
    try TemporaryFolder.with { folder in
      let first = try FileOutput(folder.path("a.ndjson"), isResumable: true)
      let line = Array("{}\n".utf8)
      try first.write(line.span)
      let states = try first.commit()
      #expect(throws: FileError.self) { try FileOutput(folder.path("a.ndjson")) }
      #expect(throws: FileError.self) {
        let second = try FileOutput(folder.path("a.ndjson"), isResumable: true, resuming: states[0])
        try second.write(line.span)
      }
      try first.finish()
      #expect(try folder.read("a.ndjson") == line)
      // What is finished is let go of.
      let third = try FileOutput(folder.path("a.ndjson"))
      try third.finish()
      #expect(try folder.read("a.ndjson") == [])
    }
  }

  /// A program that starts another one shares its open files with it, until that one has become itself.
  @Test func aFileThatIsLetGoOfSoonIsWaitedFor() async throws {
    try TemporaryFolder.with { folder in
      let other = try Platform.create(folder.path("a.ndjson.part"))
      // A separate thread: tasks may wait for each other.
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 0.02)
        Platform.close(other)
      }
      let output = try FileOutput(folder.path("a.ndjson"))
      try output.finish()
      #expect(try folder.read("a.ndjson") == [])
    }
  }

  @Test func aFolderBelongsToOneRunAtATime() async throws {
    try TemporaryFolder.with { folder in
      let first = try SplitOutput(folder.path("out"), compression: .none, isResumable: false)
      #expect(throws: FileError.self) {
        try SplitOutput(folder.path("out"), compression: .none, isResumable: false)
      }
      try first.finish()
      _ = try SplitOutput(folder.path("out"), compression: .none, isResumable: false)
    }
  }
}
