import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct RowTests {
  private func rows(_ location: String, _ parameters: String) throws -> any RowFeed {
    try Store.rows(try StoreLocation(location.with(parameters)))
  }

  @Test(arguments: Database.present)
  func rowsOfATableComeInTheOrderOfTheirKey(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute(
        """
        CREATE TABLE v1 (id integer, body text, at bigint); INSERT INTO v1 VALUES
        (10, '{"a":1}', 1500000000000), (9, NULL, NULL), (100, '', 1500000000)
        """, at: text)
      let feed = try rows(text, "table=v1&key=id&received-at=at")
      #expect(!feed.holdsConverted && feed.name.hasSuffix("table=v1"))
      let page = try feed.readAll()
      #expect(page.rows.map(\.id) == ["9", "10", "100"])
      #expect(page.rows.map(\.isNull) == [true, false, false])
      #expect(page.rows.map(\.receivedAt) == [nil, 1_500_000_000_000, 1_500_000_000_000])
      #expect(page.rows.map(\.isTimeUnreadable) == [true, false, false])
      #expect(page.body(1) == "{\"a\":1}" && page.body(2).isEmpty)
    }
  }

  @Test(arguments: Database.present)
  func withoutAKeyAllRowsComeAndThereIsNoPosition(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute("CREATE TABLE v1 (body text); INSERT INTO v1 VALUES ('a'), ('b'), (NULL)", at: text)
      let feed = try rows(text, "table=v1")
      #expect(try feed.readAll().rows.count == 3)
      #expect(feed.position == nil)
      #expect(throws: StoreError.self) { try feed.resume(at: "1") }
    }
  }

  /// `parity` reads an archive a second time for its samples.
  @Test(arguments: Database.present, ["table=v1", "table=v1&key=id", "query=SELECT * FROM v1 WHERE id <> 5"])
  func rowsComeInTheSameOrderASecondTime(_ database: Database, _ parameters: String) throws {
    try database.withEmpty { text in
      try database.execute("CREATE TABLE v1 (id integer, body text)", at: text)
      let values = (1...500).map { "(\($0 * 7919 % 503), 'body \($0)')" }.joined(separator: ", ")
      try database.execute("INSERT INTO v1 VALUES \(values)", at: text)
      let feed = try rows(text, parameters)
      let first = try feed.readAll()
      // What comes in between belongs to another snapshot.
      if database != .sqlite { try database.execute("DELETE FROM v1 WHERE id < 100", at: text) }
      try feed.rewind()
      let second = try feed.readAll()
      #expect(first.rows.count > 490 && first.bytes == second.bytes)
      #expect(first.rows.map(\.id) == second.rows.map(\.id))
    }
  }

  @Test(arguments: Database.present)
  func aQueryGivesRowsToo(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute("CREATE TABLE v1 (id integer, x text); INSERT INTO v1 VALUES (1, 'a'), (2, 'b')", at: text)
      let feed = try rows(text, "query=SELECT id, x AS json FROM v1 WHERE id > 1 -- the second;%0A ; &body=json&key=id")
      let page = try feed.readAll()
      #expect(page.rows.map(\.id) == ["2"] && page.body(0) == "b")
    }
  }

  @Test(arguments: Database.present)
  func aPositionLeadsToTheRowBehindIt(_ database: Database) throws {
    for (type, values) in [
      ("integer", ["-5", "3", "20"]), ("text", ["'A''x'", "'B'", "'é'"]),
      ("double precision", ["0.1", "0.30000000000000004", "1e300"]),
    ] {
      try database.withEmpty { text in
        let list = values.reversed().map { "(\($0), '\($0.replacing("'", with: ""))')" }.joined(separator: ", ")
        try database.execute("CREATE TABLE v1 (k \(type), body text); INSERT INTO v1 VALUES \(list)", at: text)
        let all = try rows(text, "table=v1&key=k").readAll()
        let first = try rows(text, "query=SELECT * FROM v1 ORDER BY k LIMIT 2&key=k")
        _ = try first.readAll()
        let rest = try rows(text, "table=v1&key=k")
        try rest.resume(at: try #require(first.position))
        let page = try rest.readAll()
        #expect(page.rows.map(\.id) == [all.rows[2].id])
        #expect(page.body(0) == all.body(2))
      }
    }
  }

  @Test(arguments: Database.present)
  func keysThatAreMissingOrComeTwiceAreAnErrorBeforeARowIsLost(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute(
        "CREATE TABLE v1 (k integer, n integer, body text); INSERT INTO v1 VALUES (1, 1, 'a'), (1, NULL, 'b')", at: text
      )
      let twice = #expect(throws: StoreError.self) { try rows(text, "table=v1&key=k").readAll() }
      #expect(twice?.kind == .badKey && twice?.reason.contains("same key") == true)
      let null = #expect(throws: StoreError.self) { try rows(text, "table=v1&key=n").readAll() }
      #expect(null?.kind == .badKey && null?.reason.contains("NULL") == true)
    }
  }

  @Test(arguments: Database.present)
  func namesThatAreNotThereAreToldAtOnce(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute("CREATE TABLE v1 (id integer, body text)", at: text)
      for parameters in ["table=v2", "table=v1&body=bodi", "table=v1&key=i%22d", "query=SELEC", "query="] {
        #expect(throws: StoreError.self) { try rows(text, parameters) }
      }
    }
  }

  @Test(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set"))
  func aNameThatPostgreSQLFoldedIsToldWithTheWayOut() throws {
    try Database.postgreSQL.withEmpty { text in
      try Database.postgreSQL.execute("CREATE TABLE v1 (Id integer, body text)", at: text)
      let error = #expect(throws: StoreError.self) { try rows(text, "table=v1&key=Id") }
      #expect(error?.advice.contains("lower case") == true)
    }
  }

  @Test(arguments: Database.present)
  func strangeNamesAreQuoted(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute(
        "CREATE TABLE \"Order \"\"x\" (\"select\" integer, \"the body\" text); INSERT INTO \"Order \"\"x\" VALUES (1, 'a')",
        at: text)
      let page = try rows(text, "table=Order%20%22x&key=select&body=the%20body").readAll()
      #expect(page.rows.map(\.id) == ["1"] && page.body(0) == "a")
    }
  }

  @Test(arguments: Database.present)
  func pagesEndAtAboutAMebibyteAndLoseNothing(_ database: Database) throws {
    try database.withEmpty { text in
      let big = database == .sqlite ? "hex(zeroblob(400000))" : "repeat('0', 800000)"
      let numbers = (1...5).map { "(\($0), \(big))" }.joined(separator: ", ")
      try database.execute("CREATE TABLE v1 (id integer, body text); INSERT INTO v1 VALUES \(numbers)", at: text)
      let feed = try rows(text, "table=v1&key=id")
      let page = RowPage()
      var counts: [Int] = []
      while try feed.read(into: page) {
        counts.append(page.rows.count)
        page.clear()
      }
      #expect(counts == [2, 2, 1])
    }
  }

  @Test func bytesOfABlobComeAsTheyAre() throws {
    try Database.sqlite.withEmpty { text in
      try Database.sqlite.execute(
        "CREATE TABLE v1 (id blob, body blob); INSERT INTO v1 VALUES (x'00FF', x'30820001')", at: text)
      let feed = try rows(text, "table=v1&key=id")
      let page = try feed.readAll()
      #expect(page.bytes == [0x30, 0x82, 0, 1] && page.rows.first?.id == "00FF")
      let rest = try rows(text, "table=v1&key=id")
      try rest.resume(at: try #require(feed.position))
      #expect(try rest.readAll().rows.isEmpty)
    }
  }

  @Test(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set"))
  func everyTypeOfPostgreSQLThatHoldsABodyATimeOrAKeyIsRead() throws {
    let uuid = "7f1f0a52-0c4e-4f0e-9d3c-0d6a7f3a5e11"
    for (type, body) in [("text", "{\"a\":1}"), ("json", "{\"a\":1}"), ("jsonb", "{\"a\": 1}"), ("bytea", "{\"a\":1}")]
    {
      try Database.postgreSQL.withEmpty { text in
        let value = type == "bytea" ? "convert_to('\(body)', 'UTF8')" : "'\(body)'"
        try Database.postgreSQL.execute(
          """
          CREATE TABLE v1 (id uuid, body \(type), a timestamptz, b timestamp, c date, d text, e timestamptz);
          INSERT INTO v1 VALUES ('\(uuid)', \(value), '2022-05-01 12:00:00.25+02', '2022-05-01 10:00:00.25', '2022-05-01',
          '2022-05-01T10:00:00Z', 'infinity')
          """, at: text)
        for (column, time) in [
          ("a", 1_651_399_200_250), ("b", 1_651_399_200_250), ("c", 1_651_363_200_000), ("d", 1_651_399_200_000),
          ("e", nil),
        ] as [(String, Int64?)] {
          let page = try rows(text, "table=v1&key=id&received-at=\(column)").readAll()
          #expect(page.body(0) == body && page.rows[0].id == uuid)
          #expect(page.rows[0].receivedAt == time && page.rows[0].isTimeUnreadable == (time == nil))
        }
        for key in ["id", "a", "b", "c"] {
          let feed = try rows(text, "table=v1&key=\(key)")
          _ = try feed.readAll()
          let rest = try rows(text, "table=v1&key=\(key)")
          try rest.resume(at: try #require(feed.position))
          #expect(try rest.readAll().rows.isEmpty)
        }
      }
    }
  }

  @Test(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set"))
  func aTableOfAnotherSchemaIsNamedWithIt() throws {
    try Database.postgreSQL.withEmpty { text in
      try Database.postgreSQL.execute("CREATE TABLE v1 (body text); INSERT INTO v1 VALUES ('a')", at: text)
      let schema = try #require(try Database.postgreSQL.query("SELECT current_schema()", at: text).first ?? nil)
      let server = try #require(Database.server)
      #expect(try rows(server, "table=\(schema).v1").readAll().rows.count == 1)
    }
  }
}
