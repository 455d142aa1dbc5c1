import { generateKeyPairSync } from "node:crypto";
import {
  clientCredentials,
  device,
  type DevicePrompt,
  enterprise,
  jwtBearer,
} from "@mcp-codegen/auth/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AuthorizationServer, refusal } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, World } from "./support/world.js";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";
const unsupported = () => refusal("unsupported_grant_type");
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** Returns a JWT's claims without checking its signature. */
function claimsOf(jwt: string | null): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt!.split(".")[1]!, "base64url").toString()) as never;
}

describe("client credentials", () => {
  it("request a token with a secret, for the resource and the scopes (AUTH-54)", async () => {
    const metadata = { token_endpoint_auth_methods_supported: undefined };
    const server = new AuthorizationServer({ metadata });
    const world = new World({ server, challenge: `Bearer scope="read"` });
    const client = { id: "job", secret: "s3cr et:%", issuer: "https://as.example" };
    await (await world.connect({ authorize: clientCredentials(), client })).close();
    const [seen] = world.server.at("/token");
    expect(Object.fromEntries(seen!.form)).toEqual({
      grant_type: "client_credentials",
      resource: MCP,
      scope: "read",
    });
    expect(seen!.headers.get("authorization")).toBe(`Basic ${btoa("job:s3cr+et%3A%25")}`);
    expect(world.server.at("/register")).toEqual([]);
  });

  const listed = {
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_basic"],
    token_endpoint_auth_signing_alg_values_supported: ["ES256", "RS256"],
    registration_endpoint: undefined,
  };

  it.each([
    ["a key signs", { key }],
    ["a secret is sent by Basic", { secret: "s3cret" }],
  ])(
    "request a token in the way that the metadata of the server list, without a registration: %s (AUTH-55)",
    async (_, own) => {
      const world = new World({ server: new AuthorizationServer({ metadata: listed }) });
      const client = { id: "job", ...own };
      await (await world.connect({ authorize: clientCredentials(), client })).close();
      const { form, headers } = world.server.at("/token")[0]!;
      expect(form.get("grant_type")).toBe("client_credentials");
      expect(form.has("client_assertion")).toBe("key" in own);
      expect(headers.has("authorization")).toBe("secret" in own);
      expect(form.has("client_secret")).toBe(false);
      expect(world.server.at("/register")).toEqual([]);
    },
  );

  it("report what the metadata of the server lack (AUTH-55)", async () => {
    const client = { id: "job", key };
    const others = { ...listed, grant_types_supported: ["authorization_code"] };
    const server = new AuthorizationServer({ metadata: others, token: unsupported });
    const refused = await failure(
      new World({ server }).connect({ authorize: clientCredentials(), client }),
    );
    expect(refused.expected).toBe('"client_credentials" in its grant_types_supported');

    const algorithms = { ...listed, token_endpoint_auth_signing_alg_values_supported: ["RS256"] };
    const strict = new AuthorizationServer({ metadata: algorithms });
    const wrong = await failure(
      new World({ server: strict }).connect({ authorize: clientCredentials(), client }),
    );
    expect(wrong.expected).toContain('"RS256"');
    expect(strict.at("/token")).toEqual([]);
  });

  it("request a token with a signed assertion in place of a secret (AUTH-54)", async () => {
    const metadata = { token_endpoint_auth_methods_supported: ["private_key_jwt"] };
    const world = new World({ server: new AuthorizationServer({ metadata }) });
    const client = { id: "job", key, keyId: "k1" };
    await (await world.connect({ authorize: clientCredentials(), client })).close();
    const { form } = world.server.at("/token")[0]!;
    expect(form.get("client_assertion_type")).toBe(
      "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    );
    expect(claimsOf(form.get("client_assertion"))).toMatchObject({
      iss: "job",
      sub: "job",
      aud: "https://as.example",
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
    });
  });

  it("name the expected key, and do not print the given one", async () => {
    const client = {
      id: "job",
      key: "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----",
    };
    const { message } = await failure(
      new World().connect({ authorize: clientCredentials(), client }),
    );
    expect(message).toMatch(/PKCS #8/);
    expect(message).not.toContain("c2VjcmV0");
  });
});

describe("an assertion", () => {
  it("is exchanged for a token, and not sent again if it is refused (AUTH-59)", async () => {
    const world = new World();
    const requested: unknown[] = [];
    const assertion = (request: unknown): string => {
      requested.push(request);
      return "workload-jwt";
    };
    const options = { authorize: jwtBearer({ assertion }), client: { id: "job" } };
    await (await world.connect(options)).close();
    expect(world.server.at("/token")[0]!.form.get("assertion")).toBe("workload-jwt");
    expect(requested).toEqual([{ audience: "https://as.example", resource: MCP }]);

    const server = new AuthorizationServer({ token: () => refusal("invalid_grant") });
    const { stage, error } = await failure(new World({ server }).connect(options));
    expect([stage, error, server.at("/token").length]).toEqual(["token", "invalid_grant", 1]);
  });
});

describe("enterprise-managed authorization", () => {
  const options = {
    authorize: enterprise({
      tokenEndpoint: "https://idp.example/token",
      clientId: "at-idp",
      subjectToken: () => "id-token-secret",
    }),
    client: { id: "at-as", secret: "as-secret" },
  };

  it("sends no identity to an authorization server whose profiles lack it (AUTH-57)", async () => {
    const metadata = { authorization_grant_profiles_supported: ["urn:example:other"] };
    const world = new World({ server: new AuthorizationServer({ metadata }) });
    const { stage, expected } = await failure(world.connect(options));
    expect([stage, expected]).toEqual(["authorization", expect.stringContaining(PROFILE)]);
    expect(world.seen.filter(({ url }) => url.hostname === "idp.example")).toEqual([]);
    expect(world.server.at("/token")).toEqual([]);
  });

  it("exchanges the user's identity for a grant, and that for a token (AUTH-56, AUTH-57)", async () => {
    const metadata = { authorization_grant_profiles_supported: [PROFILE] };
    const server = new AuthorizationServer({ metadata });
    const world = new World({ server, challenge: `Bearer scope="read"` });
    const requested: URLSearchParams[] = [];
    const fetch: typeof world.fetch = async (url, init = {}) => {
      if (!String(url).startsWith("https://idp.example/")) return world.fetch(url, init);
      requested.push(new URLSearchParams(String(init.body)));
      return Response.json({
        access_token: "the-grant",
        issued_token_type: ID_JAG,
        token_type: "N_A",
      });
    };
    await (await world.connect({ ...options, fetch })).close();
    expect(Object.fromEntries(requested[0]!)).toEqual({
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      requested_token_type: ID_JAG,
      subject_token: "id-token-secret",
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
      audience: "https://as.example",
      resource: MCP,
      scope: "read",
      client_id: "at-idp",
    });
    const { form } = world.server.at("/token")[0]!;
    expect([form.get("grant_type"), form.get("assertion")]).toEqual([
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
      "the-grant",
    ]);
  });

  it("takes no other token of the identity provider for the grant", async () => {
    const world = new World();
    const fetch: typeof world.fetch = async (url, init = {}) =>
      String(url).startsWith("https://idp.example/")
        ? Response.json({ access_token: "other", token_type: "Bearer" })
        : world.fetch(url, init);
    const { message } = await failure(world.connect({ ...options, fetch }));
    expect(message).toContain("issued_token_type");
    expect(world.server.at("/token")).toEqual([]);
  });
});

/** Starts a login that remains pending for three token requests, and advances the clock that far. */
async function pendingLogin(answer: object) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const times: number[] = [];
  const token = () => {
    times.push(Date.now());
    return refusal(times.length === 4 ? "access_denied" : "authorization_pending");
  };
  const world = new World({ server: new AuthorizationServer({ token, device: answer }) });
  const prompts: DevicePrompt[] = [];
  const show = (prompt: DevicePrompt): void => {
    prompts.push(prompt);
    times.push(Date.now());
  };
  const login = failure(world.connect({ authorize: device({ show }) }));
  while (times.length < 4) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    if (times.length > 0) await vi.advanceTimersByTimeAsync(250);
  }
  expect(await login).toMatchObject({ error: "access_denied" });
  const waits = times.slice(1).map((time, index) => Math.round((time - times[index]!) / 1000));
  return { prompt: prompts[0]!, waits };
}

