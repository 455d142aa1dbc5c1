import type { RouteSteps, StepSource } from "../api/index.js";
import { type Method, SharedError, isObject, namesCapability } from "../wire/index.js";

/** A message was used that its revision deprecates. Reported once per message and process. */
export class DeprecationWarning extends SharedError {
  static override readonly errorName: string = "DeprecationWarning";
  /** Method of the message: `sampling/createMessage`. */
  readonly method: string;

  /** @param advice - revision that deprecated it, and the replacement */
  constructor(method: string, advice: string) {
    super(`${method}: ${advice}`);
    this.method = method;
  }
}

/** Methods that have been reported. */
const reported = new Set<string>();

/** Reports the first use of a message that its revision deprecates (MCP: deprecated features). */
export function warnIfDeprecated(
  { method, deprecated }: Pick<Method, "method" | "deprecated">,
  report: (error: Error) => void,
): void {
  if (deprecated === undefined || reported.has(method)) return;
  reported.add(method);
  report(new DeprecationWarning(method, deprecated));
}

/**
 * Member of sampling requests whose values are deprecated in revisions in which clients declare
 * support for it.
 */
const CONTEXT = "includeContext";

/** Reports requests to add context of MCP servers to a message for the client's model (MCP: sampling, deprecated features). */
export function contextRules(report: (error: Error) => void): StepSource {
  return ({ revision, side, direction, row }): RouteSteps | undefined => {
    if (side !== "server" || direction !== "out" || row.method !== "sampling/createMessage")
      return undefined;
    if (!namesCapability(revision, "client.sampling.context")) return undefined;
    const deprecated = 'includeContext is deprecated: omit it, or send "none"';
    return {
      writeParams(params) {
        const value = isObject(params) ? (params[CONTEXT] ?? "none") : "none";
        const method = `${row.method}: ${CONTEXT}`;
        if (value !== "none") warnIfDeprecated({ method, deprecated }, report);
        return params;
      },
    };
  };
}
