// Tortures our servers and those of other projects, examines them with the doctor, and writes the tables in REPORT.md:
// npm run torture:servers. If MCP_PYTHON names a Python that has FastMCP, this includes its server.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examineServer } from "@mcp-codegen/testing/doctor";
import { torture } from "@mcp-codegen/testing/torture";
import { format } from "prettier";

const root = join(import.meta.dirname, "../../..");
const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
const { MCP_PYTHON: python } = process.env;
const fastmcp = () =>
  execFileSync(python, ["-c", "import fastmcp; print(fastmcp.__version__)"]).toString().trim();
const node = (path, ...args) => [process.execPath, join(root, path), ...args];
const peers = "test/fixtures/peers";
const servers = {
  "mcp-codegen": node("test/interop/programs/our-server.mjs", "stdio"),
  [`SDK ${versionOf("@modelcontextprotocol/sdk")}`]: node(`${peers}/sdk-v1-server.mjs`),
  [`SDK ${versionOf("@modelcontextprotocol/server")}`]: node(`${peers}/sdk-v2-server.mjs`),
  ...(python && { [`FastMCP ${fastmcp()}`]: [python, join(root, peers, "fastmcp-server.py")] }),
};

const rows = new Map();
const findings = new Map();
for (const [name, command] of Object.entries(servers)) {
  const limits = { timeout: 30_000, grace: 5_000, total: 600_000 };
  const examination = await examineServer({ command }, { callSafe: true, ...limits });
  if (examination.spoken.length === 0) throw new Error(`${name} speaks no revision`);
  for (const { id, severity } of examination.findings)
    findings.set(id, { ...findings.get(id), [name]: severity });
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
const found = [...findings].map(([id, row]) => [
  `\`${id}\``,
  ...names.map((name) => row[name] ?? ""),
]);
const cells = (row) => `| ${row.join(" | ")} |`;
const text = `# Torture of servers

Outcome of [each case](../../../runtime/docs/torture.md) over stdio, written by \`npm run torture:servers\`. It is a table, not a bar: a server may
refuse what a case expects to be read.

${cells(["Case", ...names])}
${cells(["---", ...names.map(() => "---")])}
${lines.map(cells).join("\n")}
${cells(["passed", ...counts])}

## Findings of the doctor

What [the doctor](../../../runtime/docs/doctor.md) finds in the same servers, all tools that only read being called.

${cells(["Check", ...names])}
${cells(["---", ...names.map(() => "---")])}
${found.map(cells).join("\n")}
`;
writeFileSync(
  join(import.meta.dirname, "REPORT.md"),
  await format(text, { parser: "markdown", printWidth: 100 }),
);
process.exitCode = counts[0] === rows.size ? 0 : 1;
