import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oauth, redirect } from "@mcp-codegen/auth/client";
import { fileStore } from "@mcp-codegen/auth/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../cli/build.js";
import { cli, cliJson, type Running, start } from "../cli/cli.js";
import { Browser } from "./support/browser.js";
import { startProvider } from "./support/real-provider.js";
import { eventually } from "../support/eventually.js";

let cwd: string;
const closing: (() => unknown)[] = [];
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), "login-"))));
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  rmSync(cwd, { recursive: true });
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const sendJson = (response: ServerResponse, document: object) =>
  void response.setHeader("content-type", "application/json").end(JSON.stringify(document));

/** Starts an MCP server that requires tokens from an authorization server and publishes each token that it receives. */
async function startGuarded(issuer: () => string): Promise<string> {
  const origin = await listen((request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      sendJson(response, { resource: `${origin}/mcp`, authorization_servers: [issuer()] });
    } else if (request.headers.authorization === undefined) {
      response.writeHead(401, { "www-authenticate": `Bearer scope="read"` }).end();
    } else response.end(request.headers.authorization);
  });
  return `${origin}/mcp`;
}

async function startProtected() {
  let issuer = "";
  const url = await startGuarded(() => issuer);
  const provider = await startProvider({ resource: () => url });
  closing.push(() => provider.close());
  issuer = provider.issuer;
  return { provider, url };
}

/** Starts an authorization server with these endpoints and an MCP server that names it. */
async function startScripted(endpoints: Readonly<Record<string, object>>, metadata: object = {}) {
  const issuer = await listen((request, response) => {
    const path = request.url ?? "";
    const common = { issuer, token_endpoint: `${issuer}/token`, response_types_supported: [] };
    if (path.endsWith("oauth-authorization-server")) sendJson(response, { ...common, ...metadata });
    else if (path in endpoints) sendJson(response, endpoints[path]!);
    else response.writeHead(404).end();
  });
  return { issuer, url: await startGuarded(() => issuer) };
}

/** Returns the URL that a login opens for the user. */
const shownBy = ({ stderr }: Running): Promise<URL> =>
  eventually(() => new URL(/^http\S+$/m.exec(stderr())![0]));

const stored = () =>
  readdirSync(join(cwd, "store"))
    .map((name) => readFileSync(join(cwd, "store", name), "utf8"))
    .join("\n");

/** Returns all secret strings in the store. */
const secrets = () =>
  [...stored().matchAll(/(?:accessToken|refreshToken|client_secret)\\":\\"([^\\]+)/g)].map(
    ([, secret]) => secret!,
  );

const STORE = ["--store", "store"];

const refuseToVisit = () => {
  throw new Error("The user is asked again");
};

