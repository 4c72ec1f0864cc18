import Foundation
import SlipcastTestSupport
import Testing

/// A run whose output is deleted or replaced meanwhile ends with status 2, and marks nothing as finished.
@Suite struct VanishedOutputTests {
  /// What another program does to the file `$1`.
  private static let changes = [
    "rm \"$1\"", "rm \"$1\"; echo foreign > \"$1\"", "rm \"$1\"; echo foreign > other; ln -s other \"$1\"",
    "rm \"$1\"; mkdir \"$1\"",
  ]

  /// Runs lines in a folder with a record (`v1.json`) and an archive of it (`a.ndjson`); `during FILE CHANGE` feeds the
  /// archive, and changes a file once it is there.
  private func shell(_ change: String, _ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
    try folder.write("a.ndjson", "\(record)\n{broken\n")
    return try Program.shell(
      """
      cd '\(folder.path)'
      change() { \(change); }
      during() {
        cat a.ndjson
        for i in $(seq 200); do [ -e "$1" ] && break; sleep 0.05; done
        sleep 0.2; change "${2:-$1}"; cat a.ndjson
      }
      \(lines)
      """)
  }

  @Test(arguments: changes, ["--to", "--provenance", "--rejects"])
  func aFileThatIsNotThereAnyMoreIsNoSuccess(_ change: String, _ option: String) throws {
    let run = try shell(
      change,
      """
      during f.part | slipcast convert --quiet --exit-zero - \(option) f > out; echo "status $?"
      ls f 2>&1; [ -f f.part ] && cat f.part
      """)
    #expect(run.output.hasPrefix("status 2\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("'f'") || run.output.contains("f: No such"), "\(run.output)")
    #expect(run.errors.contains("slipcast: f.part: ") && run.errors.contains("run the command again"), "\(run.errors)")
    #expect(!change.contains("echo") || run.output.hasSuffix("foreign\n"), "\(run.output)")
  }

  @Test(arguments: changes, ["0", "16"])
  func aCheckpointDoesNotSayThatItIsFinished(_ change: String, _ every: String) throws {
    let run = try shell(
      change,
      """
      yes "$(cat a.ndjson)" | head -n 4000 > many.ndjson; mkfifo pipe
      during f.part > pipe & slipcast convert --quiet --exit-zero many.ndjson pipe --to f --checkpoint c.json \
        --checkpoint-every \(every); echo "status $?"
      grep -c '"state":"finished"' c.json; ls f 2>&1
      """)
    #expect(run.output.hasPrefix("status 2\n0\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("'f'") || run.output.contains("f: No such"), "\(run.output)")
  }

  @Test(arguments: changes)
  func aPartOfAFolderIsNoticed(_ change: String) throws {
    let run = try shell(
      change,
      """
      name=$(slipcast convert --quiet --exit-zero a.ndjson --split bundle --to names && ls names)
      yes "$(cat a.ndjson)" | head -n 4000 > many.ndjson; mkfifo pipe
      during "out/$name.part" > pipe & slipcast convert --quiet --exit-zero many.ndjson pipe --split bundle --to out \
        --checkpoint c.json --checkpoint-every 0; echo "status $?"; ls out
      """)
    #expect(run.output.hasPrefix("status 2\n"), "\(run.output) \(run.errors)")
    #expect(!run.output.contains(".ndjson\n"), "\(run.output)")
  }

  @Test(arguments: changes)
  func aStoreThatIsNotThereAnyMoreIsNoSuccess(_ change: String) throws {
    let run = try shell(
      change,
      """
      during s.sqlite-journal s.sqlite | slipcast convert --quiet --exit-zero - --to s.sqlite --execute; echo "status $?"
      [ -f s.sqlite ] && cat s.sqlite
      """)
    #expect(run.output.hasPrefix("status 2\n"), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("s.sqlite: ") && run.errors.contains("run the command again"), "\(run.errors)")
    #expect(!change.contains("echo") || run.output.hasSuffix("foreign\n"), "\(run.output)")
  }
}
