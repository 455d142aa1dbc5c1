import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { loopback } from "@mcp-codegen/auth/node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { browserCommand, openBrowser } from "../../runtime/auth/node/browser.js";
import { failure } from "./support/failure.js";
import { World } from "./support/world.js";

interface Registration {
  readonly redirect_uris: readonly string[];
}

/** Returns the status of a GET request, or 0 if no process listens. */
function statusOf(url: URL, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on("error", () => resolve(0));
  });
}

/** Returns the redirect URI of an authorization request. */
const redirectOf = (url: URL): URL => new URL(url.searchParams.get("redirect_uri")!);

describe("loopback", () => {
  it("waits for the matching response on a local port, and closes it (AUTH-38)", async () => {
    const world = new World();
    const statuses: number[] = [];
    const open = async (url: URL): Promise<void> => {
      const right = world.server.visit(url);
      const wrong = new URL(right);
      wrong.searchParams.set("state", "other");
      statuses.push(
        await statusOf(wrong),
        await statusOf(new URL("/", right)),
        await statusOf(right, { host: "evil.example" }),
        await statusOf(right),
      );
    };
    await (await world.connect({ authorize: loopback({ open, show: () => {} }) })).close();
    await expect.poll(() => statuses).toEqual([400, 404, 404, 200]);
    const redirect = redirectOf(world.server.visits[0]!);
    expect([redirect.protocol, redirect.hostname]).toEqual(["http:", "127.0.0.1"]);
    expect(await statusOf(redirect)).toBe(0);
  });

  it.each([
    ["throws", () => void JSON.parse("{")],
    ["rejects", () => Promise.reject(new Error("no browser"))],
    ["lasts until the user closes the browser", () => new Promise(() => {})],
  ])("does not depend on `open`, which %s", async (_, open) => {
    const world = new World();
    const show = (url: URL): void => void statusOf(world.server.visit(url));
    await (await world.connect({ authorize: loopback({ open, show }) })).close();
    expect(world.server.visits).toHaveLength(1);
  });

  it("uses the registered port again, if it is free", async () => {
    const world = new World();
    const open = (url: URL): Promise<number> => statusOf(world.server.visit(url));
    const auth = world.oauth({ authorize: loopback({ open, show: () => {} }) });
    await auth.login(world.mcp);
    await auth.login(world.mcp);
    expect(world.server.at("/register")).toHaveLength(1);
    const [first, second] = world.server.visits.map(redirectOf);
    expect(first!.href).toBe(second!.href);
  });

  it("closes the port if the user never returns, and reports how long it waited", async () => {
    const world = new World();
    let redirect: URL | undefined;
    const open = (url: URL): void => void (redirect = redirectOf(url));
    const authorize = loopback({ open, show: () => {} });
    const { stage, message } = await failure(world.connect({ authorize, timeout: 1000 }));
    expect([stage, message]).toEqual(["authorization", expect.stringContaining("1000 ms")]);
    expect(await statusOf(redirect!)).toBe(0);
  });

  it("does not ask the user, and closes the port, if the time is over before", async () => {
    const world = new World();
    const opened: URL[] = [];
    const shown: URL[] = [];
    const show = (url: URL): void => void shown.push(url);
    const fetch: typeof world.fetch = async (url, init) => {
      if (new URL(url).pathname === "/register") {
        opened.push(new URL((JSON.parse(String(init?.body)) as Registration).redirect_uris[0]!));
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      return world.fetch(url, init);
    };
    const authorize = loopback({ open: () => {}, show });
    const { message } = await failure(world.connect({ authorize, timeout: 50, fetch }));
    expect(message).toContain("50 ms");
    await expect.poll(() => statusOf(opened[0]!)).toBe(0);
    expect(shown).toEqual([]);
  });

  it("closes the port when no request waits for the token any more", async () => {
    const world = new World();
    const controller = new AbortController();
    let redirect: URL | undefined;
    const open = (url: URL): void => {
      redirect = redirectOf(url);
      controller.abort();
    };
    const authorize = loopback({ open, show: () => {} });
    await expect(world.connect({ authorize }, { signal: controller.signal })).rejects.toThrow();
    await expect.poll(() => statusOf(redirect!)).toBe(0);
  });

  it("listens at both addresses of localhost, so that no other process receives the response", async () => {
    const world = new World();
    const statuses: number[] = [];
    const authorize = loopback({
      host: "localhost",
      open: async (url) => {
        const back = world.server.visit(url);
        const other = new URL(back);
        other.hostname = "[::1]";
        other.search = "?state=wrong";
        statuses.push(await statusOf(other, { host: `localhost:${back.port}` }));
        await statusOf(back);
      },
    });
    await (await world.connect({ authorize })).close();
    const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === "::1"),
    );
    expect(statuses).toEqual([hasIpv6 ? 400 : 0]);
  });

  it("opens the browser without a shell on every system (SEC-08, SEC-24)", async () => {
    for (const platform of ["darwin", "win32", "linux", "freebsd"]) {
      const [command] = await browserCommand(platform);
      expect(command).toMatch(
        /^(?:open|xdg-open|(?:\/mnt\/c\/Windows\/System32\/)?rundll32\.exe)$/,
      );
    }
    const folder = await mkdtemp(join(tmpdir(), "browser-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [command] = await browserCommand();
    const opened = join(folder, "opened");
    const program = `#!${process.execPath}\nrequire("node:fs").writeFileSync(${JSON.stringify(opened)}, JSON.stringify(process.argv.slice(2)));`;
    await writeFile(join(folder, command!), program, { mode: 0o700 });
    vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = new URL("https://as.example/authorize?a=$(touch%20x)&b='`;|&calc.exe");
    await openBrowser(url);
    const read = () => readFile(opened, "utf8").catch(() => "");
    await expect.poll(read).toBe(JSON.stringify([url.href]));
    await openBrowser(new URL("file:///etc/passwd"));
  });

  it("works without a browser, and names a port that is taken", async () => {
    const world = new World();
    const shown: string[] = [];
    const authorize = loopback({
      open: () => Promise.reject(new Error("no browser")),
      show: (url) => {
        shown.push(url.href);
        void statusOf(world.server.visit(url));
      },
    });
    await (await world.connect({ authorize })).close();
    expect(shown).toHaveLength(1);
  });
});
