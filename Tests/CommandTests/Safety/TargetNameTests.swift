import Testing

@testable import SlipcastCommand

/// A misspelled location is not taken for the name of a file, which reports would show.
@Suite struct TargetNameTests {
  @Test(arguments: [
    "postgres:/user:HUNTER2@db/shop", "postgres:user:HUNTER2@db/shop", "postgres:HUNTER2", "Postgres://u:HUNTER2@db/x",
    "postgre://u:HUNTER2@db/x", "postgressql:/u:HUNTER2@db", "mysql:/u:HUNTER2@db", "sqlite:postgres://u:HUNTER2@db/x",
    "sqlite:a.db?password=HUNTER2", "u:HUNTER2@db/shop.ndjson", "./u:HUNTER2@db/shop", "host=db password=HUNTER2",
    "host=db,pwd=HUNTER2", "jdbc:postgresql://db/x?password=HUNTER2", "http:/u:HUNTER2@a/x.ndjson",
    "redis:HUNTER2", "mongodb+srv://u:HUNTER2@db", "postgresq:u:HUNTER2@db.sqlite", "x://HUNTER2",
    "out.ndjson?token=HUNTER2", "out?sslpassword=HUNTER2",
  ])
  func aNameLikeALocationIsRefusedWithoutBeingRepeated(_ name: String) throws {
    let error = try #require(throws: UsageError.self) { try TargetName.check(name) }
    #expect(!"\(error)".contains("HUNTER2"))
    // The whole command agrees, for each command with such a target.
    for command in ["convert in/v1.ndjson --to", "serve --listen 127.0.0.1:0 --journal j --to"] {
      try Workplace.with { place in
        try place.copyExample()
        let run = try place.shell("slipcast \(command) '\(name)'; echo status $?")
        #expect(run.output.contains("status 2"), "\(command) \(name)")
        #expect(!run.output.contains("HUNTER2") && !run.errors.contains("HUNTER2"))
        #expect(try place.listing().allSatisfy { !$0.contains("HUNTER2") })
      }
    }
  }

  @Test(arguments: [
    "out.ndjson", "a:b.ndjson", "2022-01-01T10:00:00.ndjson", "password.ndjson", "shared-secret/out.ndjson",
    "a@b.ndjson",
    "/data/a=b.ndjson", "sqlite:a.sqlite", "sqlite:/data/a@b.db", "postgres://u:p@db/shop",
    "postgresql://db/shop?user=x",
    "./postgres:x.ndjson", "out/", "postgres.ndjson", "C:/data/out.ndjson",
  ])
  func namesOfFilesAndWellSpelledLocationsAreTaken(_ name: String) throws { try TargetName.check(name) }
}
