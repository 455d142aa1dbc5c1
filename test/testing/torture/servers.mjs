// Tortures our servers and those of other SDKs, and prints a table: npm run torture:servers
import { join } from "node:path";
import { torture } from "@mcp-codegen/testing/torture";

const root = join(import.meta.dirname, "../../..");
const servers = {
  "mcp-codegen": ["test/interop/programs/our-server.mjs", "stdio"],
  "SDK 1": ["test/fixtures/peers/sdk-v1-server.mjs"],
  "SDK 2": ["test/fixtures/peers/sdk-v2-server.mjs"],
};

const rows = new Map();
for (const [name, words] of Object.entries(servers)) {
  const command = [process.execPath, join(root, words[0]), ...words.slice(1)];
  for (const { id, outcome, message } of await torture({ command }, { timeout: 20_000 })) {
    const row = rows.get(id) ?? {};
    rows.set(id, { ...row, [name]: outcome === "passed" ? "passed" : message.slice(0, 60) });
  }
}
console.table(Object.fromEntries(rows));
