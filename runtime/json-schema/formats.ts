/**
 * Formats that `jsonSchemas()` checks; others are annotations. The library has more, which it checks slowly or only it
 * knows.
 */
export const CHECKED_FORMATS: ReadonlySet<string> = new Set([
  "date",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "regex",
  "relative-json-pointer",
  "time",
  "uri",
  "uri-reference",
  "uri-template",
  "uuid",
]);
