import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { cp } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { oauth, redirect } from "@mcp-codegen/auth/client";
import { fileStore } from "@mcp-codegen/auth/node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { root } from "../cli/build.js";
import { cli, start } from "../cli/cli.js";
import { startProvider } from "./support/real-provider.js";

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

/** An MCP server that demands tokens of a real authorization server, and takes each that comes. */
async function startProtected() {
  let resource = "";
  const provider = await startProvider({ resource: () => resource });
  closing.push(() => provider.close());
  const origin = await listen((request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ resource, authorization_servers: [provider.issuer] }));
    } else if (request.headers.authorization === undefined) {
      response.writeHead(401, { "www-authenticate": `Bearer scope="read"` }).end();
    } else response.end(request.headers.authorization);
  });
  resource = `${origin}/mcp`;
  return { provider, url: resource };
}

const stored = () =>
  readdirSync(join(cwd, "store"))
    .map((name) => readFileSync(join(cwd, "store", name), "utf8"))
    .join("\n");

/** Packages that parsing a command line needs. */
function dependencies(): readonly string[] {
  const found = new Set(["yargs"]);
  for (const name of found) {
    const manifest = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
    const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: object };
    for (const other of Object.keys(dependencies)) found.add(other);
  }
  return [...found];
}

describe("mcp-codegen login", () => {
  it("logs in for programs that share the store, prints no token, and logs out", async () => {
    const { provider, url } = await startProtected();
    const running = start(["login", url, "--no-browser", "--store", "store"], { cwd });
    const address = await vi.waitFor(() => /^http\S+$/m.exec(running.stderr())![0], 10_000);
    await fetch(await provider.visit(new URL(address)));
    const { code, stdout, stderr } = await running.finished;
    expect([code, stdout], stderr).toEqual([0, `Logged in at ${url}\n`]);

    const visit = () => {
      throw new Error("The user is asked again");
    };
    const store = fileStore({ folder: join(cwd, "store") });
    const authorize = redirect({ redirectUri: "http://127.0.0.1/callback", visit });
    const auth = oauth({ authorize, store });
    const response = await auth.fetchFor(new URL(url), fetch as never)(new URL(url), {});
    const [, token = ""] = (await response.text()).split(" ");
    expect(token.length).toBeGreaterThan(20);
    expect(stored()).toContain(token);
    expect(stdout + stderr).not.toContain(token);

    const out = await cli(["logout", url, "--store", "store"], { cwd });
    expect([out.code, out.stdout]).toEqual([0, `Logged out of ${url}\n`]);
    expect(stored()).not.toContain(token);
  });

  it("says that a server is not protected, or cannot be reached", async () => {
    const open = await listen((_request, response) => response.writeHead(404).end());
    const unprotected = await cli(["login", `${open}/mcp`, "--no-browser", "--store", "s"], {
      cwd,
    });
    expect(unprotected.code, unprotected.stderr).toBe(4);
    expect(unprotected.stderr).toMatch(/not protected/);
    const gone = await cli(["login", "http://127.0.0.1:1/mcp", "--store", "s"], { cwd });
    expect([gone.code, gone.stderr]).toEqual([4, expect.stringContaining("MCG7010")]);
  });

  it("names the package that is missing, while other commands work without it", async () => {
    await cp(join(root, "generator/dist"), join(cwd, "generator/dist"), { recursive: true });
    await cp(join(root, "package.json"), join(cwd, "package.json"));
    await cp(join(root, "schema"), join(cwd, "schema"), { recursive: true });
    for (const name of dependencies()) {
      await cp(join(root, "node_modules", name), join(cwd, "node_modules", name), {
        recursive: true,
      });
    }
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(cwd, "generator/dist/cli/bin.js"), ...args], {
        encoding: "utf8",
      });
    expect(run("list").status).toBe(0);
    const { status, stderr } = run("login", "https://mcp.example/mcp");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("npm install mcp-codegen @mcp-codegen/auth"),
    ]);
  });

  it.each([
    [["login", "mcp.example.com"], "http: or https:"],
    [["login", "https://mcp.example/", "--client-secret-env", "NAME"], "needs --client-id"],
    [
      ["login", "https://mcp.example/", "--client-id", "a", "--client-secret-env", "NO_SUCH"],
      "not set",
    ],
    [["login", "https://mcp.example/", "--device", "--no-browser"], "exclude each other"],
  ])("refuses %j", async (args, text) => {
    const { code, stderr } = await cli(args, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
  });
});
