/// The server environment that signed the data.
///
/// Apple's servers send the first two only.
///
/// Source: App Store Server Notifications, environment.
public enum Environment: String, CaseIterable, Hashable, Sendable {
  /// The test environment; TestFlight counts as Sandbox.
  case sandbox = "Sandbox"
  /// The App Store.
  case production = "Production"
  /// StoreKit testing in Xcode; never signed by Apple.
  case xcode = "Xcode"
  /// Invented for unit tests; never signed by Apple.
  case localTesting = "LocalTesting"
}
