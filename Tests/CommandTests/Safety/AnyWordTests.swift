import Foundation
import Testing

@testable import SlipcastCommand

/// A word that holds a password and characters that trick a terminal, wherever the command line has room for one.
@Suite struct AnyWordTests {
  static let secret = "SECRET-SLIPCAST"
  /// Locations that are spelled wrong are file names and bad values to the program, which would say them again.
  static let locations =
    [
      "postgress://user:\(secret)@host/shop", "Postgres://user:a@\(secret)@host/shop",
      "mysql://user:\(secret)@host:1/x",
      "postgres://user:x/\(secret)@host/shop", "postgresql://user:my \(secret)@host/shop",
      "postgres://user:\(secret)@localhost:1/shop?table=v1", "postgres://user@localhost:1/shop?password=\(secret)",
      "host=localhost port=1 password=\(secret)", "host=localhost PASSWORD = 'my \(secret)'",
      "postgres://localhost:1/shop?p%61ssword=\(secret)", "postgres://user:\(secret)", "x?sslpassword=\(secret)&y=1",
      "postgres:/user:\(secret)@host/db", "postgres//user:\(secret)@host/db", "postgres:user:\(secret)@host/db",
      "sqlite://user:\(secret)@host?table=x", "postgres://host/db?table=x&pasword=\(secret)", "user:\(secret)@host",
    ] + Misspelling.some(of: 12)

  @Test func everyCommandIsTried() {
    #expect(Set(CommandSweep.operands.keys) == Set(Slipcast.commands.map { $0.description.name }))
  }

  @Test(arguments: Slipcast.commands.map { $0.description.name })
  func noPasswordAndNoTrickComesBack(_ name: String) throws {
    let command = try #require(Slipcast.commands.map { $0.description }.first { $0.name == name })
    try Workplace.with { place in
      try CommandSweep.prepare(place)
      for (number, location) in Self.locations.enumerated() {
        let lines = CommandSweep.lines(command, location + Tricks.text)
        // Each location at some places of each command, and all together at each place.
        for line in lines.enumerated().filter({ $0.offset % Self.locations.count == number }).map(\.element) {
          try check(try place.run(line), line, place)
        }
      }
    }
  }

  private func check(_ run: Program, _ line: [String], _ place: Workplace) throws {
    #expect(!run.errors.contains(Self.secret) && !run.output.contains(Self.secret), "\(line)")
    #expect(Tricks.first(in: run.errors) == nil, "\(line): \(run.errors.debugDescription)")
    #expect(Tricks.first(in: run.output) == nil, "\(line): \(run.output.prefix(2000).debugDescription)")
    #expect(run.status == 2 || run.status == 0 || run.status == 1)
  }

  /// What libpq reads elsewhere stays there.
  @Test func noPasswordOfTheEnvironmentIsSaid() throws {
    try Workplace.with { place in
      try place.copyExample()
      try place.write("in/services", "[shop]\nhost=localhost\nport=1\npassword=\(Self.secret)\nbroken \(Self.secret)\n")
      try place.write("in/passwords", "*:*:*:*:\(Self.secret)\n")
      let environment = [
        "PGPASSWORD": Self.secret, "PGSERVICEFILE": place.url.path + "/in/services",
        "PGPASSFILE": place.url.path + "/in/passwords",
      ]
      for location in ["postgres://localhost:1/shop", "postgres:///?service=shop", "postgres://localhost:1/?sslmode=x"]
      {
        for words in [["--to", location, "--execute", "in/v1.ndjson"], [location + "&table=v1"]] {
          let run = try place.run(["convert"] + words, environment)
          #expect(run.status == 2 && !run.errors.contains(Self.secret), "\(run.errors)")
        }
      }
      #expect(try place.contents().isEmpty)
    }
  }
}
