import Foundation
import SlipcastTestSupport
import Testing

/// JSON is data wherever it goes; on a terminal it is spelled so that it does nothing there.
@Suite struct TerminalOutputTests {
  @Test(arguments: ["convert --quiet in/evil.json", "timeline --quiet --format json in/evil.json"])
  func linesOnATerminalMeanTheSameAndAreHarmless(_ line: String) throws {
    try Workplace.with { place in
      let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
      let evil = "\u{9B}2J\u{7F}\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0041}"
      try place.write("in/evil.json", record.replacing("com.example.slipcast", with: evil))
      let run = try place.shell(
        """
        slipcast \(line) > piped
        python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' '\(Program.path)' \(line) > shown
        python3 - <<'END'
        import json
        piped, shown = (open(name, newline="").read() for name in ("piped", "shown"))
        print(json.loads(piped.splitlines()[0]) == json.loads(shown.splitlines()[0]) != {})
        END
        """)
      let read = { try String(contentsOf: place.url.appendingPathComponent($0), encoding: .utf8) }
      let (piped, shown) = (try read("piped"), try read("shown"))
      #expect(run.output == "True\n", "\(run.errors)")
      #expect(piped.contains(evil))
      #expect(Tricks.first(in: shown.replacing("\r\n", with: "\n")) == nil, "\(shown.debugDescription)")
    }
  }
}
