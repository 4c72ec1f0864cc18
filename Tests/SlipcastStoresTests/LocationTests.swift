import Foundation
import Testing

@testable import SlipcastStores

@Suite struct LocationTests {
  @Test func aFileIsAStore() throws {
    let location = try StoreLocation("sqlite:shop.sqlite")
    #expect(location.isStore && location.engine == .sqlite(path: "shop.sqlite"))
    #expect(location.description == "sqlite:shop.sqlite")
    #expect(try StoreLocation("shop.db").engine == .sqlite(path: "shop.db"))
    #expect(try StoreLocation("sqlite:///var/shop.db").engine == .sqlite(path: "/var/shop.db"))
  }

  @Test func parametersNameTheRowsAndTheirColumns() throws {
    let location = try StoreLocation("sqlite:my%20shop.db?table=v1%26x&key=id&body=payload&received-at=at")
    var expected = StoreLocation.Selection(.table("v1&x"))
    (expected.key, expected.body, expected.receivedAt) = ("id", "payload", "at")
    #expect(location.selection == expected)
    #expect(location.engine == .sqlite(path: "my shop.db"))
    #expect(location.description == "sqlite:my shop.db?table=v1&x")
  }

  @Test func theBodyStandsInBodyUnlessToldOtherwise() throws {
    let selection = try StoreLocation("sqlite:a.db?table=t").selection
    #expect(selection?.body == "body" && selection?.key == nil && selection?.receivedAt == nil)
  }

  @Test func aQueryIsKeptAsItIsAndNotShown() throws {
    let location = try StoreLocation("sqlite:a.db?query=SELECT%20*%20FROM%20t%20WHERE%20a%3D'x%26y'&key=id")
    #expect(location.selection?.origin == .query("SELECT * FROM t WHERE a='x&y'"))
    #expect(location.description == "sqlite:a.db?query")
  }

  @Test func whatIsNotOursGoesToLibpq() throws {
    let location = try StoreLocation(
      "postgres://shop@db.example:6000/live?sslmode=require&table=shop.v1&options=-csearch_path%3Da")
    #expect(
      location.engine
        == .postgreSQL(
          ConnectionText(uri: "postgres://shop@db.example:6000/live?sslmode=require&options=-csearch_path%3Da")))
    #expect(location.description == "postgresql://shop@db.example:6000/live?table=shop.v1")
  }

  @Test(arguments: [
    "postgres://u:secret@h/d", "postgresql://u:sec%40secret@h/d?table=t", "postgres://h/d?password=secret&user=u",
    "postgres://u@h/d?password=secret", "postgres://u@h/d?sslpassword=secret", "postgresql:///d?user=u&password=secret",
  ])
  func aPasswordIsNeverShown(_ text: String) throws {
    let location = try StoreLocation(text)
    var dumped = ""
    dump(location, to: &dumped)
    #expect(!"\(location) \(location.engine) \(String(reflecting: location)) \(dumped)".contains("secret"))
  }

  @Test(arguments: [
    "postgres://u:se@secret@h/d", "postgres://u:se/secret@h/d", "postgres://u:se?secret@h/d",
    "postgres://u:%secret@h/d",
    "postgres://u:se?secret=1@h/d", "postgres://u:secret@h:port/d", "sqlite:a.db?table=postgres://u:secret@h/d",
    "://u:secret@h/d", "postgres://h/d\0://u:secret@h", "sqlite:a.db?table=x: //u:secret@h",
    "postgres://h/d?table=x://%3A//u:secret@h",
    "sqlite:a.db?password%zz=secret",
  ])
  func aPasswordThatIsSpelledWrongIsNotShownEither(_ text: String) throws {
    let error = #expect(throws: StoreError.self) { try StoreLocation(text) }
    #expect(error?.kind == .badLocation)
    #expect(error?.description.contains("secret@") == false && error?.description.contains("secret=1") == false)
  }

  @Test(arguments: [
    ("sqlite:", "names no file"), ("sqlite:a.db?tabel=t", "did you mean table?"),
    ("sqlite:a.db?key=id", "no table is named"), ("sqlite:a.db?table=a&query=b", "both table and query"),
    ("sqlite:a.db?table=", "table is empty"), ("sqlite:a.db?table=a&table=b", "given twice"),
    ("sqlite:a%zz.db", "two hexadecimal digits"), ("postgres://h/d?ssl-mode=on", "did you mean sslmode?"),
    ("", "empty"),
  ])
  func mistakesAreToldWithTheWayOut(_ text: String, _ words: String) throws {
    let error = #expect(throws: StoreError.self) { try StoreLocation(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func aLocationIsRecognisedByItsBeginningItsEndingOrItsBytes() throws {
    try Samples.withFolder { folder in
      #expect(StoreLocation.isLocation("sqlite:x") && StoreLocation.isLocation("postgres://h/d"))
      #expect(StoreLocation.isLocation("new.sqlite") && StoreLocation.isLocation(folder + "/new.db"))
      #expect(StoreLocation.isLocation("NEW.SQLITE") && StoreLocation.isTarget("new.Db"))
      #expect(!StoreLocation.isLocation("archive.ndjson") && !StoreLocation.isLocation(folder))
      let path = folder + "/archive"
      try Data(StoreFile.header + [0]).write(to: URL(fileURLWithPath: path))
      #expect(StoreLocation.isLocation(path))
      try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
      #expect(!StoreLocation.isLocation(path))
    }
  }
}
