/// A location whose description contains no password and no token.
package protocol MaskedLocation: CustomStringConvertible, Sendable {}
