/// The style that all pages share: colors of both schemes, texts, tables and charts.
package enum PageStyle {
  /// The style sheet.
  package static var css: String { String(decoding: PackageResources.page_css, as: UTF8.self) }
}
