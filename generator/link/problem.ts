import type { Span } from "../diagnostics.js";
import type { JsonPath } from "./json-position.js";

/** Problem of a schema or of its facts, before its position is known. */
export interface Problem {
  readonly code: string;
  readonly severity?: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  /** Lines of a schema that would solve the problem. */
  readonly example?: string | undefined;
  /** Place in the schema. */
  readonly span?: Span;
  /** Place in the facts, for problems of the facts. */
  readonly fact?: JsonPath;
  /** Declaration for which an `accepted` fact may cover the problem; without it, the problem cannot be accepted. */
  readonly about?: string;
}
