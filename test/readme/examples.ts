import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/pack.js";
import { snippets } from "./snippets.js";

/** An `@example` of a doc comment. */
export interface Example {
  readonly file: string;
  /** The line of the doc comment, counted from 1. */
  readonly line: number;
  /** The name of the declaration that the comment documents. */
  readonly name: string;
  /** The code; undefined if there is no TypeScript block. */
  readonly text: string | undefined;
}

/**
 * Names that examples use without importing them, with the statements that define them at the start of the reader's
 * program.
 */
const IMPORTS: Readonly<Record<string, string>> = {
  z: `import * as z from "zod";`,
  listen: `import { listen } from "@mcp-codegen/runtime/http/node";`,
  expressRoute: `import { expressRoute } from "@mcp-codegen/runtime/http/express";`,
  honoRoute: `import { honoRoute } from "@mcp-codegen/runtime/http/hono";`,
  fastifyPlugin: `import { fastifyPlugin } from "@mcp-codegen/runtime/http/fastify";`,
  ...from("@mcp-codegen/runtime/http/server", ["createHealthHandler"]),
  ...from("@mcp-codegen/runtime/http/sharing", ["MemoryEventStore"]),
  SharedSessions: `import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";`,
  storeMetrics: `import { storeMetrics } from "@mcp-codegen/runtime/opentelemetry";`,
  HttpClientTransport: `import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";`,
  StdioClientTransport: `import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";`,
  oauth: `import { oauth } from "@mcp-codegen/auth/client";`,
  resourceServer: `import { resourceServer } from "@mcp-codegen/auth/server";`,
  ...from("@mcp-codegen/runtime/features", ["Tools", "Prompts", "Resources"]),
  ResponseCache: `import { ResponseCache } from "@mcp-codegen/runtime/facade/cache";`,
  ...from("@mcp-codegen/bridge", ["HeldCalls", "bridge"]),
  ...from("@mcp-codegen/testing", ["assertThat", "eachRevision", "judge", "tape", "testClient"]),
  ...from("vitest", ["expect", "test"]),
  ...from("@mcp-codegen/universal", [
    "McpServer",
    "ResourceTemplate",
    "acceptedContent",
    "connect",
    "createHttpHandler",
    "inputRequired",
    "isResourceNotFound",
    "serveStdio",
  ]),
};

/** Values that the reader already has. */
const VALUES: Readonly<Record<string, string>> = {
  server: `declare const server: import("@mcp-codegen/universal").McpServer;`,
  client: `declare const client: import("@mcp-codegen/universal").McpClient;`,
  uri: "declare const uri: string;",
  createServer: `declare function createServer(): import("@mcp-codegen/universal").McpServer;`,
};

function from(module: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `import { ${name} } from "${module}";`]));
}

/** Returns the examples in a source file's doc comments. */
export function examplesOf(file: string): Example[] {
  const source = readFileSync(join(root, file), "utf8");
  const comments = source.matchAll(
    /^([ \t]*)\/\*\*\n((?:[ \t]*\*(?!\/).*\n)+)[ \t]*\*\/\n(?=(.*))/gm,
  );
  return [...comments].flatMap((match) => {
    const [, , comment = "", declaration = ""] = match;
    const [, ...examples] = comment.replaceAll(/^[ \t]*\* ?/gm, "").split(/^@example\b/m);
    const line = source.slice(0, match.index).split("\n").length;
    const name =
      /^\s*(?:(?:export|readonly|async|declare|abstract|class|interface|function|const|type) )*(\w+)/.exec(
        declaration,
      )?.[1] ?? "";
    return examples.map((example) => {
      const block = snippets(example).find(({ language }) => language === "ts");
      return { file, line, name, text: block?.text };
    });
  });
}

/** Returns the example as a module, with the imports and values that it takes for granted. */
export function moduleOf(text: string): string {
  const given = Object.entries({ ...IMPORTS, ...VALUES })
    .filter(([name]) => new RegExp(String.raw`(?<![\w."/-])${name}(?![\w"/-])`).test(text))
    .filter(
      ([name]) => !new RegExp(String.raw`(?:const |using |import .*\{.*)\b${name}\b`).test(text),
    )
    .map(([, line]) => line);
  return [...given, text, "export {};", ""].join("\n");
}
