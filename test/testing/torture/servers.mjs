// Tortures our servers and those of the official SDKs, and writes the table REPORT.md: npm run torture:servers
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { torture } from "@mcp-codegen/testing/torture";
import { format } from "prettier";

const root = join(import.meta.dirname, "../../..");
const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
const servers = {
  "mcp-codegen": ["test/interop/programs/our-server.mjs", "stdio"],
  [`SDK ${versionOf("@modelcontextprotocol/sdk")}`]: ["test/fixtures/peers/sdk-v1-server.mjs"],
  [`SDK ${versionOf("@modelcontextprotocol/server")}`]: ["test/fixtures/peers/sdk-v2-server.mjs"],
};

const rows = new Map();
for (const [name, words] of Object.entries(servers)) {
  const command = [process.execPath, join(root, words[0]), ...words.slice(1)];
  for (const { id, outcome, message = "" } of await torture({ command }, { timeout: 30_000 })) {
    const text = message.replace(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 60);
    const row = rows.get(id) ?? {};
    rows.set(id, { ...row, [name]: outcome === "passed" ? "passed" : text });
  }
}
const names = Object.keys(servers);
const lines = [...rows].map(([id, row]) => [`\`${id}\``, ...names.map((name) => row[name])]);
const counts = names.map(
  (name) => [...rows.values()].filter((row) => row[name] === "passed").length,
);
const cells = (row) => `| ${row.join(" | ")} |`;
const text = `# Torture of servers

Outcome of [each case](../../../runtime/docs/torture.md) over stdio, written by \`npm run torture:servers\`. It is a table, not a bar: a server may
refuse what a case expects to be read.

${cells(["Case", ...names])}
${cells(["---", ...names.map(() => "---")])}
${lines.map(cells).join("\n")}
${cells(["passed", ...counts])}
`;
writeFileSync(
  join(import.meta.dirname, "REPORT.md"),
  await format(text, { parser: "markdown", printWidth: 100 }),
);
process.exitCode = counts[0] === rows.size ? 0 : 1;
