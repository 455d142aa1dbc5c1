import { expect, onTestFinished, test } from "vitest";
import { MemoryEraCache, type StdioTarget } from "@mcp-codegen/runtime/facade/client";
import { type ConnectOptions, revisions } from "@mcp-codegen/universal";
import { Client } from "@mcp-codegen/2025-11-25";
import { StdioClientTransport } from "../../../runtime/stdio/client/stdio-client.js";
import { connect } from "./support/connecting.js";
import { program } from "./support/fake-process.js";

const TOOLS = `{ result: { tools: [{ name: String(seen), inputSchema: { type: "object" } }] } }`;

/** Returns the name of the only tool, which lists the requests that its process has received. */
async function story(target: StdioTarget, options?: ConnectOptions): Promise<string> {
  const client = await connect(target, options);
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).join();
}

test("a gateway that supports one session is started again if the probe has used it up (ERA-06)", async () => {
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

test("a server that refuses every handshake is started at most twice, and the error has the reason", async () => {
  const target = program(`answer(request.id, UNKNOWN);`);
  await expect(connect(target)).rejects.toMatchObject({ code: -32601 });
});

test("a server that refuses the probe with an error of stateless servers is not started again (ERA-03)", async () => {
  const target = program(
    `answer(request.id, { error: { code: -32020, message: request.method } });`,
  );
  await expect(connect(target)).rejects.toThrow("server/discover");
});

test("a server that answers initialize with the id 0 is accepted, pinned or not", async () => {
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

test("a server that ignores unknown requests gets a handshake after a second (ERA-04)", async () => {
  const target = program(`
    if (request.method === "initialize") answer(request.id, { result: INITIALIZED });
    if (request.method === "tools/list") answer(request.id, ${TOOLS});`);
  expect(await story(target, { probeTimeout: 50 })).toBe("server/discover,initialize");
  expect(await story(target)).toBe("server/discover,initialize");
});

/** Creates a server that discovers all revisions and treats a handshake as configured. It may start slowly. */
function newServer(handshake: string, delay: number): StdioTarget {
  const discovered = {
    supportedVersions: revisions.map(({ id }) => id),
    capabilities: { tools: {} },
  };
  const { args = [], ...rest } = program(`
    const result = ${JSON.stringify(discovered)};
    if (request.method === "server/discover") return answer(request.id, { result });
    answer(request.id, request.method === "initialize" ? ${handshake} : ${TOOLS});`);
  return { ...rest, args: [args[0]!, `setTimeout(() => { ${args[1]} }, ${delay});`] };
}

test.each([
  ["refuses", "UNKNOWN", "server/discover,initialize"],
  ["accepts", "{ result: INITIALIZED }", "server/discover,initialize,server/discover"],
])(
  "a server that starts slowly and %s a handshake is stateless (ERA-02, ERA-12)",
  async (_, handshake, requested) => {
    const client = await connect(newServer(handshake, 400), { probeTimeout: 50 });
    expect(client.era).toBe("stateless");
    expect((await client.listTools()).tools).toMatchObject([{ name: requested }]);
  },
);

test("a server that refused a handshake once gets no further one (ERA-12)", async () => {
  const eras = new MemoryEraCache();
  const slow = await connect(newServer("UNKNOWN", 400), { eras, probeTimeout: 50 });
  await slow.close();
  expect(await story(newServer("UNKNOWN", 400), { eras, probeTimeout: 10_000 })).toBe(
    "server/discover",
  );
});
