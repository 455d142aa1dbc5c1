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
import type { RequestContext } from "./request-context.js";

const CODE = "MISSING_REQUIRED_CLIENT_CAPABILITY";

/**
 * Why a client cannot be asked something; undefined when it can.
 * @param row - what it would be asked
 */
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
 * Makes sure that the client has declared a capability, before a handler does anything that is in vain without it.
 *
 * @param path - starts with whose it is: `client.sampling`, `client.elicitation.url`
 * @throws RpcError that names the capability where the revision has an error for that, a CapabilityError where not
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

/** @param missing - path of a capability of the client, with whose it is */
function lacking({ errorCodes }: Revision, missing: string): RpcError {
  const [, ...path] = missing.split(".");
  const requiredCapabilities = path.reduceRight<object>((inner, name) => ({ [name]: inner }), {});
  const text = `Missing required client capability: ${missing} is not declared`;
  return new RpcError(errorCodes[CODE]!, text, { requiredCapabilities });
}
