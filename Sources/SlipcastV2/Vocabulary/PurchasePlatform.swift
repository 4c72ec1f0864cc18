/// The platform on which the customer first got the app.
///
/// Source: App Store Server API, originalPlatform.
public enum PurchasePlatform: String, CaseIterable, Hashable, Sendable {
  /// iOS or iPadOS.
  case iOS
  /// macOS.
  case macOS
  /// tvOS.
  case tvOS
  /// visionOS.
  case visionOS
}
