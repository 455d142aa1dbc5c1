import type { HandlerContext } from "../../api/index.js";
import {
  CapabilityError,
  type DeclaredCapabilities,
  type Method,
  type Revision,
  RpcError,
  missingCapability,
  missingForParams,
} from "../../wire/index.js";
import type { RequestContext } from "../receive/request-context.js";

const CODE = "MISSING_REQUIRED_CLIENT_CAPABILITY";

export function unanswerable(
  row: Method,
  params: unknown,
  { binding, session }: RequestContext,
): RpcError | undefined {
  const declared: DeclaredCapabilities = {
    client: session.peer.capabilities,
    server: binding.capabilities,
  };
  const missing =
    missingCapability(row, "server", declared) ?? missingForParams(row, params, "server", declared);
  return missing === undefined ? undefined : lacking(session.revision, missing);
}

/**
 * Asserts that the client has declared a capability. Call it before a handler starts work that depends on the
 * capability.
 *
 * @param path - the capability, prefixed with its side: `client.sampling`, `client.elicitation.url`
 * @throws RpcError that names the capability if the revision defines an error for this, otherwise a CapabilityError
 */
export function requireCapability({ method, session }: HandlerContext, path: string): void {
  const { revision, peer } = session;
  const row = { capability: path } as Method;
  const declared: DeclaredCapabilities = { client: peer.capabilities, server: {} };
  const missing = missingCapability(row, "server", declared);
  if (missing === undefined) return;
  if (revision.errorCodes[CODE] !== undefined) throw lacking(revision, missing);
  throw new CapabilityError(
    `${method} needs the capability ${missing}, which is not declared`,
    missing,
  );
}

function lacking({ errorCodes }: Revision, missing: string): RpcError {
  const [, ...path] = missing.split(".");
  const requiredCapabilities = path.reduceRight<object>((inner, name) => ({ [name]: inner }), {});
  const text = `Missing required client capability: ${missing} is not declared`;
  return new RpcError(errorCodes[CODE]!, text, { requiredCapabilities });
}
