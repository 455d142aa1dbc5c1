import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileStore } from "@mcp-codegen/auth/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gapCases, junitOf } from "../../runtime/testing/report/junit.js";
import { sarifOf } from "../../runtime/testing/report/sarif.js";
import { cli } from "../cli/cli.js";

describe("a report of an examination that did not end", () => {
  const gaps = ["The time was over before these were examined: 2025-03-26."];

  it("says so in JUnit, as a test that was skipped", () => {
    const report = junitOf("server", gapCases(gaps));
    expect(report).toContain(`<skipped message="${gaps[0]}"/>`);
    expect(report).toContain('tests="1" failures="0" skipped="1"');
  });

  it("says so in SARIF, as a notification of the tool", () => {
    const [run] = (sarifOf([], { name: "server" }, "1.0.0", gaps) as { runs: object[] }).runs;
    expect(run).toMatchObject({
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: "warning", message: { text: gaps[0] } }],
        },
      ],
    });
  });

  it("names no gap if there is none", () => {
    const [run] = (sarifOf([], { name: "server" }, "1.0.0") as { runs: object[] }).runs;
    expect(run).toMatchObject({ invocations: [{ executionSuccessful: true }] });
    expect(gapCases([])).toEqual([]);
  });
});

/** The token from a login, long enough that reports cut a text within it. */
const TOKEN = `login-${Buffer.alloc(120, "0123456789abcdef").toString()}`;

/** Returns the answers of a faulty server that repeats the token wherever a text can be. */
const answersOf = (sent: string): Readonly<Record<string, object>> => ({
  initialize: {
    result: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, [sent]: 7 },
      serverInfo: { name: `server of ${sent}`, version: "1.0.0", id: sent },
      instructions: { [sent]: sent },
    },
  },
  ping: { result: {} },
  "tools/list": {
    result: {
      tools: [
        { name: sent, description: 7, inputSchema: { type: "object" } },
        { name: "one", inputSchema: `${"x".repeat(100)} ${sent}`, title: [sent] },
      ],
    },
  },
});

describe("no report shows the token of a login", () => {
  let folder: string;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reports-"));
    server = createServer(async (request, response) => {
      const { authorization = "nothing" } = request.headers;
      let text = "";
      for await (const chunk of request) text += String(chunk);
      if (request.method !== "POST") return void response.writeHead(405).end(authorization);
      if (!text.endsWith("}")) return void response.writeHead(400).end(authorization);
      const { id, method } = JSON.parse(text) as { id?: unknown; method?: string };
      if (id === undefined) return void response.writeHead(202).end();
      const message = `${authorization} may not ${method} ${"x".repeat(60)} ${authorization}`;
      const answer = answersOf(authorization)[method ?? ""] ?? { error: { code: -32000, message } };
      response.writeHead(200, { "content-type": "application/json", "x-token": authorization });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const issuer = "https://login.example.com";
    const known = { issuer, resource: url, location: url };
    const record = { ...known, clientId: "c", accessToken: TOKEN, requested: [], granted: [] };
    const store = fileStore({ folder: join(folder, "store") });
    await store.set(`tokens ${issuer} ${url} `, JSON.stringify(record));
    await store.set(`server ${url} `, JSON.stringify(known));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([[], ["--json"], ["--sarif"], ["--junit"]])("%j", async (...format) => {
    const words = ["doctor", url, "--login", "--store", "store", "--hints", ...format];
    const some = ["--revisions", "2025-11-25", "--timeout", "1", "--header", "X-Word: schema"];
    const { code, stdout, stderr } = await cli([...words, ...some], { cwd: folder });
    expect([code, stdout]).toEqual([1, expect.stringContaining("«masked»")]);
    // A word from a header is not masked in the report's own text.
    if (format[0] !== "--junit") expect(stdout).toContain("specification/2025-11-25/schema");
    // Not even a part of it.
    expect(`${stdout}${stderr}`).not.toMatch(/login-|0123456789/);
  });
});

it("a report masks the arguments of a command by their names", async () => {
  const program = "console.error(process.argv.join()); process.exit(1)";
  const secrets = ["--token", "s3cr3t-1", "--api-key=s3cr3t-2", "https://a:s3cr3t-3@b.test"];
  const words = ["doctor", "--junit", "--", process.execPath, "-e", program, "x", ...secrets];
  const { code, stdout, stderr } = await cli(words, { cwd: tmpdir() });
  expect([code, stdout]).toEqual([5, expect.stringContaining("--token «masked»")]);
  expect(`${stdout}${stderr}`).not.toContain("s3cr3t");
});
