import type { Method, Revision } from "../../wire/index.js";

/** The row of what a server can ask inside a result; undefined for anything else. */
export function embeddedRow({ methods }: Revision, method: string): Method | undefined {
  const row = methods.get(method);
  return row?.channel === "embedded" && row.from !== "client" ? row : undefined;
}
