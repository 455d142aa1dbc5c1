import {
  allowInsecureRequests,
  type AuthorizationServer,
  customFetch,
  revocationRequest,
} from "oauth4webapi";
import type { KnownClient } from "./options.js";
import type { RegisteredClient } from "./registration.js";
import { authenticationOf } from "./token-endpoint.js";
import type { TokenRecord } from "./tokens.js";

/** Input of a revocation. */
export interface Revocation {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly known: KnownClient | undefined;
  readonly tokens: TokenRecord;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Revokes tokens where the server has an endpoint for it (RFC 7009). A failure changes nothing. */
export async function revoke({
  metadata,
  client,
  known,
  tokens,
  fetch,
}: Revocation): Promise<void> {
  if (metadata.revocation_endpoint === undefined) return;
  const authentication = await authenticationOf({ metadata, client, known });
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true };
  for (const token of [tokens.refreshToken, tokens.accessToken]) {
    if (token === undefined) continue;
    const party = { client_id: client.client_id };
    await revocationRequest(metadata, party, authentication, token, options).catch(() => {});
  }
}
