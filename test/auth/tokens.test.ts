import { inspect } from "node:util";
import { memoryStore, redirect } from "@mcp-codegen/auth/client";
import { describe, expect, it } from "vitest";
import { AuthorizationServer, refusal } from "./support/authorization-server.js";
import { failure } from "./support/failure.js";
import { MCP, REDIRECT, World } from "./support/world.js";

const allTokens = ({ form }: { form: URLSearchParams }) =>
  refusal("invalid_grant", `bad ${form.get("code")} ${form.get("code_verifier")}`);

const offline = () => Promise.reject(new Error("offline"));

describe("tokens", () => {
  it("are refreshed when they expire, and the new refresh token replaces the old one (AUTH-35, AUTH-46)", async () => {
    const server = new AuthorizationServer({ expiresIn: 1 });
    const world = new World({ server });
    const client = await world.connect();
    for (let count = 0; count < 3; count += 1) await client.callTool("read");
    await client.close();
    const refreshed = server
      .at("/token")
      .filter(({ form }) => form.get("grant_type") === "refresh_token");
    expect(refreshed.length).toBeGreaterThanOrEqual(3);
    expect(new Set(refreshed.map(({ form }) => form.get("refresh_token"))).size).toBe(
      refreshed.length,
    );
    expect(new Set(refreshed.map(({ form }) => form.get("resource")))).toEqual(new Set([MCP]));
    expect(server.visits).toHaveLength(1);
  });

  it("are requested from the user again if there is no refresh token, or it is refused (AUTH-49)", async () => {
    for (const settings of [
      { refreshes: false },
      {
        token: (seen: { form: URLSearchParams }) =>
          seen.form.get("grant_type") === "refresh_token" ? refusal("invalid_grant") : undefined,
      },
    ]) {
      const server = new AuthorizationServer(settings);
      const world = new World({ server });
      const client = await world.connect();
      server.tokens.clear();
      await client.callTool("read");
      await client.close();
      expect(server.visits).toHaveLength(2);
    }
  });

  it("are requested once, however many requests wait for them (AUTH-53)", async () => {
    const world = new World();
    const client = await world.connect();
    world.server.tokens.clear();
    await Promise.all(Array.from({ length: 10 }, () => client.callTool("read")));
    await client.close();
    expect(world.server.visits).toHaveLength(1);
    const refreshed = world.server
      .at("/token")
      .filter(({ form }) => form.get("grant_type") === "refresh_token");
    expect(refreshed).toHaveLength(1);
  });

  it("are read from the store in the next process", async () => {
    const store = memoryStore();
    const world = new World();
    await (await world.connect({ store })).close();
    const before = world.calls.length;
    await (await world.connect({ store })).close();
    expect(world.server.visits).toHaveLength(1);
    expect(world.calls.slice(before).every(({ token }) => token !== undefined)).toBe(true);
  });

  it.each(["{", "null", "[]", "7", "{}", '{"issuer":1}'])(
    "are requested again if the stored record is damaged: %s",
    async (damaged) => {
      const values = new Map<string, string>();
      const store = {
        get: (key: string) => values.get(key),
        set: (key: string, value: string) => void values.set(key, value),
        delete: (key: string) => void values.delete(key),
      };
      const world = new World();
      await (await world.connect({ store })).close();
      for (const key of values.keys()) values.set(key, damaged);
      await (await world.connect({ store })).close();
      expect(world.server.visits).toHaveLength(2);
      await (await world.connect({ store })).close();
      expect(world.server.visits).toHaveLength(2);
    },
  );

  it.each([
    [
      "a lifetime in words",
      { access_token: "a", expires_in: "1h" },
      "expected a number of seconds",
    ],
    [
      "a lifetime in a list",
      { access_token: "a", expires_in: ["1h"] },
      "expected a number of seconds",
    ],
    ["an empty lifetime", { access_token: "a", expires_in: "" }, "expected a number of seconds"],
    ["a line break", { access_token: "one\ntwo-secret" }, "expected visible ASCII"],
  ])(
    "are rejected if the response has %s, and the error does not contain the token",
    async (_, answer, text) => {
      const token = () => Response.json({ token_type: "Bearer", ...answer });
      const { stage, message } = await failure(
        new World({ server: new AuthorizationServer({ token }) }).connect(),
      );
      expect(stage).toBe("token");
      expect(message).toContain(text);
      expect(message).not.toContain("two-secret");
    },
  );

  it.each([
    ["3600", 0],
    ["1", 3],
  ])("are refreshed when they expire if the lifetime is a string: %j", async (expiresIn, times) => {
    const world = new World({ server: new AuthorizationServer({ expiresIn }) });
    const client = await world.connect();
    for (let count = 0; count < 3; count += 1) await client.callTool("read");
    await client.close();
    const refreshed = world.server
      .at("/token")
      .filter(({ form }) => form.get("grant_type") === "refresh_token");
    expect(refreshed.length).toBeGreaterThanOrEqual(times);
    expect(refreshed.length > 0).toBe(times > 0);
  });

  it("are not sent to another origin (AUTH-45)", async () => {
    const world = new World();
    const auth = world.oauth();
    await (await world.connect(auth)).close();
    const sent: Headers[] = [];
    const fetch = auth.fetchFor(new URL(MCP), async (_url, init) => {
      sent.push(new Headers(init.headers));
      return new Response();
    });
    await fetch(new URL("https://elsewhere.example/mcp"), { method: "POST" });
    expect(sent[0]!.get("authorization")).toBeNull();
  });

  it("do not expose cached results to a user who logs in later (CACHE-08)", async () => {
    const world = new World();
    const auth = world.oauth();
    const client = await world.connect(auth);
    const requested = (): number =>
      world.calls.filter(({ method }) => method === "tools/list").length;
    await client.listTools();
    await client.listTools();
    const before = requested();
    expect(before).toBe(1);
    await auth.login(MCP);
    await client.listTools();
    expect(requested()).toBe(before + 1);
    await client.listTools();
    expect(requested()).toBe(before + 1);
    await client.close();
    expect(auth.account()).not.toBe(world.oauth().account());
  });

  it("are removed and revoked by logout", async () => {
    const store = memoryStore();
    const world = new World();
    const auth = world.oauth({ store });
    await auth.login(MCP);
    await (await world.connect(auth)).close();
    expect(await auth.logout(MCP)).toBe("revoked");
    expect(await auth.logout(MCP)).toBe("none");
    expect(world.server.at("/revoke").map(({ form }) => form.get("token"))).toEqual([
      "refresh-secret-4",
      "token-secret-3",
    ]);
    await (await world.connect(auth)).close();
    expect(world.server.visits).toHaveLength(2);
  });

  it("are removed by logout even if their server revokes none, or is gone", async () => {
    const settings = { metadata: { revocation_endpoint: undefined } };
    const world = new World({ server: new AuthorizationServer(settings) });
    const store = memoryStore();
    const auth = world.oauth({ store });
    await auth.login(MCP);
    expect(await auth.logout(MCP)).toBe("forgotten");
    await auth.login(MCP);
    expect(await world.oauth({ store, fetch: offline }).logout(MCP)).toBe("forgotten");
    expect(await auth.logout(MCP)).toBe("none");
  });

  it("do not reappear if another program refreshes them during logout", async () => {
    const store = memoryStore();
    let last: Promise<unknown> = Promise.resolve();
    store.exclusive = (_key, work) => {
      const result = last.then(work);
      last = result.catch(() => {});
      return result;
    };
    let out: Promise<unknown> | undefined;
    const server = new AuthorizationServer({ expiresIn: 1 });
    const world = new World({ server });
    await world.oauth({ store }).login(MCP);
    server.settings = {
      token: () => {
        out ??= world.oauth({ store }).logout(MCP);
        return undefined;
      },
    };
    await (await world.connect({ store })).close();
    expect(await out).toBe("revoked");
    expect(await world.oauth({ store }).logout(MCP)).toBe("none");
  });

  it("do not delay a caller who aborts a login", async () => {
    const world = new World();
    const controller = new AbortController();
    const visit = () => {
      controller.abort(new Error("enough"));
      return new Promise<never>(() => {});
    };
    const auth = world.oauth({ authorize: redirect({ redirectUri: REDIRECT, visit }) });
    await expect(auth.login(MCP, { signal: controller.signal })).rejects.toThrow("enough");
  });

  it("can be requested again after a host callback that never returned", async () => {
    const world = new World();
    let visits = 0;
    const visit = (url: URL) => {
      visits += 1;
      return visits === 1 ? new Promise<never>(() => {}) : world.server.visit(url);
    };
    const authorize = redirect({ redirectUri: REDIRECT, visit });
    const auth = world.oauth({ authorize, timeout: 1000 });
    expect((await failure(auth.login(MCP))).message).toContain("1000 ms");
    await auth.login(MCP);
    expect(visits).toBe(2);
  });

  it("cannot be obtained from a server that sends no response", async () => {
    const world = new World();
    const { stage, message } = await failure(world.oauth({ fetch: offline }).login(MCP));
    expect([stage, message]).toEqual(["discovery", `${MCP} did not respond: offline`]);
  });
});

