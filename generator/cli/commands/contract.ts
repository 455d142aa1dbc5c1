import type { Command, CommandOption } from "../command.js";
import { runOfContract } from "../contract-package.js";

export const contractDiff: Command = {
  name: "contract diff",
  parameters: "<old> <new>",
  description: "Show what changed between two lock files, and what it breaks",
  positionals: {
    old: { type: "string", description: "Older lock file" },
    new: { type: "string", description: "Newer lock file" },
  },
  options: {
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "Lowest class of change that causes exit code 1",
      default: "prose",
      requiresArg: true,
    },
    ignore: {
      type: "string",
      array: true,
      nargs: 1,
      value: "pointer",
      description: "Place to leave out of the comparison, as in lock --ignore",
      requiresArg: true,
    },
    sarif: { type: "boolean", description: "Print SARIF 2.1.0, for code hosts" },
  },
  examples: [
    ["$0 contract diff old.lock.json mcp.lock.json", ""],
    ["$0 contract diff old.lock.json mcp.lock.json --fail-on breaking", "texts may change"],
    ["$0 contract diff old.lock.json mcp.lock.json --sarif > changes.sarif", ""],
  ],
  epilogue: [
    "breaking: a program that worked before may fail. dangerous: hints, pages and hidden characters that a host relies on.",
    "prose: texts that a model reads. additive: everything else. Changes that cannot be compared count as breaking, and are marked.",
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
      "Folder for the files (default: contracts/<kind>); with several servers, each has a subfolder",
    requiresArg: true,
  },
  force: {
    type: "boolean",
    description: "Also replace files that were edited after they were generated",
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

export const contractClient: Command = {
  name: "contract client",
  parameters: "[name]",
  description: "Generate a typed client of a server from its contract",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [
    ["$0 contract client github --out src/github", "github.tools.searchIssues({ … })"],
    ["$0 contract client --check", "in CI: fail if the code does not match the lock file"],
  ],
  epilogue:
    "The code imports @mcp-codegen/contract, @mcp-codegen/runtime and @mcp-codegen/universal. It checks arguments before sending them, and results on arrival.",
  json: EMIT_JSON,
  run: runOfContract("contract client"),
};

export const contractServer: Command = {
  name: "contract server",
  parameters: "[name]",
  description:
    "Generate a server that must fulfil a contract: a missing handler is a compile error",
  positionals: NAME,
  options: EMIT_OPTIONS,
  examples: [
    ["$0 contract server github --out src/github-server", "implementGithub(server, { … })"],
  ],
  epilogue:
    "The code imports @mcp-codegen/contract, @mcp-codegen/runtime and @mcp-codegen/universal. It registers the definitions of the contract unchanged.",
  json: EMIT_JSON,
  run: runOfContract("contract server"),
};

export const contractMock: Command = {
  name: "contract mock",
  parameters: "[name]",
  description: "Serve a contract with generated answers, for tests without the server",
  positionals: {
    name: { type: "string", description: "Server of the lock file, if there are several" },
  },
  options: {
    lock: EMIT_OPTIONS["lock"]!,
    port: {
      type: "number",
      value: "port",
      description: "Serve over HTTP on this port, 0 for any (default: standard input and output)",
      requiresArg: true,
    },
    seed: {
      type: "string",
      value: "text",
      description: "With the same seed, the same arguments return the same answers",
      default: "0",
      requiresArg: true,
    },
  },
  examples: [
    ["$0 contract mock github", "for clients that start their servers"],
    ["$0 contract mock github --port 3000", "at http://127.0.0.1:3000/mcp"],
  ],
  epilogue: "Results with a schema are generated from it; all others state what was called.",
  carriesMessages: (values) => values.number("port") === undefined,
  run: runOfContract("contract mock"),
};

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