describe("mcp-codegen login", () => {
  it("logs in for programs that share the store, prints no token, and logs out", async () => {
    const { provider, url } = await startProtected();
    const running = start(["login", url, "--no-browser", ...STORE], { cwd });
    await fetch(await provider.visit(await shownBy(running)));
    const { code, stdout, stderr } = await running.finished;
    expect([code, stdout], stderr).toEqual([0, `Logged in at ${url}\n`]);

    const store = fileStore({ folder: join(cwd, "store") });
    const authorize = redirect({
      redirectUri: "http://127.0.0.1/callback",
      visit: refuseToVisit,
    });
    const auth = oauth({ authorize, store });
    const response = await auth.fetchFor(new URL(url), fetch as never)(new URL(url), {});
    const [, token = ""] = (await response.text()).split(" ");
    const tokens = secrets();
    expect(tokens).toContain(token);
    expect(tokens.length).toBeGreaterThan(1);

    const out = await cliJson(["logout", url, ...STORE], { cwd });
    expect(out).toMatchObject({ code: 0, json: { url, tokens: "revoked" } });
    expect(provider.log).toContain("revoked");
    const all = stdout + stderr + JSON.stringify(out);
    for (const secret of tokens) {
      expect(stored()).not.toContain(secret);
      expect(all).not.toContain(secret);
    }
    const again = await cli(["logout", url, ...STORE], { cwd });
    expect([again.code, again.stdout]).toEqual([0, `Not logged in at ${url}\n`]);
  });

  it("accepts a code from another device, also after a login in the browser", async () => {
    const { provider, url } = await startProtected();
    const browser = start(["login", url, "--no-browser", ...STORE], { cwd });
    await fetch(await provider.visit(await shownBy(browser)));
    expect((await browser.finished).code).toBe(0);
    const running = start(["login", url, "--device", ...STORE], { cwd });
    const [, page, code] = await eventually(() => {
      const shown = /Open (\S+) .* this code: (\S+)/.exec(running.stderr());
      expect(shown, running.stderr()).not.toBeNull();
      return shown!;
    });
    await new Browser().enter(new URL(page!), code!);
    const result = await running.finished;
    expect([result.code, result.stdout], result.stderr).toEqual([0, `Logged in at ${url}\n`]);
    for (const secret of secrets()) expect(result.stderr).not.toContain(secret);
  });

  it("prints a code without characters that could control the terminal", async () => {
    const device = { device_code: "d", user_code: "\u{1b}[2J\u{202e}AB", expires_in: 600 };
    const endpoints: Record<string, object> = { "/register": { client_id: "c" } };
    const { issuer, url } = await startScripted(endpoints, {
      get registration_endpoint() {
        return `${issuer}/register`;
      },
      get device_authorization_endpoint() {
        return `${issuer}/device`;
      },
    });
    endpoints["/device"] = { ...device, verification_uri: `${issuer}/activate` };
    const running = start(["login", url, "--device", ...STORE], { cwd });
    await eventually(() => expect(running.stderr()).toContain("this code"));
    running.signal("SIGTERM");
    const { stderr, signal } = await running.finished;
    expect(stderr).toContain("this code: [2JAB");
    expect(signal).toBe("SIGTERM");
  });

  it("ends on Ctrl+C with one line, without tokens and with its port closed", async () => {
    const { url } = await startProtected();
    const running = start(["login", url, "--no-browser", ...STORE], { cwd });
    const back = (await shownBy(running)).searchParams.get("redirect_uri")!;
    running.signal("SIGINT");
    const { signal, stdout, stderr } = await running.finished;
    expect([signal, stdout]).toEqual(["SIGINT", ""]);
    expect(stderr).toContain(`The login at ${url} was interrupted.`);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(secrets()).toEqual([]);
    await expect(fetch(back)).rejects.toThrow();
  });

  it("says how long it waited for the user", async () => {
    const { url } = await startProtected();
    const args = ["login", url, "--no-browser", "--timeout", "0.1", ...STORE];
    const { code, stderr } = await start(args, { cwd }).finished;
    expect([code, stderr]).toEqual([4, expect.stringMatching(/after 100 ms.*\n.*--timeout/)]);
  });

  it.each([
    ["is not protected", 200, "did not require authorization (status 200)"],
    ["has another address", 404, "There is nothing at this address"],
    ["fails", 503, "The server failed (status 503)"],
    ["redirects", 302, "use the address that it redirects to"],
  ])("reports that a server %s", async (_what, status, hint) => {
    const origin = await listen((_request, response) => {
      response.writeHead(status, { location: "/elsewhere" }).end();
    });
    const { code, stderr } = await cli(["login", `${origin}/mcp?key=hidden`, ...STORE], { cwd });
    expect([code, stderr]).toEqual([4, expect.stringContaining(hint)]);
    expect(stderr).toContain("MCG7010");
    expect(stderr).not.toContain("hidden");
  });

  it("reports that a server cannot be reached", async () => {
    const { code, stderr } = await cli(["login", "http://127.0.0.1:1/mcp", ...STORE], { cwd });
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/127\.0\.0\.1:1\/mcp did not respond: .*\n.*Check the address/),
    ]);
  });

  it("suggests another way if one is unavailable", async () => {
    const { url } = await startScripted(
      {},
      {
        code_challenge_methods_supported: ["S256"],
        authorization_endpoint: "http://127.0.0.1/authorize",
      },
    );
    const registered = await cli(["login", url, ...STORE], { cwd });
    expect([registered.code, registered.stderr]).toEqual([
      4,
      expect.stringMatching(/does not register clients.*\n.*--client-id/),
    ]);
    const device = await cli(["login", url, "--device", "--client-id", "a", ...STORE], { cwd });
    expect([device.code, device.stderr]).toEqual([
      4,
      expect.stringMatching(/device authorization endpoint is missing.*\n.*without --device/),
    ]);
    const { url: old } = await startScripted({});
    const browser = await cli(["login", old, "--client-id", "a", ...STORE], { cwd });
    expect([browser.code, browser.stderr]).toEqual([
      4,
      expect.stringMatching(/PKCE.*\n.*oauth\(\{ … \}\)\.login\(url\)/),
    ]);
  });

  it("does not send the user to log in if the tokens cannot be stored", async () => {
    writeFileSync(join(cwd, "file"), "");
    for (const command of ["login", "logout"]) {
      const { code, stderr } = await cli([command, "https://mcp.example/", "--store", "file"], {
        cwd,
      });
      expect([code, stderr]).toEqual([3, expect.stringMatching(/MCG6102.*\n.*--store/)]);
    }
  });

  it("names the missing package, while other commands work without it", async () => {
    await cp(join(root, "generator/dist"), join(cwd, "generator/dist"), { recursive: true });
    await cp(join(root, "package.json"), join(cwd, "package.json"));
    await cp(join(root, "schema"), join(cwd, "schema"), { recursive: true });
    mkdirSync(join(cwd, "node_modules"));
    symlinkSync(join(root, "node_modules/yargs"), join(cwd, "node_modules/yargs"), "junction");
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(cwd, "generator/dist/cli/bin.js"), ...args], {
        encoding: "utf8",
      });
    expect(run("list").status).toBe(0);
    expect(run("login", "--help").status).toBe(0);
    const url = "https://mcp.example/mcp";
    for (const [command, name] of [
      ["login", "auth"],
      ["lock", "contract"],
      ["doctor", "testing"],
      ["bridge", "bridge"],
    ] as const) {
      const { status, stderr } = run(command, url);
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining(`npm install mcp-codegen @mcp-codegen/${name}\n`),
      ]);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  it.each([
    [["login"], "login needs <url>"],
    [["login", "mcp.example.com"], "http: or https:"],
    [["logout", "https://user:secret@mcp.example/"], "without a user"],
    [["login", "https://mcp.example/", "--client-secret-env", "NAME"], "needs --client-id"],
    [
      ["login", "https://mcp.example/", "--client-id", "a", "--client-secret-env", "NO_SUCH"],
      "not set",
    ],
    [["login", "https://mcp.example/", "--device", "--no-browser"], "cannot be combined"],
    [["login", "https://mcp.example/", "--timeout", "x"], "--timeout needs a number"],
    [["login", "https://mcp.example/", "--timeout", "4000"], "at most 3600 seconds"],
  ])("rejects %j", async (args, text) => {
    const { code, stderr } = await cli([...args, ...STORE], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(stderr).not.toContain("secret@");
    expect(existsSync(join(cwd, "store"))).toBe(false);
  });
});

describe("mcp-codegen logout", () => {
  it("removes the tokens of an authorization server that no longer exists, and says so", async () => {
    const { provider, url } = await startProtected();
    const running = start(["login", url, "--no-browser", ...STORE], { cwd });
    await fetch(await provider.visit(await shownBy(running)));
    await running.finished;
    await provider.close();
    const { code, stdout, stderr } = await cli(["logout", url, ...STORE], { cwd });
    expect([code, stdout]).toEqual([0, `Logged out of ${url}\n`]);
    expect(stderr).toContain("are valid until they expire");
    expect(secrets()).toEqual([]);
  });
});
