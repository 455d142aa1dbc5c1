import type { RouteSteps, Session, StepSource } from "../api/index.js";
import { METHOD_NOT_FOUND, type Revision, RpcError, inLieuOf, isObject } from "../wire/index.js";

/** Refuses to send results of an extension that the client has not declared (MCP: extensions). */
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

export function declaredSettings(
  { peer }: Session,
  id: string,
): Readonly<Record<string, unknown>> | undefined {
  const { extensions } = peer.capabilities;
  const settings =
    isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
  return isObject(settings) ? settings : undefined;
}

export function extensionRequired(what: string, id: string, { errorCodes }: Revision): RpcError {
  const code = errorCodes["MISSING_REQUIRED_CLIENT_CAPABILITY"];
  const text = `${what} is for clients that declare the extension "${id}"`;
  return code === undefined
    ? new RpcError(METHOD_NOT_FOUND, `Method not found: ${text}`)
    : new RpcError(code, text, { requiredCapabilities: { extensions: { [id]: {} } } });
}
