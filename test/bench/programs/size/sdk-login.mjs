// The provider that a program writes for the official SDK, as its documentation shows. Everything is kept in memory.
import { redirectUri, visit } from "./visit.mjs";

export class Login {
  redirectUrl = redirectUri;
  clientMetadata = {
    client_name: "player",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  #state = crypto.randomUUID();
  #client;
  #tokens;
  #verifier;
  #discovery;
  #back;

  state() {
    return this.#state;
  }
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client) {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens) {
    this.#tokens = tokens;
  }
  async redirectToAuthorization(url) {
    this.#back = await visit(url);
  }
  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }

  /** Connects, and connects again after the user has logged in. */
  async connect(start) {
    const [client, transport] = start();
    try {
      await client.connect(transport);
      return client;
    } catch (error) {
      if (this.#back === undefined) throw error;
    }
    const parameters = this.#back.searchParams;
    if (parameters.get("state") !== this.#state) throw new Error("The state is another one");
    await transport.finishAuth(parameters.get("code"), parameters.get("iss") ?? undefined);
    const [again, next] = start();
    await again.connect(next);
    return again;
  }
}
