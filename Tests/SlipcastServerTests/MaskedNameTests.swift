import SlipcastBulk
import SlipcastNetwork
import SlipcastStores
import Testing

@testable import SlipcastServer

/// The name of a target shows no password, however it is printed.
@Suite struct MaskedNameTests {
  private func printed(_ state: DeliveryState) -> String {
    var dumped = ""
    dump(state, to: &dumped)
    return "\(state)\(String(reflecting: state))\(state.name)\(String(reflecting: state.name))" + dumped
  }

  @Test(arguments: [
    "postgres:/user:HUNTER2@db/shop", "u:HUNTER2@db/shop.ndjson", "./u:HUNTER2@db/shop", "host=db password=HUNTER2",
    "sqlite:a.db?password=HUNTER2", "x://HUNTER2", "out.ndjson?token=HUNTER2",
  ])
  func aPathLikeALocationIsShownAsADigest(_ path: String) {
    for target in [RunTarget.file(path), .table(path), .folder(path, by: .date)] {
      #expect(!printed(DeliveryState(name: target.name)).contains("HUNTER2"))
      #expect(target.name != RunTarget.file(path + "x").name)
    }
  }

  @Test func locationsAreShownWithoutTheirSecrets() throws {
    let store = RunTarget.store(try StoreLocation("postgresql://user:HUNTER2@db/shop"))
    #expect("\(store.name)" == "postgresql://user@db/shop")
    #expect(!printed(DeliveryState(name: store.name)).contains("HUNTER2"))
    let address = try #require(HTTPAddress("https://user:HUNTER2@example.com/a?token=HUNTER2"))
    let forward = Forward(.raw, address)
    #expect("\(forward.name)" == "raw=https://example.com/a")
    #expect(!printed(DeliveryState(name: forward.name)).contains("HUNTER2"))
  }

  @Test func otherPathsAreShownAsTheyAre() {
    #expect("\(RunTarget.file("out/2022.ndjson").name)" == "out/2022.ndjson")
    #expect("\(RunTarget.standardOutput.name)" == "")
  }
}
