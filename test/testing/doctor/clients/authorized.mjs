// Clients that follow the redirect of an authorization server without a browser: ours, and those of the official SDK.
// Usage: authorized.mjs ours|v1|v2 URL
import { oauth, redirect } from "@mcp-codegen/auth/client";
import { connect } from "@mcp-codegen/universal/client";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [, , which, address] = process.argv;
const url = new URL(address);
const redirectUrl = "http://127.0.0.1:3999/callback";

/** Follows a redirect as a browser would. */
const visit = async (target) =>
  (await fetch(target, { redirect: "manual" })).headers.get("location");

if (which === "ours") {
  const auth = oauth({ authorize: redirect({ redirectUri: redirectUrl, visit }), onwarning() {} });
  const client = await connect(url, { auth, onerror: () => {}, timeout: 3_000 });
  for await (const { name } of client.tools()) {
    if (name === "echo") await client.callTool(name, { text: "hello" });
  }
  await client.close();
  process.exit(0);
}

const saved = {};
const provider = {
  redirectUrl,
  clientMetadata: {
    client_name: "Official",
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
  },
  state: () => crypto.randomUUID(),
  clientInformation: () => saved.client,
  saveClientInformation: (client) => void (saved.client = client),
  tokens: () => saved.tokens,
  saveTokens: (tokens) => void (saved.tokens = tokens),
  codeVerifier: () => saved.verifier,
  saveCodeVerifier: (verifier) => void (saved.verifier = verifier),
  async redirectToAuthorization(target) {
    saved.state = target.searchParams.get("state");
    saved.back = new URL(await visit(target));
  },
};

const [Client, Http, options] =
  which === "v1"
    ? [ClientV1, HttpV1, {}]
    : [ClientV2, HttpV2, { versionNegotiation: { mode: { pin: "2026-07-28" } } }];

let transport;
async function authorized(act) {
  try {
    return await act();
  } catch (error) {
    if (error.constructor.name !== "UnauthorizedError") throw error;
    const { searchParams: back } = saved.back;
    // The SDK leaves the state to its user.
    if (back.get("state") !== saved.state) process.exit(1);
    await transport.finishAuth(back.get("code"), back.get("iss") ?? undefined);
    return act();
  }
}
let client;
await authorized(() => {
  transport = new Http(url, { authProvider: provider });
  client = new Client({ name: "official", version: "1.0.0" }, options);
  return client.connect(transport);
});
await authorized(() => client.listTools());
await authorized(() => client.callTool({ name: "echo", arguments: { text: "hello" } }));
await transport.terminateSession?.();
await client.close();
process.exit(0);
