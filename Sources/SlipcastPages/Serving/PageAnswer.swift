internal import SlipcastHTTP
internal import SlipcastReports

/// What a view answers.
enum PageAnswer {
  case page(View)
  /// Another address shows it.
  case redirect(String)
  /// A table for spreadsheets: the name of the file, and its text.
  case csv(name: String, text: String)
  /// Nothing has that address.
  case missing(View)
}

/// A page without its frame.
struct View {
  var title: String
  /// The place in the navigation, such as `/archive`; empty for other pages.
  var place = ""
  /// The text in the search box.
  var searched = ""
  /// The content of `main`.
  var body: (Markup) -> Void
}
