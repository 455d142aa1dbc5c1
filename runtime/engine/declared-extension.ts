import type { Session } from "../api/index.js";
import { METHOD_NOT_FOUND, type Revision, RpcError, isObject } from "../wire/index.js";

/** Settings that the peer has declared for an extension; undefined when it has not declared it. */
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
