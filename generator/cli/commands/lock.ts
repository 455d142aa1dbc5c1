import type { Command } from "../command.js";
import { runOfContract } from "../contract-package.js";
import { connectionOptions } from "./shared-options.js";

const { header, env, revision, store, timeout, "client-id": client } = connectionOptions;

/** Records what servers offer, or compares it with the record. */
export const lock: Command = {
  name: "lock",
  parameters: "[names..]",
  rest: "command",
  description: "Write what a server offers into mcp.lock.json, or check that it is still so",
  positionals: {
    names: {
      type: "string",
      description:
        "A name for the server, and its URL; without URL, command and --from: names of servers in the file to read again (default: all)",
    },
  },
  options: {
    from: {
      type: "string",
      value: "file",
      description: "Read what the server offers from a saved manifest: { tools: [ … ], … }",
      requiresArg: true,
      group: "Server",
    },
    header: {
      ...header,
      description: `${header.description}. Only its name is written`,
    },
    env: {
      ...env,
      description:
        "Variable of the environment that the command gets. Only its name is written; $NAME works in its arguments, too",
    },
    revision,
    only: {
      type: "string",
      array: true,
      nargs: 1,
      value: "lists",
      description: "Lists to lock, such as tools,prompts (default: all)",
      requiresArg: true,
      group: "Server",
    },
    ignore: {
      type: "string",
      array: true,
      nargs: 1,
      value: "pointer",
      description:
        "Place to leave out of every definition, such as /inputSchema/properties/from/default; * stands for any member",
      requiresArg: true,
      group: "Server",
    },
    declare: {
      type: "string",
      array: true,
      nargs: 1,
      value: "capability",
      description:
        "Client capability to declare, such as elicitation or sampling.tools, for servers that offer more to such clients",
      requiresArg: true,
      group: "Server",
    },
    as: {
      type: "string",
      value: "label",
      description: "Label for servers that answer differently to different users: github@label",
      requiresArg: true,
      group: "Server",
    },
    "client-id": client,
    store,
    timeout: { ...timeout, description: "Time for reading one server" },
    out: {
      type: "string",
      value: "file",
      description: "The lock file",
      default: "mcp.lock.json",
      requiresArg: true,
      group: "Output",
    },
    check: {
      type: "boolean",
      description: "Write nothing; show what is no longer as it was locked, and exit 1",
      group: "Mode",
    },
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "The least change for which --check exits 1 (default: any)",
      requiresArg: true,
      group: "Mode",
    },
  },
  examples: [
    ["$0 lock github https://api.githubcopilot.com/mcp", "a server over HTTP"],
    ["$0 lock files -- npx -y @modelcontextprotocol/server-filesystem .", "one that is started"],
    ['$0 lock crm https://crm.example/mcp --header "Authorization: Bearer $TOKEN"', ""],
    ["$0 lock db --only tools -- npx -y @modelcontextprotocol/server-postgres", "tools alone"],
    ["$0 lock --check", "in CI: all servers of the file"],
    ["$0 lock", "reads all of them again, and shows what is new"],
  ],
  epilogue: [
    "Needs the package @mcp-codegen/contract. If you have logged in with `mcp-codegen login`, its tokens are sent.",
    "The file records --only, --ignore and --declare, so that later runs and --check use them.",
    "The file has no secret, no clock and no path of this machine but those in a command: commit it, and review its changes.",
    "Without a URL, a command or --from, this starts the commands that the file names, as npm starts scripts.",
  ].join("\n"),
  json: "file, servers: [{ name, status: new | changed | unchanged, digest, changes: [{ class, list, name, pointer, message, undecided? }] }]",
  run: runOfContract("lock"),
};
