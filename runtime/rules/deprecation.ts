import type { Method } from "../wire/index.js";

/** A message was used that its revision deprecates. Reported once for each message, in each process. */
export class DeprecationWarning extends Error {
  override readonly name = "DeprecationWarning";
  /** Method of the message: `sampling/createMessage`. */
  readonly method: string;

  /** @param advice - since when it is deprecated, and what to use instead */
  constructor(method: string, advice: string) {
    super(`${method}: ${advice}`);
    this.method = method;
  }
}

/** Methods that have been reported. */
const told = new Set<string>();

/** Reports the use of a message that its revision deprecates, the first time (MCP: deprecated features). */
export function warnIfDeprecated(
  { method, deprecated }: Method,
  report: (error: Error) => void,
): void {
  if (deprecated === undefined || told.has(method)) return;
  told.add(method);
  report(new DeprecationWarning(method, deprecated));
}
