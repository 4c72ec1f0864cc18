internal import SlipcastBulk
package import SlipcastNetwork
package import SlipcastSignatures
import SlipcastSystem

/// A service that receives notifications from the server.
package struct Forward: Sendable {
  /// What it receives.
  package enum Form: String, CaseIterable, Sendable {
    /// The bytes of the request, unchanged.
    case raw
    /// V2: Apple's payload, or the converted V1 notification.
    case v2

    /// `raw=https://host/path`, and a number where that is not enough.
    fileprivate func name(_ address: HTTPAddress, number: Int) -> MaskedName {
      MaskedName(address, after: self == .raw ? "raw=" : "v2=", number: number)
    }
  }

  package var form: Form
  package var address: HTTPAddress
  /// Signs converted V1 notifications; without it they are sent decoded.
  package var identity: TestIdentity?
  /// Seconds for a whole request.
  package var timeout = 10.0
  /// Seconds from one attempt to the next; after the last one, an event is kept as undelivered.
  package var retrySeconds = [3600, 43_200, 86_400, 172_800, 259_200]
  /// Tries undelivered events again on start.
  package var redelivers = false

  /// What it is called: the address without what may be secret, and a number where that is not enough.
  private(set) var name: MaskedName
  /// The addresses of other services that differ in their user or query only.
  private var siblings: [HTTPAddress] = []

  package init(_ form: Form, _ address: HTTPAddress) {
    (self.form, self.address) = (form, address)
    name = form.name(address, number: 1)
  }

  /// Gives services that differ in their user or query only names of their own.
  package static func distinguish(_ forwards: inout [Forward]) {
    let places = Dictionary(grouping: forwards.indices) { forwards[$0].name }.values
    for same in places where same.count > 1 {
      for (number, place) in same.enumerated() {
        forwards[place].siblings = same.filter { $0 != place }.map { forwards[$0].address }
        let forward = forwards[place]
        forwards[place].name = forward.form.name(forward.address, number: number + 1)
      }
    }
  }

  /// What a file that keeps what was delivered belongs to, whatever the user and query of the address are.
  func identity(in journal: String) -> String { "\(journal) \(form.rawValue)=\(address)" }

  /// The file that keeps what was delivered.
  ///
  /// Its name has a part without and one with the user and query, which may change: the only service without a file
  /// continues with the only file without a service.
  func stateFile(in folder: JournalFolder) throws -> String {
    let service = JournalFolder.name(of: "\(form.rawValue)=\(address)")
    func file(_ address: HTTPAddress) -> String {
      folder.checkpoint(of: "\(service)-\(JournalFolder.name(of: "\(form.rawValue)=\(address.secretText)"))") + ".log"
    }
    let own = file(address)
    let taken = siblings.map(file)
    guard Platform.kind(own) == .nothing, taken.allSatisfy({ Platform.kind($0) == .file }) else { return own }
    let left = try Platform.names(in: folder.path).map { "\(folder.path)/\($0)" }.filter {
      $0.hasPrefix(folder.checkpoint(of: "\(service)-").dropLast(".json".count)) && $0.hasSuffix(".json.log")
        && !taken.contains($0)
    }
    if left.count == 1 { try Platform.rename(left[0], to: own) }
    return own
  }
}
