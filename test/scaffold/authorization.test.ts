import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../auth/support/browser.js";
import { type RealServer, startProvider } from "../auth/support/real-provider.js";
import { freePort } from "../support/free-port.js";
import { run } from "../support/run.js";
import { type Flavor, Projects } from "./projects.js";
import { serve, type Serving } from "./serve.js";

const FLAVORS: readonly Flavor[] = ["universal", "2025-11-25"];

const all = FLAVORS.flatMap((flavor) =>
  (["http-server", "client"] as const).map((kind) => ({ kind, flavor })),
);
const projects = new Projects(all, ["--auth"]);
beforeAll(() => projects.create(), 300_000);
afterAll(() => projects.remove());

describe.each(FLAVORS)("%s with authorization", (flavor) => {
  let provider: RealServer;
  let serving: Serving;
  beforeAll(async () => {
    const port = await freePort();
    const resource = `http://127.0.0.1:${port}/mcp`;
    const scopes = ["notes:read", "notes:write"];
    provider = await startProvider({ resource: () => resource, scopes });
    const variables = { PORT: String(port), ISSUER: provider.issuer, RESOURCE: resource };
    serving = await serve(projects.of("http-server", flavor), ["dist/index.js"], variables);
  });
  afterAll(async () => {
    await serving.close();
    await provider.close();
  });

  /** Runs the client as a user would who opens every address that it prints. */
  async function call(): Promise<{ stdout: string; logins: number; code: unknown }> {
    const program = join(projects.of("client", flavor), "dist/index.js");
    const args = [program, serving.url, "add_note", '{"text":"Buy milk"}'];
    const home = projects.folder;
    const env = { ...process.env, HOME: home, XDG_STATE_HOME: home, LOCALAPPDATA: home, PATH: "" };
    const child = spawn(process.execPath, args, { env });
    const exited = once(child, "exit");
    let stdout = "";
    let logins = 0;
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    for await (const line of createInterface({ input: child.stderr })) {
      if (!/^https?:/.test(line)) continue;
      logins += 1;
      const { url } = await new Browser().open(new URL(line));
      await (await fetch(url)).text();
    }
    const [code] = (await exited) as [unknown];
    return { stdout, logins, code };
  }

  it.each(["http-server", "client"] as const)(
    "%s type-checks and passes its own tests",
    async (kind) => {
      const { code, stdout, stderr } = await run("npm", ["test"], {
        cwd: projects.of(kind, flavor),
      });
      expect(code, stdout + stderr).toBe(0);
      const count = kind === "client" ? 2 : flavor === "universal" ? 7 : 6;
      expect(stdout).toMatch(new RegExp(`pass ${count}\\b`));
    },
    120_000,
  );

  it("has the client log in once at a real authorization server, and call the guarded tool", async () => {
    const first = await call();
    expect(first).toMatchObject({ code: 0, logins: 1 });
    expect(first.stdout).toMatch(/^Revision \d{4}-\d\d-\d\d\nadd_note: .+\nKept as note 1\.\n$/);
    const second = await call();
    expect(second).toMatchObject({ code: 0, logins: 0 });
    expect(second.stdout).toContain("Kept as note 2.");
  });

  it("refuses requests without a token", async () => {
    const response = await fetch(serving.url, { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("resource_metadata=");
  });

  it("has the server report missing configuration before it starts", async () => {
    const { code, stderr } = await run(process.execPath, ["dist/index.js"], {
      cwd: projects.of("http-server", flavor),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Set ISSUER to .+ RESOURCE=https:\/\/\S+\n$/);
  });
});
