import type { Command, CommandOption } from "../command.js";
import { runOfContract } from "../contract-package.js";

/** Classes of change between two contracts. */
export const contractDiff: Command = {
  name: "contract diff",
  parameters: "<old> <new>",
  description: "Show what changed between two lock files, and whom it breaks",
  positionals: {
    old: { type: "string", description: "Lock file as it was" },
    new: { type: "string", description: "Lock file as it is" },
  },
  options: {
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "The least change for which the exit code is 1",
      default: "prose",
      requiresArg: true,
    },
    ignore: {
      type: "string",
      array: true,
      nargs: 1,
      value: "pointer",
      description: "Place that is not compared, as in lock --ignore",
      requiresArg: true,
    },
    sarif: { type: "boolean", description: "As SARIF 2.1.0, for code hosts" },
  },
  examples: [
    ["$0 contract diff old.lock.json mcp.lock.json", ""],
    ["$0 contract diff old.lock.json mcp.lock.json --fail-on breaking", "texts may change"],
    ["$0 contract diff old.lock.json mcp.lock.json --sarif > changes.sarif", ""],
  ],
  epilogue: [
    "breaking: a program that was right before may fail. dangerous: hints, pages and hidden characters that a host relies on.",
    "prose: texts that a model reads. additive: all the rest. What cannot be compared counts as breaking, and says so.",
  ].join("\n"),
  json: "changes: [{ class, server, list, name, pointer, message, undecided? }]",
  run: runOfContract("contract diff"),
};

const EMIT_OPTIONS: Readonly<Record<string, CommandOption>> = {
  lock: {
    type: "string",
    value: "file",
    description: "The lock file",
    default: "mcp.lock.json",
    requiresArg: true,
  },
  out: {
    type: "string",
    value: "folder",
    description:
      "Folder for the files (default: contracts/<kind>); each server has one below it where several are made",
    requiresArg: true,
  },
  force: {
    type: "boolean",
    description: "Replace files that were edited after they were generated, too",
  },
  check: {
    type: "boolean",
    description:
      "Write nothing; list every file that differs from the generated one, with a diff, and exit 1",
  },
  "dry-run": {
    type: "boolean",
    description: "Write nothing; list what would be written and removed",
  },
};

const NAME = {
  name: { type: "string", description: "Server of the lock file (default: all)" },
} as const;

const EMIT_JSON = [
  "mode, summary: { files, bytes, milliseconds },",
  "outputs: [{ revision, contract, folder, files: [{ path, status, bytes?, note?, diff? }] }]",
].join("\n");

/** Generates a typed client. */
export const contractClient: Command = {
  name: "contract client",
  parameters: "[name]",
  description: "Generate a typed client of a server from its contract",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [
    ["$0 contract client github --out src/github", "github.tools.searchIssues({ … })"],
    ["$0 contract client --check", "in CI: fail when the code does not belong to the lock file"],
  ],
  epilogue:
    "The code imports @mcp-codegen/contract, @mcp-codegen/runtime and @mcp-codegen/universal. It checks arguments before they are sent, and results.",
  json: EMIT_JSON,
  run: runOfContract("contract client"),
};

/** Generates a typed server. */
export const contractServer: Command = {
  name: "contract server",
  parameters: "[name]",
  description:
    "Generate a server that has to keep a contract: a handler that is missing does not compile",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [
    ["$0 contract server github --out src/github-server", "implementGithub(server, { … })"],
  ],
  epilogue:
    "The code imports @mcp-codegen/contract, @mcp-codegen/runtime and @mcp-codegen/universal. It registers the definitions of the contract as they are.",
  json: EMIT_JSON,
  run: runOfContract("contract server"),
};

/** Serves made-up results. */
export const contractMock: Command = {
  name: "contract mock",
  parameters: "[name]",
  description: "Serve a contract with made-up answers, for tests without the server",
  positionals: {
    name: { type: "string", description: "Server of the lock file, if there are several" },
  },
  options: {
    lock: EMIT_OPTIONS["lock"]!,
    port: {
      type: "number",
      value: "number",
      description: "Serve over HTTP on this port, 0 for any (default: standard input and output)",
      requiresArg: true,
    },
    seed: {
      type: "string",
      value: "text",
      description: "The same seed gives the same answers to the same arguments",
      default: "0",
      requiresArg: true,
    },
  },
  examples: [
    ["$0 contract mock github", "for clients that start their servers"],
    ["$0 contract mock github --port 3000", "at http://127.0.0.1:3000/mcp"],
  ],
  epilogue: "Results that have a schema are made from it; all others say what was called.",
  run: runOfContract("contract mock"),
};

/** Generates one file per tool. */
export const contractTree: Command = {
  name: "contract tree",
  parameters: "[name]",
  description: "Generate one module for each tool, for agents that find tools by reading files",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [["$0 contract tree github --out servers/github", "index.md lists the tools"]],
  json: EMIT_JSON,
  run: runOfContract("contract tree"),
};

/** Generates pages about a server. */
export const contractDocs: Command = {
  name: "contract docs",
  parameters: "[name]",
  description: "Generate pages about a server from its contract, as Markdown and HTML",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [["$0 contract docs github --out docs/github", ""]],
  json: EMIT_JSON,
  run: runOfContract("contract docs"),
};
