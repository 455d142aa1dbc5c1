import type { RouteSteps, StepSource } from "../api/index.js";
import { type Method, SharedError, isObject, namesCapability } from "../wire/index.js";

/**
 * A warning that a program uses a message that its revision deprecates. It is reported once per message and process.
 */
export class DeprecationWarning extends SharedError {
  static override readonly errorName: string = "DeprecationWarning";
  /** The method of the message, such as `sampling/createMessage`. */
  readonly method: string;

  /**
   * Creates the warning.
   *
   * @param advice - the revision that deprecated the message, and its replacement
   */
  constructor(method: string, advice: string) {
    super(`${method}: ${advice}`);
    this.method = method;
  }
}

const reported = new Set<string>();

/** Reports the first use of a deprecated message in this process, and only that (MCP: deprecated features). */
export function warnIfDeprecated(
  { method, deprecated }: Pick<Method, "method" | "deprecated">,
  report: (error: Error) => void,
): void {
  if (deprecated === undefined || reported.has(method)) return;
  reported.add(method);
  report(new DeprecationWarning(method, deprecated));
}

/**
 * A member of sampling requests. Values other than `none` are deprecated in the revisions in which clients declare
 * support for the member.
 */
const CONTEXT = "includeContext";

/**
 * Creates steps that report sampling requests that ask for the context of MCP servers (MCP: sampling, deprecated
 * features).
 */
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