describe("a device", () => {
  it("is refused a code whose lifetime is not a number of seconds", async () => {
    const world = new World({ server: new AuthorizationServer({ device: { expires_in: "1h" } }) });
    const show = vi.fn();
    const { message } = await failure(world.connect({ authorize: device({ show }) }));
    expect(message).toContain("device authorization endpoint returned the lifetime");
    expect(message).toContain("a number of seconds");
    expect(show).not.toHaveBeenCalled();
  });

  it("shows where to log in, and waits until the user has done so", async () => {
    let pending = 2;
    const token = () => ((pending -= 1) >= 0 ? refusal("authorization_pending") : undefined);
    const world = new World({ server: new AuthorizationServer({ token }) });
    const shown: DevicePrompt[] = [];
    const authorize = device({ show: (prompt) => void shown.push(prompt) });
    await (await world.connect({ authorize })).close();
    expect(shown).toMatchObject([{ userCode: "WDJB-MJHT", expiresIn: 600 }]);
    expect(world.server.at("/token")).toHaveLength(3);
  });

  it("shows a code without control characters", async () => {
    const { prompt } = await pendingLogin({ user_code: "\u001b[2JAB\u202eCD" });
    expect(prompt.userCode).toBe("[2JABCD");
  });

  it.each([
    [1, 1e-9],
    [1, 0.01],
    [5, undefined],
    [7, 7],
    [60, 61],
    [60, 1e9],
    [60, Number.MAX_VALUE],
  ])("waits %d s between token requests if the server states %s", async (seconds, interval) => {
    const { waits } = await pendingLogin({ interval });
    expect(waits).toEqual([seconds, seconds, seconds]);
  });

  it.each([["0"], ["-1"], ["null"], ['"7"'], ["[5]"], ["1e999"]])(
    "shows nothing if the interval is %s",
    async (text) => {
      const show = vi.fn();
      const world = new World();
      const fetch: typeof world.fetch = async (url, init) => {
        const response = await world.fetch(url, init);
        if (!String(url).endsWith("/device")) return response;
        return new Response(
          (await response.text()).replace('"interval":0.01', `"interval":${text}`),
          response,
        );
      };
      const login = failure(world.connect({ authorize: device({ show }), fetch }));
      expect((await login).message).toContain('"interval" property');
      expect(show).not.toHaveBeenCalled();
      expect(world.server.at("/token")).toEqual([]);
    },
  );

  it("stops when the user refuses", async () => {
    const server = new AuthorizationServer({ token: () => refusal("access_denied") });
    const authorize = device({ show: () => {} });
    const { error } = await failure(new World({ server }).connect({ authorize }));
    expect([error, server.at("/token").length]).toEqual(["access_denied", 1]);
  });
});
