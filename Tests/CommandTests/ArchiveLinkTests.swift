import Foundation
import SlipcastTestSupport
import Testing

/// A link in an archive is another name of a file: that file is read once, by whichever name was asked for, or it is told
/// why it was not.
@Suite struct ArchiveLinkTests {
  /// Makes `a.tar` with the members that lines of Python add; `file`, `hard` and `soft` add one.
  private func shell(_ members: String, _ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
    try folder.write("v1.json", "\(record)\n")
    let script = """
      import io, tarfile
      data = open("v1.json", "rb").read()
      tar = tarfile.open("a.tar", "w", format=tarfile.PAX_FORMAT)
      def add(name, kind, target="", text=b""):
          entry = tarfile.TarInfo(name); entry.type = kind; entry.linkname = target; entry.size = len(text)
          tar.addfile(entry, io.BytesIO(text))
      def file(name, text=data): add(name, tarfile.REGTYPE, text=text)
      def hard(name, target): add(name, tarfile.LNKTYPE, target)
      def soft(name, target): add(name, tarfile.SYMTYPE, target)
      \(members)
      tar.close()
      """
    try folder.write("pack.py", script)
    return try Program.shell(
      """
      cd '\(folder.path)'; python3 pack.py; gzip -k a.tar
      tar cf outer.tar a.tar.gz v1.json
      \(lines)
      """)
  }

  @Test(
    arguments: [
      ("file('data/a.bin'); hard('data/b.json', 'data/a.bin')", 1),
      ("file('data/a.bin'); soft('data/b.json', 'a.bin')", 1),
      ("soft('b.json', './data/x/../a.bin'); file('data/a.bin')", 1),
      ("file('a.bin'); hard('b.bin', 'a.bin'); soft('x/c.json', '../b.bin')", 1),
      ("file('a.bin'); hard('b.json', 'a.bin'); hard('c.json', 'a.bin'); soft('d.json', 'c.json')", 1),
      ("file('a.json'); hard('b.json', 'a.json'); soft('c.json', 'a.json')", 1),
      ("file('a.json'); file('x.bin'); hard('b.json', 'x.bin')", 2),
      ("file('.hidden.json'); hard('b.json', '.hidden.json')", 1),
      ("file('2024/a.json'); soft('latest.json', '2024')", 1),
    ], ["a.tar", "a.tar.gz", "outer.tar"])
  func aLinkIsReadOnceWhereItsFileIsInTheArchive(_ sample: (members: String, records: Int), _ name: String) throws {
    let run = try shell(
      sample.members,
      """
      slipcast convert --quiet --include '*.json' --include '*.tar.gz' \(name) > out; echo "status $?"; wc -l < out
      """)
    let records = sample.records + (name == "outer.tar" ? 1 : 0)
    #expect(run.output == "status 0\n\(records)\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: [
    "soft('b.json', '/etc/passwd')", "soft('b.json', '../outside.json')", "soft('b.json', 'missing.json')",
    "hard('b.json', 'missing.json')", "soft('b.json', 'c.json'); soft('c.json', 'b.json')",
    "soft('../b.json', 'a.json')",
  ])
  func aLinkThatLeadsOutIsRejected(_ members: String) throws {
    let run = try shell(
      "file('a.json'); " + members,
      """
      slipcast convert --quiet --include '*.json' a.tar --rejects r.ndjson > out; echo "status $?"; wc -l < out
      cat r.ndjson
      """)
    #expect(run.output.hasPrefix("status 1\n1\n"), "\(run.output) \(run.errors)")
    #expect(
      run.output.contains("a.tar!") && run.output.contains("b.json\"") && run.output.contains("link"), "\(run.output)")
  }

  /// What comes through a pipe cannot be read twice.
  @Test func aLinkInAPipeIsToldWhereItsFileHasPassed() throws {
    let run = try shell(
      "file('a.bin'); hard('b.json', 'a.bin'); file('c.json'); hard('d.json', 'c.json')",
      """
      slipcast convert --include '*.json' - < a.tar > out; echo "status $?"; wc -l < out
      """)
    #expect(run.output == "status 1\n1\n", "\(run.output) \(run.errors)")
    #expect(run.errors.contains("standard input!b.json") || run.errors.contains("-!b.json"), "\(run.errors)")
    #expect(run.errors.contains("save the archive as a file"), "\(run.errors)")
  }

  @Test func aRunGoesOnBehindALink() throws {
    let run = try shell(
      "file('a.bin', data * 2000); file('c.json', data * 2000); hard('b.json', 'a.bin'); hard('d.json', 'c.json')",
      """
      slipcast convert --quiet --include '*.json' a.tar v1.json --to whole
      # Ended after a few blocks, then to the end.
      for i in 1 2 3 4 5 6; do
        timeout -s INT 0.$i slipcast convert --quiet --include '*.json' a.tar v1.json --to f --checkpoint c \
          --checkpoint-every 0 $([ -e c ] && echo --resume) 2> /dev/null
      done
      slipcast convert --quiet --include '*.json' a.tar v1.json --to f --checkpoint c --checkpoint-every 0 --resume
      cmp f whole && echo same; wc -l < f
      """)
    #expect(run.output == "same\n4001\n", "\(run.output) \(run.errors)")
  }
}
