import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sources } from "../architecture/imports.js";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { examplesOf, moduleOf } from "./examples.js";

const folder = join(root, "test/readme/tmp-examples");
const examples = [
  ...sources("runtime"),
  "generated/universal/server.ts",
  "generated/universal/client.ts",
].flatMap(examplesOf);
const place = ({ file, line }: { file: string; line: number }): string => `${file}:${line}`;

/** The names of everything that users register, connect or configure, each with its file. */
const SHOWN: readonly (readonly [name: string, file: string])[] = [
  ["McpServer", "generated/universal/server.ts"],
  ["ResourceTemplate", "generated/universal/server.ts"],
  ["connect", "generated/universal/client.ts"],
  ["connect", "runtime/facade/server/mcp-server.ts"],
  ["registerTool", "runtime/facade/server/mcp-server.ts"],
  ["registerPrompt", "runtime/facade/server/mcp-server.ts"],
  ["registerResource", "runtime/facade/server/mcp-server.ts"],
  ["setHandler", "runtime/facade/server/mcp-server.ts"],
  ["inputRequired", "runtime/facade/server/input-required.ts"],
  ["elicit", "runtime/facade/server/context-types.ts"],
  ["ResponseCache", "runtime/facade/cache/response-cache.ts"],
  ["createHttpHandler", "runtime/http/server/create-http-handler.ts"],
  ["listen", "runtime/http/node/listen.ts"],
  ["expressRoute", "runtime/http/mounts/express.ts"],
  ["honoRoute", "runtime/http/mounts/hono.ts"],
  ["fastifyPlugin", "runtime/http/mounts/fastify.ts"],
  ["HttpClientTransport", "runtime/http/client/http-client-transport.ts"],
  ["serveStdio", "runtime/stdio/serve-stdio.ts"],
  ["StdioClientTransport", "runtime/stdio/client/stdio-client.ts"],
  ["Tools", "runtime/features/tools.ts"],
  ["Prompts", "runtime/features/prompts.ts"],
  ["Resources", "runtime/features/resource-templates.ts"],
  ["oauth", "runtime/auth/client/oauth.ts"],
  ["resourceServer", "runtime/auth/server/resource-server.ts"],
];

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("examples in doc comments", () => {
  it.each(SHOWN)("show how to use %s, of %s", (name, file) => {
    expect(
      examples.filter((example) => example.name === name && example.file === file),
    ).toHaveLength(1);
  });

  it("are blocks of TypeScript of at most ten lines", () => {
    const others = examples.filter(
      ({ text }) => text === undefined || text.split("\n").length > 10,
    );
    expect(others.map(place)).toEqual([]);
  });

  it("type-check", async () => {
    for (const [index, { text = "" }] of examples.entries())
      writeFileSync(join(folder, `${index}.ts`), moduleOf(text));
    const config = { extends: "../../../tsconfig.json", include: ["."], exclude: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]);
    const named = stdout.replaceAll(/^.*?(\d+)\.ts(?=\()/gm, (_, index: string) =>
      place(examples[Number(index)]!),
    );
    expect(named).toBe("");
  });
});
