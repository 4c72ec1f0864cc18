internal import SlipcastNetwork
package import SlipcastSignatures

/// A service that receives notifications from the server.
package struct Forward: Sendable {
  /// What it receives.
  package enum Form: String, CaseIterable, Sendable {
    /// The bytes of the request, unchanged.
    case raw
    /// V2: Apple's payload, or the converted V1 notification.
    case v2
  }

  package var form: Form
  package var address: String
  /// Signs converted V1 notifications; without it they are sent decoded.
  package var identity: TestIdentity?
  /// Seconds for a whole request.
  package var timeout = 10.0
  /// Seconds from one attempt to the next; after the last one, an event is kept as undelivered.
  package var retrySeconds = [3600, 43_200, 86_400, 172_800, 259_200]
  /// Tries undelivered events again on start.
  package var redelivers = false

  /// What it is called, and recognized by after a restart: the address without what may be secret, which may change.
  private(set) var name: String

  package init(_ form: Form, _ address: String) {
    (self.form, self.address) = (form, address)
    name = "\(form.rawValue)=\(HTTPClient.shown(address))"
  }

  /// Gives services that differ in their user or query only names of their own.
  package static func distinguish(_ forwards: inout [Forward]) {
    var counts: [String: Int] = [:]
    for place in forwards.indices {
      let name = forwards[place].name
      counts[name, default: 0] += 1
      if let count = counts[name], count > 1 { forwards[place].name += " (\(count))" }
    }
  }
}
