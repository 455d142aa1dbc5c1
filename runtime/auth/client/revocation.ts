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

/**
 * Revokes tokens where the server has an endpoint for it (RFC 7009).
 * @returns true when the server has taken the one that the others hang on
 */
export async function revoke({
  metadata,
  client,
  known,
  tokens,
  fetch,
}: Revocation): Promise<boolean> {
  if (metadata.revocation_endpoint === undefined) return false;
  const authentication = await authenticationOf({ metadata, client, known });
  const options = { [customFetch]: fetch, [allowInsecureRequests]: true };
  const answers: boolean[] = [];
  for (const token of [tokens.refreshToken, tokens.accessToken]) {
    if (token === undefined) continue;
    const party = { client_id: client.client_id };
    const answer = await revocationRequest(metadata, party, authentication, token, options).catch(
      () => undefined,
    );
    answers.push(answer?.ok ?? false);
  }
  return answers[0] ?? false;
}
