import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { run } from "../../support/run.js";
import { bundle } from "./support/bundle.js";
import { closeAfter } from "./support/clients.js";
import { answer, mcpServer, stream, toolResult } from "./support/mcp-server.js";

const source = `
import { Client } from "./generated/2025-11-25/index.ts";
import { HttpClientTransport, SseClientTransport } from "./runtime/http/client/index.ts";

export { SseClientTransport };

export async function use(url) {
  const client = new Client({ name: "bundled", version: "1.0.0" }, {});
  await client.connect(new HttpClientTransport(url));
  const { content } = await client.callTool({ name: "x" });
  const call = client.callTool({ name: "never" });
  call.catch(() => {});
  await client.close();
  return content[0].text;
}
`;

async function serve() {
  const server = await mcpServer({
    sessions: ["s"],
    on: {
      GET: (_, response) => stream(response, ":here\n\n"),
      "tools/call": (seen, response) => {
        if (seen.body.params.name === "never") return stream(response, ":\n\n");
        return answer(response, seen, toolResult("hello"));
      },
    },
  });
  return closeAfter(server);
}

/** Everything that the code may expect from a browser or a Worker. */
const web = {
  AbortController,
  AbortSignal,
  DOMException,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  clearTimeout,
  console,
  fetch,
  performance,
  queueMicrotask,
  setTimeout,
};

describe("platforms", () => {
  it("run a bundle for the web without Node", async () => {
    const code = await bundle(source, "iife");
    expect(
      code.match(/\bnode:|\brequire\(|\bprocess\.\w|\bBuffer\b|\beval\(|new Function/),
    ).toBeNull();
    const server = await serve();
    const context = createContext({ ...web });
    const { use } = runInContext(`${code}; bundled`, context) as {
      use(url: string): Promise<string>;
    };
    expect(await use(server.url)).toBe("hello");
    expect(server.of("DELETE")).toHaveLength(1);
  });

  it("let a process exit after its connection is closed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "http-client-"));
    const file = join(folder, "main.mjs");
    const code = await bundle(source, "esm");
    await writeFile(file, `${code}\nconsole.log(await use(process.argv[2]));\n`);
    const server = await serve();
    const {
      code: exit,
      stdout,
      stderr,
    } = await run(process.execPath, [file, server.url], {
      timeout: 20_000,
    });
    await rm(folder, { recursive: true });
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: "hello\n", stderr: "" });
    expect(await server.connections()).toBe(0);
  });
});
