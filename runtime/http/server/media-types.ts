/** Kinds of answer that a client accepts. */
export interface AcceptedTypes {
  readonly json: boolean;
  readonly events: boolean;
}

const BOTH: AcceptedTypes = { json: true, events: true };
const NEITHER: AcceptedTypes = { json: false, events: false };

/** Usual spellings of clients that follow the specification. */
const USUAL = new Set([
  "application/json, text/event-stream",
  "text/event-stream, application/json",
  "application/json,text/event-stream",
]);

/** Reads an `Accept` field: the most specific range that matches a type counts, `q=0` refuses (RFC 9110, 12.5.1). */
export function accepted(field: string | undefined): AcceptedTypes {
  if (field === undefined) return NEITHER;
  if (USUAL.has(field)) return BOTH;
  const ranges = new Map<string, boolean>();
  for (const part of field.toLowerCase().split(",")) {
    const [range = "", ...parameters] = part.split(";");
    ranges.set(range.trim(), !parameters.some(isZeroWeight));
  }
  const accepts = (type: string, subtype: string): boolean =>
    ranges.get(`${type}/${subtype}`) ?? ranges.get(`${type}/*`) ?? ranges.get("*/*") ?? false;
  return { json: accepts("application", "json"), events: accepts("text", "event-stream") };
}

function isZeroWeight(parameter: string): boolean {
  return /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter);
}

/**
 * True for a `Content-Type` of JSON in UTF-8, the only encoding of JSON between systems (RFC 8259,
 * section 8.1).
 */
export function isJson(field: string | undefined): boolean {
  if (field === "application/json") return true;
  if (field === undefined) return false;
  const [type, ...parameters] = field.toLowerCase().split(";");
  if (type?.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=", 2);
    return name.trim() !== "charset" || /^\s*("utf-8"|utf-8|"utf8"|utf8)\s*$/.test(value);
  });
}
