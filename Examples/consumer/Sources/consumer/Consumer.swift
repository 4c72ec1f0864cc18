import Foundation
import SlipcastKit

/// Converts a legacy record; with a second argument, compares the result with that V2 record.
@main struct Consumer {
  static func main() {
    let files = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard let legacy = files.first, files.count <= 2 else {
      print("usage: consumer LEGACY [SERVER]")
      exit(2)
    }
    do {
      let body = [UInt8](try Data(contentsOf: legacy))
      try tellCast(of: body)
      guard files.count == 2 else { return }
      let conflicts = try tellDifferences(of: body, and: [UInt8](try Data(contentsOf: files[1])))
      exit(conflicts == 0 ? 0 : 1)
    } catch {
      print("consumer: \(error)")
      exit(2)
    }
  }

  /// Prints the type of the converted record, its findings, and the values that V2 cannot hold.
  private static func tellCast(of body: [UInt8]) throws {
    let conversion = try LegacyConverter().convert(body)
    switch conversion.value {
    case .notification(let event):
      print("notification", event.notificationType?.rawValue ?? "–", event.subtype?.rawValue ?? "–")
    case .history(let history): print("history of", history.transactions?.count ?? 0, "transactions")
    case .statuses(let statuses): print("statuses of", statuses.data?.count ?? 0, "groups")
    case .appTransaction(let app): print("app transaction of version", app.originalApplicationVersion ?? "–")
    }
    for finding in conversion.findings { print("finding", finding.code, finding.message) }
    for loss in conversion.account.lost { print("loss", loss.v1Path, loss.reason) }
    for value in conversion.account.repeated { print("repeated", value.v1Path, value.heldBy ?? "") }
    for object in conversion.account.elsewhere { print("elsewhere", object.v1Path, object.reason) }
  }

  /// Prints the fields whose meaning differs.
  ///
  /// - Returns: how many of them are conflicts.
  private static func tellDifferences(of legacy: [UInt8], and server: [UInt8]) throws -> Int {
    let comparison = try RecordComparer().compare(legacy: legacy, server: server)
    let told = comparison.fields.filter { $0.differenceClass == .semantic || comparison.fails($0) }
    for field in told { print(field.differenceClass.rawValue, field.path, field.explanation) }
    print("verdict", comparison.verdict.rawValue)
    return comparison.fields.count(where: comparison.fails)
  }
}
