import type { LoginSteps, TokenStep } from "@mcp-codegen/auth/client";
import type { FetchLike, OAuthClientInformationMixed } from "../shared/index.js";
import { loginErrorOf } from "./login-errors.js";

/** Takes a step; errors are those of the SDK. What OAuth needs is loaded then. */
export async function taken<Outcome>(
  server: string | URL,
  fetchFn: FetchLike | undefined,
  take: (steps: LoginSteps) => Promise<Outcome>,
): Promise<Outcome> {
  const { LoginSteps: Steps } = await import("@mcp-codegen/auth/client");
  try {
    return await take(new Steps(new URL(server), fetchFn ? { fetch: fetchFn } : {}));
  } catch (error) {
    throw loginErrorOf(error);
  }
}

/** A registered client, as token endpoints get to know it. @param given - way to authenticate, whatever was registered */
export function clientOf(
  { client_id, client_secret, ...rest }: OAuthClientInformationMixed,
  given?: string,
): TokenStep["client"] {
  const method =
    given ?? ("token_endpoint_auth_method" in rest ? rest.token_endpoint_auth_method : undefined);
  return {
    client_id,
    ...(client_secret ? { client_secret } : {}),
    ...(method === undefined || !client_secret ? {} : { token_endpoint_auth_method: method }),
  };
}