describe("secrets", () => {
  it("are in no error, and in no inspected object (AUTH-49)", async () => {
    const printed: string[] = [];
    const server = new AuthorizationServer({ token: allTokens });
    const store = memoryStore();
    const world = new World({ server });
    const auth = world.oauth({
      store,
      client: { id: "app", secret: "very-secret", authentication: "client_secret_post" },
    });
    const error = await failure(world.connect(auth));
    printed.push(
      error.message,
      inspect(error, { depth: 9, showHidden: true }),
      JSON.stringify(error),
      String(error.stack),
    );
    server.settings = {};
    await (await world.connect(auth)).close();
    printed.push(
      inspect(auth, { depth: 9, showHidden: true }),
      inspect(store, { depth: 9, showHidden: true }),
      JSON.stringify(auth),
    );
    expect(printed.join("\n")).not.toMatch(/(?:code|token|refresh|very)-secret/);
    expect(error.message).toContain("invalid_grant");
  });

  const secret = 's3cr/et "+very\\long';
  const form = encodeURIComponent(secret).replaceAll("%20", "+");
  const json = JSON.stringify(secret);
  it.each([
    ["plain", secret, "s3cr/et"],
    ["percent", encodeURIComponent(secret), "s3cr%2Fet"],
    ["lower-case percent", encodeURIComponent(secret).toLowerCase(), "s3cr%2fet"],
    ["form", `x=${form}&y`, "s3cr%2Fet"],
    ["JSON", json, "s3cr/et"],
    ["escaped slashes", json.replaceAll("/", "\\/"), "s3cr"],
    ["base64", btoa(secret), btoa(secret).slice(0, 12)],
    ["base64url", `id=${Buffer.from(secret).toString("base64url")}`, btoa(secret).slice(0, 12)],
    ["base64 within more", btoa(`ab:${secret}`), btoa(`ab:${secret}`).slice(0, 12)],
    ["Basic", `Basic ${btoa(`app:${form}`)}`, btoa(`app:${form}`).slice(0, 12)],
    [
      "percent of base64",
      encodeURIComponent(btoa(`a:${secret}`)),
      btoa(`a:${secret}`).slice(0, 12),
    ],
    ["a form in base64", btoa(`client_secret=${form}`), btoa(`client_secret=${form}`).slice(0, 12)],
  ])("are in no error, encoded as %s, if the endpoint repeats them", async (_, said, part) => {
    expect(said).toContain(part);
    for (const body of [
      { error: "invalid_client", error_description: `bad ${said}!` },
      { error: said },
    ]) {
      const server = new AuthorizationServer({
        token: () => Response.json(body, { status: 400 }),
        metadata: { token_endpoint_auth_methods_supported: undefined },
      });
      const error = await failure(new World({ server }).connect({ client: { id: "app", secret } }));
      const shown = [error.message, error.error, inspect(error, { depth: 9, showHidden: true })];
      expect(shown.join("\n")).toMatch(/secret\]/);
      expect(shown.join("\n")).not.toContain(part);
    }
  });

  it("are in no error if the MCP server repeats the token in its challenge", async () => {
    for (const encode of [(text: string) => text, btoa, encodeURIComponent]) {
      const world = new World({
        refuse: ({ token }) => {
          if (token === undefined) return undefined;
          const header = `Bearer error="invalid_token", scope="s ${encode(token)}", error_description="no ${encode(token)}"`;
          return new Response("", { status: 401, headers: { "www-authenticate": header } });
        },
      });
      const error = await failure(world.connect());
      const shown = inspect(error, { depth: 9, showHidden: true });
      expect(shown).toContain("[");
      for (const token of world.server.tokens.keys()) expect(shown).not.toContain(encode(token));
    }
  });

  it("that no header can contain are rejected when they arrive, and ignored in a store (AUTH-46)", async () => {
    const bad = ["SECRET\r\nX: y", "SECRET y", "SECRET\u0000", "SECRETé", ""];
    for (const access_token of bad) {
      const server = new AuthorizationServer({
        token: () => Response.json({ access_token, token_type: "Bearer" }),
      });
      const error = await failure(new World({ server }).connect());
      expect(error.stage).toBe("token");
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("SECRET");
    }
    const store = memoryStore();
    const world = new World();
    await (await world.connect({ store })).close();
    const key = `tokens https://as.example ${MCP} `;
    const record = JSON.parse((await store.get(key))!) as object;
    await store.set(key, JSON.stringify({ ...record, accessToken: "SECRET\r\nX: y" }));
    await (await world.connect({ store })).close();
    expect(world.server.visits).toHaveLength(2);
  });

  it("are accepted with scopes in an array, or with invalid optional members", async () => {
    for (const [scope, expected] of [
      [["read", "write"], "read write"],
      [null, undefined],
      [7, undefined],
    ] as const) {
      const store = memoryStore();
      const server = new AuthorizationServer({
        token: () => {
          server.tokens.set("good", "read write");
          return Response.json({ access_token: "good", token_type: "Bearer", scope });
        },
      });
      await (await new World({ server }).connect({ store })).close();
      const { granted } = JSON.parse((await store.get(`tokens https://as.example ${MCP} `))!) as {
        granted: string[];
      };
      expect(granted.join(" ") || undefined).toBe(expected);
    }
  });
});
