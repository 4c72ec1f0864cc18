/// How the customer got the product.
///
/// Source: App Store Server Notifications, inAppOwnershipType.
public enum InAppOwnershipType: String, CaseIterable, Hashable, Sendable {
  /// Through Family Sharing.
  case familyShared = "FAMILY_SHARED"
  /// Bought by the customer.
  case purchased = "PURCHASED"
  /// Assigned to the customer by an organization or a group.
  case assigned = "ASSIGNED"
}
