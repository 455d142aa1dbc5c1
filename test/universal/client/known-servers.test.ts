import { expect, onTestFinished, test } from "vitest";
import { MemoryEraCache, type StdioTarget } from "@mcp-codegen/runtime/facade/client";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import { Client } from "@mcp-codegen/2025-11-25";
import { StdioClientTransport } from "../../../runtime/stdio/client/stdio-client.js";
import { connect } from "./support/connecting.js";
import { program } from "./support/fake-process.js";

const TOOLS = `{ result: { tools: [{ name: String(seen), inputSchema: { type: "object" } }] } }`;

/** The only tool, which is called like the requests that its process has had. */
async function story(target: StdioTarget, options?: ConnectOptions): Promise<string> {
  const client = await connect(target, options);
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).join();
}

test("a gateway whose only session the probe has opened is started again without one (ERA-06)", async () => {
  const target = program(`
    if (request.method === "tools/list") return answer(request.id, ${TOOLS});
    if (request.method !== "initialize" || seen.length > 0)
      return answer(request.id, { error: { code: -32600, message: "Server already initialized" } });
    answer(request.id, { result: INITIALIZED });`);
  expect(await story(target)).toBe("initialize");
  const eras = new MemoryEraCache();
  expect(await story(target, { eras })).toBe("initialize");
  expect(await story(target, { eras })).toBe("initialize");
});

test("a server that refuses every handshake is started twice at most, and says why", async () => {
  const target = program(`answer(request.id, UNKNOWN);`);
  await expect(connect(target)).rejects.toMatchObject({ code: -32601 });
});

test("a server that refuses the probe with an error of stateless servers is not started again (ERA-03)", async () => {
  const target = program(
    `answer(request.id, { error: { code: -32020, message: request.method } });`,
  );
  await expect(connect(target)).rejects.toThrow("server/discover");
});

test("a server that answers the handshake with the id 0 is understood, pinned or not", async () => {
  const target = program(`
    if (request.method === "initialize") return answer(0, { result: INITIALIZED });
    answer(request.id, request.method === "tools/list" ? ${TOOLS} : UNKNOWN);`);
  expect(await story(target)).toBe("server/discover,initialize");
  expect(await story(target, { probeTimeout: 0 })).toBe("initialize");
  const client = new Client({ name: "pinned", version: "1" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ ...target, args: target.args! }));
  expect((await client.listTools()).tools).toMatchObject([{ name: "initialize" }]);
});

test("a server that is silent about what it does not know gets a handshake after a second (ERA-04)", async () => {
  const target = program(`
    if (request.method === "initialize") answer(request.id, { result: INITIALIZED });
    if (request.method === "tools/list") answer(request.id, ${TOOLS});`);
  expect(await story(target, { probeTimeout: 50 })).toBe("server/discover,initialize");
  expect(await story(target)).toBe("server/discover,initialize");
});

test("a server of both kinds that starts slowly is used without a session, now and later (ERA-12)", async () => {
  const discovered = {
    supportedVersions: revisions.map(({ id }) => id),
    capabilities: { tools: {} },
  };
  const { command, args = [] } = program(`
    const results = { "server/discover": ${JSON.stringify(discovered)}, initialize: INITIALIZED };
    if (results[request.method]) return answer(request.id, { result: results[request.method] });
    answer(request.id, ${TOOLS});`);
  const slow = [args[0]!, `setTimeout(() => { ${args[1]} }, 400);`];
  const eras = new MemoryEraCache();
  for (const requests of ["server/discover,initialize", "server/discover"]) {
    const isSlow = requests.includes("initialize");
    const target = { command, args: isSlow ? slow : args, closeGrace: 100 };
    const client = await connect(target, { eras, probeTimeout: isSlow ? 50 : 10_000 });
    expect(client.era).toBe("stateless");
    expect((await client.listTools()).tools).toMatchObject([{ name: requests }]);
  }
});
