import SlipcastBulk
import SlipcastSystem
import SlipcastTestSupport
import Testing

@Suite struct InputFileTests {
  private func names(_ folder: TemporaryFolder, _ paths: [String] = [""], patterns: [String]? = nil) throws -> [String]
  {
    let full = paths.map { $0 == "-" ? $0 : folder.path($0) }
    let files = try patterns.map { try InputFile.find(full, patterns: $0) } ?? InputFile.find(full)
    return files.map { $0.path.replacing(folder.path() + "/", with: "") }
  }

  @Test func filesOfAFolderComeInTheOrderOfTheBytesOfTheirNames() async throws {
    try TemporaryFolder.with { folder in
      let sorted = [
        "10.json", "9.json", "B.json", "a/b/c.jsonl", "a/z.json", "a.json", "a.ndjson", "b.json", "é.json", "😀.json",
      ]
      for name in sorted.shuffled() { try folder.write(name) }
      #expect(try names(folder) == sorted)
    }
  }

  @Test func onlyNamesThatFitAPatternAreTaken() async throws {
    try TemporaryFolder.with { folder in
      for name in [
        "a.json", "b.JSON", "c.txt", "d.jsonl", "e.ndjson", "f.json.gz", "g", "h.json/i.json", "h.json/j.txt",
      ] {
        try folder.write(name)
      }
      #expect(try names(folder) == ["a.json", "b.JSON", "d.jsonl", "e.ndjson", "f.json.gz", "h.json/i.json"])
      #expect(try names(folder, patterns: ["*.txt", "?"]) == ["c.txt", "g", "h.json/j.txt"])
      #expect(try names(folder, patterns: ["[ab].*"]) == ["a.json", "b.JSON"])
      #expect(try names(folder, patterns: []) == [])
    }
  }

  @Test func hiddenFilesAndFoldersAreLeftOut() async throws {
    try TemporaryFolder.with { folder in
      for name in [".a.json", ".git/b.json", "c/.d.json", "c/e.json"] { try folder.write(name) }
      #expect(try names(folder) == ["c/e.json"])
      #expect(try names(folder, [".a.json"]) == [".a.json"])
      #expect(try names(folder, [".git"]) == [".git/b.json"])
    }
  }

  @Test func linksToFilesOfTheDirectoryAreFollowedAndLinksToFoldersAreNot() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("a/real.json")
      try folder.link("file.json", to: "a/real.json")
      try folder.link("folder", to: "a")
      try folder.link("folder.json", to: "a")
      try folder.link("gone.json", to: "nowhere")
      #expect(try names(folder) == ["a/real.json", "file.json"])
      #expect(try names(folder, ["folder"]) == ["folder/real.json"])
    }
  }

  @Test func linksInACircleDoNotHang() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("a/b.json")
      try folder.link("a/up", to: "..")
      try folder.link("a/self", to: ".")
      try folder.link("one.json", to: "two.json")
      try folder.link("two.json", to: "one.json")
      #expect(try names(folder) == ["a/b.json"])
      #expect(throws: FileError.self) { try InputFile.find([folder.path("one.json")]) }
    }
  }

  @Test func namedFilesAreTakenAsTheyAreInTheirOrder() async throws {
    try TemporaryFolder.with { folder in
      for name in ["b.txt", "a.json", "c/d.json"] { try folder.write(name) }
      #expect(
        try names(folder, ["b.txt", "-", "c", "a.json", "a.json"]) == ["b.txt", "-", "c/d.json", "a.json", "a.json"])
      #expect(try InputFile.find(["-"]) == [.standardInput])
      #expect(try InputFile.find([]) == [])
    }
  }

  @Test func aFolderNamedWithASlashGivesPlainPaths() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("a.json")
      try folder.makeFolder("empty")
      #expect(try InputFile.find([folder.path() + "/"]).map(\.path) == [folder.path("a.json")])
      #expect(try names(folder, ["empty"]) == [])
    }
  }

  @Test func aMissingFileIsAnErrorThatNamesIt() async throws {
    try TemporaryFolder.with { folder in
      let path = folder.path("missing.json")
      let error = #expect(throws: FileError.self) { try InputFile.find([folder.path(), path]) }
      #expect(error?.path == path)
      #expect(error?.description == "\(path): cannot open: No such file or directory")
      #expect(error?.isClosedPipe == false)
    }
  }

  @Test func aFileThatIsGoneWhenTheRunComesToItIsAnError() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("a.json", Sample.line(1))
      for jobs in [1, 4] {
        await #expect(throws: FileError.self) {
          try await Runs.convert(files: [folder.path("a.json"), folder.path("gone.json")]) { $0.jobs = jobs }
        }
      }
    }
  }

  @Test func twoPathsToOneFileAreTheSame() async throws {
    try TemporaryFolder.with { folder in
      for name in ["a.json", "b/c.json"] { try folder.write(name) }
      try folder.link("link.json", to: "a.json")
      #expect(InputFile.isSame(folder.path("a.json"), folder.path("b") + "/../a.json"))
      #expect(InputFile.isSame(folder.path("link.json"), folder.path("a.json")))
      #expect(!InputFile.isSame(folder.path("a.json"), folder.path("b/c.json")))
      #expect(!InputFile.isSame(folder.path("a.json"), folder.path("gone.json")))
    }
  }

  @Test func aFolderCannotBeReadAsAFile() async throws {
    try await TemporaryFolder.with { folder in
      let error = await #expect(throws: FileError.self) { try await Runs.convert(files: [folder.path()]) }
      #expect(error?.action == "read")
    }
  }
}
