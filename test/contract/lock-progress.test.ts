import { once } from "node:events";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { expect, it, onTestFinished } from "vitest";
import { main } from "../../generator/cli/main.js";
import { TestFolder } from "../output/folder.js";

const toolsOf = (names: readonly string[]) =>
  names.map((name) => ({ name, inputSchema: { type: "object" as const } }));

/** Starts a server with two pages of tools, the second of which waits. */
async function twoPages(second: Promise<unknown>): Promise<string> {
  const server = new McpServer({ name: "slow", version: "1" }, { capabilities: { tools: {} } });
  server.setHandler("tools/list", async ({ cursor }) => {
    if (cursor === undefined) return { tools: toolsOf(["a", "b", "c"]), nextCursor: "2" };
    await second;
    return { tools: toolsOf(["d"]) };
  });
  const { url, close } = await listen(createHttpHandler(server));
  onTestFinished(() => close(0));
  return url;
}

/** Runs a command line in this process. `shown` resolves once a text has been written to the terminal. */
function running(text: string) {
  const written = { out: "", err: "" };
  const seen = new EventTarget();
  const shown = once(seen, "shown");
  const stream = (name: "out" | "err") => ({
    isTTY: true,
    columns: 100,
    write: (piece: string) => {
      written[name] += piece;
      if (written.err.includes(text)) seen.dispatchEvent(new Event("shown"));
    },
  });
  const surroundings = { stdout: stream("out"), stderr: stream("err"), env: { NO_COLOR: "1" } };
  return { written, shown, start: (args: string[]) => main(args, surroundings) };
}

it("shows the list, the page and the number of entries while it reads a server", async () => {
  using folder = new TestFolder();
  const { written, shown, start } = running("Reading slow: tools, page 2, 3 so far …");
  const url = await twoPages(shown);
  const file = `${folder.path}/mcp.lock.json`;
  expect(await start(["lock", "slow", url, "--out", file])).toBe(0);
  // The progress line is cleared before the report is written.
  expect(written.err).toContain("page 2, 3 so far …\r\u001b[K");
  expect(folder.read("mcp.lock.json")).toContain('"name": "d"');
});
