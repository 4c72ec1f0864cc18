// One import for everything that a service needs to convert single records: models, rules, converter.
@_exported import SlipcastComparison
@_exported import SlipcastLegacy
@_exported import SlipcastMapping
@_exported import SlipcastV2
@_exported import SlipcastWire
