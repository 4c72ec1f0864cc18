package enum Release {
  /// A semantic version (semver.org, 2.0.0).
  package static let version = "0.1.0"
  /// When this version was made; the manual page shows it.
  package static let date = "2026-11-22"
}
