import type { Auth } from "@mcp-codegen/runtime";
import type { AuthInfo } from "./auth-info.js";

const infos = new WeakMap<Auth, AuthInfo>();

/** Sender as our runtime knows it; {@link authInfoOf} finds the way back. The token itself stays outside. */
export function authOf(info: AuthInfo): Auth {
  const { clientId, scopes, extra } = info;
  const subject = extra?.["sub"];
  const auth: Auth = {
    principal: JSON.stringify([clientId, ...(typeof subject === "string" ? [subject] : [])]),
    scopes,
    ...(extra === undefined ? {} : { claims: extra }),
  };
  infos.set(auth, info);
  return auth;
}

/** Caller in the SDK's shape; without a token where it was not the SDK's shape that made the sender known. */
export function authInfoOf(auth: Auth | undefined): AuthInfo | undefined {
  if (auth === undefined) return undefined;
  const { principal, scopes = [], claims } = auth;
  return (
    infos.get(auth) ?? {
      token: "",
      clientId: clientOf(claims) ?? principal,
      scopes: [...scopes],
      ...(claims === undefined ? {} : { extra: { ...claims } }),
    }
  );
}

function clientOf(claims: Auth["claims"]): string | undefined {
  const client = claims?.["client_id"] ?? claims?.["azp"];
  return typeof client === "string" ? client : undefined;
}
