import Foundation
import SlipcastComparison
import SlipcastMapping
import Testing

/// Pairs of archives with one known difference each are red, and pairs with none are green.
///
/// `SLIPCAST_PLANTED=2000` plants so many differences, and a quarter as many pairs without one; `make test-all` does.
@Suite(.serialized) struct PlantedTests {
  static let count = ProcessInfo.processInfo.environment["SLIPCAST_PLANTED"].flatMap { Int($0) } ?? 80

  @Test func everyPlantedDifferenceIsRed() async throws {
    var planter = Planter(seed: 19)
    let planted = try planter.different(Self.count)
    #expect(planted.count >= Self.count)
    for (archives, result) in try await planted.judged() {
      let gates = result.gates.map { "\($0.name): \($0.message)" }
      #expect(result.verdict == .conflict, "\(archives.name): \(gates)")
    }
  }

  /// A value that the rules do not name may be a later word of Apple's for the same fact: it is counted, and fails with
  /// `--strict unknown`.
  @Test func unknownValuesAreCountedAndFailOnRequest() async throws {
    var planter = Planter(seed: 6)
    for (archives, result) in try await planter.unknown(max(20, Self.count / 8)).judged() {
      let path = try #require(archives.path)
      let field = result.fields.first { $0.path == path }
      #expect(field?.count(.unknown) == 1, "\(archives.name)")
      #expect(field?.count(.conflict) == 0 && result.pairs.compared == 3, "\(archives.name)")
      #expect((result.verdict == .conflict) == archives.strict.contains(.unknown), "\(archives.name)")
    }
  }

  @Test func archivesWithoutADifferenceAreGreen() async throws {
    var planter = Planter(seed: 4)
    for (archives, result) in try await planter.equal(max(20, Self.count / 4)).judged() {
      let reasons = result.gates.filter { !$0.holds }.map(\.message)
      let fields = result.fields.filter { $0.count(.conflict) > 0 }.map(\.path)
      #expect(result.verdict == .parity, "\(archives.name): \(reasons) \(fields)")
    }
  }

  /// The events themselves, one by one: what is planted into must be green before.
  @Test(arguments: Customer.fixtures)
  func theEventsAgreeBeforeAnythingIsPlanted(_ fixture: String) async throws {
    let customer = try Customer(fixture, number: 1)
    let archives = PlantedArchives(
      name: fixture, legacy: [try JSONTree.line(customer.v1)], server: [try JSONTree.line(customer.v2)])
    let result = try await archives.judge()
    #expect(result.verdict == .parity, "\(result.gates.filter { !$0.holds }.map(\.message))")
    #expect(customer.time > 0 && result.pairs.matched == 1)
  }
}
