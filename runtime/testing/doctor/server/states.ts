import { isMembers, parsed } from "../../tape/json-value.js";

/** Text that no server adds to a result of its own accord. */
export const MARK = "mcp-codegen-doctor-changed-this";

/** The maximum number of altered copies of one `requestState`. */
const MOST_STATES = 4;

/**
 * Returns at most {@link MOST_STATES} copies of a `requestState`. Each has {@link MARK} in place of one string or
 * number, or at the end if the state cannot be read. A result that contains {@link MARK} was created from an altered
 * state.
 */
export function alteredStates(state: string): readonly string[] {
  const parts = state.split(".");
  const inParts = parts.flatMap((part, index) =>
    alteredTexts(part).map((text) => parts.with(index, text).join(".")),
  );
  const states = [...new Set([...alteredTexts(state), ...inParts])];
  return states.length > 0 ? states.slice(0, MOST_STATES) : [`${state}${MARK}`];
}

function alteredTexts(text: string): readonly string[] {
  const own = alteredJson(text);
  if (own.length > 0) return own;
  for (const encoding of ["base64", "base64url"] as const) {
    const bytes = Buffer.from(text, encoding);
    const isExact = bytes.toString(encoding).replace(/=+$/, "") === text.replace(/=+$/, "");
    if (!isExact || text.length < 8) continue;
    const decoded = bytes.toString("utf8");
    const encoded = alteredJson(decoded).map((one) => Buffer.from(one).toString(encoding));
    if (encoded.length > 0) return encoded;
  }
  return [];
}

/** Returns copies of a JSON object or array, each with {@link MARK} in place of one string or number. */
function alteredJson(text: string): readonly string[] {
  const value = parsed(text);
  const isStructure = typeof value === "object" && value !== null;
  return isStructure ? alteredValues(value).map((one) => JSON.stringify(one)) : [];
}

function alteredValues(value: unknown): readonly unknown[] {
  if (typeof value === "string" || typeof value === "number") return [MARK];
  if (Array.isArray(value)) {
    return value.flatMap((one, index) =>
      alteredValues(one).map((other) => value.with(index, other)),
    );
  }
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    alteredValues(one).map((other) => ({ ...value, [name]: other })),
  );
}
