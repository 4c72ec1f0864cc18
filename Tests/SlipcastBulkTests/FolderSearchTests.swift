import Foundation
import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A directory's content cannot add other inputs, and every skipped file is reported.
@Suite struct FolderSearchTests {
  private func search(_ folder: TemporaryFolder, _ patterns: [String] = ["*.json"]) throws -> (
    files: [String], passedOver: [String]
  ) {
    let found = try InputFile.search([folder.path("in")], patterns: patterns)
    let short = { (path: String) in path.replacing(folder.path("in") + "/", with: "") }
    return (found.files.map { short($0.path) }, found.passedOver.map { "\(short($0.path)) \($0.reason)" })
  }

  @Test func linksOutOfTheDirectoryArePassedOverAndTold() async throws {
    try TemporaryFolder.with { folder in
      for name in ["in/a/real.json", "secret.json", "inner/b.json"] { try folder.write(name) }
      try folder.link("in/inside.json", to: "a/real.json")
      try folder.link("in/a/up.json", to: "../a/../inside.json")
      try folder.link("in/out.json", to: "../secret.json")
      try folder.link("in/absolute.json", to: folder.path("secret.json"))
      try folder.link("in/second.json", to: "out.json")
      try folder.link("in/neighbour.json", to: folder.path("inner/b.json"))
      try folder.link("in/out.txt", to: "../secret.json")
      let found = try search(folder)
      #expect(found.files == ["a/real.json", "a/up.json", "inside.json"])
      #expect(found.passedOver == ["absolute.json link", "neighbour.json link", "out.json link", "second.json link"])
    }
  }

  @Test func extensionsCountInUpperCaseToo() async throws {
    try TemporaryFolder.with { folder in
      for name in ["in/A.JSON", "in/b.Csv.GZ", "in/NOTES.DOC"] { try folder.write(name) }
      let found = try search(folder, InputFile.patterns)
      #expect(found.files == ["A.JSON", "b.Csv.GZ"] && found.passedOver == ["NOTES.DOC otherName"])
      // A pattern of a user means what it says.
      #expect(try search(folder, ["*.json", "*.JSON"]).files == ["A.JSON"])
      #expect(try search(folder, ["*.json"]).files.isEmpty)
    }
  }

  @Test func aDirectoryThatIsItselfALinkIsReadWhole() async throws {
    try TemporaryFolder.with { folder in
      for name in ["real/a.json", "b.json"] { try folder.write(name) }
      try folder.link("real/c.json", to: "a.json")
      try folder.link("real/d.json", to: "../b.json")
      try folder.link("in", to: "real")
      let found = try search(folder)
      #expect(found.files == ["a.json", "c.json"] && found.passedOver == ["d.json link"])
    }
  }

  @Test func linksToFoldersAndToNothingAreTold() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("in/a/b.json")
      try folder.link("in/folder", to: "a")
      try folder.link("in/a/self", to: ".")
      try folder.link("in/gone.json", to: "nowhere")
      try folder.link("in/gone.txt", to: "nowhere")
      try folder.link("in/one.json", to: "two.json")
      try folder.link("in/two.json", to: "one.json")
      let found = try search(folder)
      #expect(found.files == ["a/b.json"])
      #expect(
        found.passedOver == [
          "a/self folderLink", "folder folderLink", "gone.json deadLink", "one.json deadLink", "two.json deadLink",
        ])
    }
  }

  /// To open a pipe would wait for ever, and a device never ends.
  @Test func whatIsNoFileIsNotOpened() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("in/a.json")
      try #require(mkfifo(folder.path("in/pipe.json"), 0o600) == 0)
      try folder.link("in/zero.json", to: "/dev/zero")
      try folder.link("in/piped.json", to: "pipe.json")
      let found = try search(folder)
      #expect(found.files == ["a.json"])
      #expect(found.passedOver == ["pipe.json noFile", "piped.json noFile", "zero.json noFile"])
    }
  }

  @Test func aNameThatIsNoTextIsToldWithTheWayOut() async throws {
    try TemporaryFolder.with { folder in
      try folder.makeFolder("in")
      let path = Array((folder.path("in") + "/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
      let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
      // Some file systems take no such names.
      guard descriptor >= 0 else { return }
      close(descriptor)
      let error = #expect(throws: FileError.self) { try search(folder) }
      #expect(error?.description.contains("not UTF-8; rename it") == true)
    }
  }
}
