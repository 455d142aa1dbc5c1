import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hostServer, hostServers } from "../../generator/cli/host-servers.js";
import { Diagnostics } from "../../generator/diagnostics.js";

it.each([
  ["valid", { command: "a" }, 0],
  ["without an address", {}, 1],
  ["with an unsupported member", { command: "a", disabledTools: ["rm"] }, 1],
  ["of an unsupported type", { url: "https://a.test", type: "ws" }, 1],
  ["with an unreadable envFile", { command: "a", envFile: "none.env" }, 1],
  ["with several faults", { command: "a", env: { A: null }, disabled: "yes" }, 2],
])("an entry %s is read alike by itself and with all others", (_, entry, problems) => {
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { one: entry } }));
  const [alone, together] = [new Diagnostics(), new Diagnostics()];

  const server = hostServer("one", file, alone);
  expect(hostServers(file, together)?.["one"]).toEqual(server);
  expect(server === undefined).toBe(problems > 0);
  expect(alone.items).toHaveLength(problems);
  expect(together.items).toEqual(alone.items);
});
