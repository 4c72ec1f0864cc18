internal import SlipcastReports

/// The files that pages refer to.
enum PageAssets {
  static var css: String { PageStyle.css + text(PackageResources.ui_css) }
  static var script: String { text(PackageResources.ui_js) }
  static var icon: String { text(PackageResources.icon_svg) }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
