import type { RouteSteps, Session, StepSource } from "../api/index.js";
import {
  METHOD_NOT_FOUND,
  type Method,
  type Revision,
  RpcError,
  inLieuOf,
  isObject,
  namesCapability,
} from "../wire/index.js";

/** Refuses results of an extension that the client has not declared (MCP: extensions). */
export const extensionRules: StepSource = ({
  revision,
  direction,
  row,
}): RouteSteps | undefined => {
  if (direction === "out" || row.inLieu === undefined) return undefined;
  return {
    writeResult(result, { session }) {
      const inLieu = inLieuOf(row, result);
      if (inLieu === undefined || declaredSettings(session, inLieu.extension)) return result;
      throw extensionRequired(`the result of ${row.method}`, inLieu.extension, revision);
    },
  };
};

/** Settings that the peer has declared for an extension; undefined if it has not declared the extension. */
export function declaredSettings(
  { peer }: Session,
  id: string,
): Readonly<Record<string, unknown>> | undefined {
  const { extensions } = peer.capabilities;
  const settings =
    isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}

/**
 * Refusal of what needs an extension that the client has not declared.
 * @param what - is refused: `"maps/find"`
 */
export function extensionRequired(what: string, id: string, { errorCodes }: Revision): RpcError {
  const code = errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  const text = `${what} is for clients that declare the extension "${id}"`;
  return code === undefined
    ? new RpcError(METHOD_NOT_FOUND, `Method not found: ${text}`)
    : new RpcError(code, text, { requiredCapabilities: { extensions: { [id]: {} } } });
}

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
  { method, deprecated }: Pick<Method, "method" | "deprecated">,
  report: (error: Error) => void,
): void {
  if (deprecated === undefined || told.has(method)) return;
  told.add(method);
  report(new DeprecationWarning(method, deprecated));
}

/** Member of requests to the client's model whose values are deprecated where clients declare that they honour it. */
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
