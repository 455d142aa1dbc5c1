import type { Auth } from "@mcp-codegen/runtime";
import type { AuthInfo } from "../shared/index.js";

const given = new WeakMap<Auth, AuthInfo>();

/** Authentication of ours for what a verifier of the SDK's shape found; {@link authInfoOf} gives it back. */
export function authOf(info: AuthInfo): Auth {
  const { clientId, scopes, extra } = info;
  const auth: Auth = { principal: clientId, scopes, ...(extra ? { claims: extra } : {}) };
  given.set(auth, info);
  return auth;
}

/** Authentication as handlers of the SDK's shape get it; without the token where no verifier of that shape was asked. */
export function authInfoOf(auth: Auth | undefined): AuthInfo | undefined {
  if (auth === undefined) return undefined;
  const { principal, scopes = [], claims } = auth;
  const known = given.get(auth);
  if (known) return known;
  const clientId = claims?.["client_id"];
  return {
    token: "",
    clientId: typeof clientId === "string" ? clientId : principal,
    scopes: [...scopes],
    ...(claims ? { extra: { ...claims } } : {}),
  };
}
