import { expect, it, onTestFinished, vi } from "vitest";
import { isReservedMetaKey } from "../../../runtime/wire/index.js";
import { Talk } from "./support/talk.js";
import { McpServer, REVISIONS } from "./support/server.js";

it.each([
  ["io.modelcontextprotocol/evil", true],
  ["dev.mcp/a", true],
  ["com.mcp.tools/a", true],
  ["COM.MCP/a", true],
  ["com.example.mcp/a", false],
  ["mcp/a", false],
  ["com.mcpserver/a", false],
  ["com.example/mcp", false],
  ["mcp", false],
])("the key %s is reserved: %s (META-05, META-06)", (key, isReserved) => {
  expect(isReservedMetaKey(key)).toBe(isReserved);
});

it.each([
  ["development", 1],
  ["production", 0],
])(
  "definitions with reserved keys in _meta: %s has %d report (META-05, META-06)",
  async (environment, count) => {
    vi.stubEnv("NODE_ENV", environment);
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = new McpServer();
    server.registerExtension("io.modelcontextprotocol/mine", {});
    const meta = {
      "io.modelcontextprotocol/evil": 1,
      "io.modelcontextprotocol/mine": 2,
      "io.modelcontextprotocol/related-task": { taskId: "t" },
      "com.example/own": 3,
    };
    server.registerTool("a", { _meta: meta }, () => "");
    server.registerPrompt("b", { _meta: meta }, () => "");
    await Talk.with(server, REVISIONS[0]!);
    await Talk.with(server, REVISIONS[1]!);
    const text = `"io.modelcontextprotocol/evil": MCP reserves such prefixes`;
    expect(server.reports.map(({ message }) => message)).toEqual(
      Array(count).fill(expect.stringContaining(text)),
    );
  },
);
