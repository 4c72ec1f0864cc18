import Foundation
import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A file that is deleted or replaced while it is written is an error, and what took its place stays as it is.
@Suite struct OutputIdentityTests {
  /// What another program does to a file that is being written.
  enum Change: String, CaseIterable {
    case deleted, replaced, symbolicLink, hardLink, folder, movedAway

    func apply(to name: String, in folder: TemporaryFolder) throws {
      let path = folder.path(name)
      if self == .movedAway { return try FileManager.default.moveItem(atPath: path, toPath: path + ".moved") }
      try FileManager.default.removeItem(atPath: path)
      switch self {
      case .deleted, .movedAway: break
      case .replaced: try folder.write(name, "foreign")
      case .symbolicLink:
        try folder.write("foreign", "foreign")
        try folder.link(name, to: folder.path("foreign"))
      case .hardLink:
        try folder.write("foreign", "foreign")
        try FileManager.default.linkItem(atPath: folder.path("foreign"), toPath: path)
      case .folder: try folder.makeFolder(name)
      }
    }

    /// What is there afterwards is what the other program put there.
    func isUntouched(_ name: String, in folder: TemporaryFolder) throws -> Bool {
      switch self {
      case .deleted, .movedAway: !folder.exists(name)
      case .replaced, .symbolicLink, .hardLink: try folder.read(name) == Array("foreign".utf8)
      case .folder: Platform.kind(folder.path(name)) == .folder
      }
    }
  }

  /// When the change comes.
  enum Moment: CaseIterable { case beforeAnyLine, beforeCommit, afterCommit, afterLastLine }

  private func write(_ text: String, to output: any LineOutput, part: OutputPart = .whole) throws {
    try output.write(Array(text.utf8).span, part: part)
  }

  @Test(arguments: Change.allCases, Moment.allCases)
  func aFileThatVanishesOrIsReplacedIsAnError(_ change: Change, _ moment: Moment) async throws {
    for name in ["a.ndjson", "a.ndjson.gz"] {
      try TemporaryFolder.with { folder in
        let output = try FileOutput(folder.path(name), isResumable: true)
        let part = name + ".part"
        if moment == .beforeAnyLine { try change.apply(to: part, in: folder) }
        let error = #expect(throws: FileError.self) {
          try write("{\"line\":1}\n", to: output)
          if moment == .beforeCommit { try change.apply(to: part, in: folder) }
          _ = try output.commit()
          if moment == .afterCommit { try change.apply(to: part, in: folder) }
          try write("{\"line\":2}\n", to: output)
          if moment == .afterLastLine { try change.apply(to: part, in: folder) }
          try output.finish()
        }
        let words = change == .deleted || change == .movedAway ? "was deleted or moved" : "was replaced"
        #expect(error?.path == folder.path(part))
        #expect(error?.reason.contains(words) == true && error?.reason.contains("run the command again") == true)
        #expect(!folder.exists(name))
        #expect(try change.isUntouched(part, in: folder))
      }
    }
  }

  /// A commit is what a checkpoint relies on.
  @Test(arguments: Change.allCases)
  func aCommitNoticesToo(_ change: Change) async throws {
    try TemporaryFolder.with { folder in
      let output = try FileOutput(folder.path("a.ndjson"), isResumable: true)
      _ = try output.commit()
      try change.apply(to: "a.ndjson.part", in: folder)
      #expect(throws: FileError.self) { try output.commit() }
    }
  }

  @Test(arguments: Change.allCases, [false, true])
  func aPartOfAFolderIsNoticedWhileItIsClosed(_ change: Change, _ isWrittenAgain: Bool) async throws {
    try TemporaryFolder.with { folder in
      let output = try SplitOutput(folder.path("out"), compression: .none, isResumable: true)
      try write("{\"line\":1}\n", to: output, part: OutputPart(name: "a"))
      try write("{\"line\":1}\n", to: output, part: OutputPart(name: "b"))
      _ = try output.commit()
      try change.apply(to: "out/b.ndjson.part", in: folder)
      #expect(throws: FileError.self) {
        if isWrittenAgain { try write("{\"line\":2}\n", to: output, part: OutputPart(name: "b")) }
        _ = try output.commit()
        try output.finish()
      }
      #expect(!folder.exists("out/a.ndjson") && !folder.exists("out/b.ndjson"))
      #expect(try change.isUntouched("out/b.ndjson.part", in: folder))
    }
  }

  /// A resumed run writes to the file whose content was verified.
  @Test(arguments: Change.allCases)
  func aResumedFileIsTheOneThatWasVerified(_ change: Change) async throws {
    try TemporaryFolder.with { folder in
      var first: FileOutput? = try FileOutput(folder.path("a.ndjson"), isResumable: true)
      try write("{\"line\":1}\n", to: try #require(first))
      let states = try #require(try first?.commit())
      first = nil
      let second = try FileOutput(folder.path("a.ndjson"), isResumable: true, resuming: states[0])
      try change.apply(to: "a.ndjson.part", in: folder)
      #expect(throws: FileError.self) {
        try write("{\"line\":2}\n", to: second)
        try second.finish()
      }
      #expect(!folder.exists("a.ndjson"))
      #expect(try change.isUntouched("a.ndjson.part", in: folder))
    }
  }

  @Test func whatHadTheFinalNameIsReplacedAsBefore() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("other", "kept")
      try folder.link("a.ndjson", to: folder.path("other"))
      let output = try FileOutput(folder.path("a.ndjson"))
      try write("{}\n", to: output)
      try output.finish()
      #expect(try folder.read("a.ndjson") == Array("{}\n".utf8))
      #expect(try folder.read("other") == Array("kept".utf8))
    }
  }
}
