import type { Command } from "../command.js";
import { runOfContract } from "../contract-package.js";
import { connectionOptions } from "./shared-options.js";

const { header, env, revision, store, timeout, "client-id": client } = connectionOptions;

export const lock: Command = {
  name: "lock",
  parameters: "[names..]",
  rest: "command",
  description: "Record what a server offers in mcp.lock.json, or check that it is unchanged",
  positionals: {
    names: {
      type: "string",
      description:
        "A name for the server, and its URL. Without a URL, command or --from: servers in the file to read again (default: all)",
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
        "Environment variable to pass to the command. Only its name is written; arguments may use $NAME, too",
    },
    revision,
    only: {
      type: "string",
      array: true,
      nargs: 1,
      value: "lists",
      description: "Lists to lock, such as tools,resources (default: all)",
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
    timeout: { ...timeout, description: "Time limit for reading one server" },
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
      description: "Write nothing; show what differs from the lock file, and exit 1",
      group: "Mode",
    },
    "fail-on": {
      type: "string",
      value: "class",
      choices: ["breaking", "dangerous", "prose", "any"],
      description: "Lowest class of change for which --check exits 1 (default: any)",
      requiresArg: true,
      group: "Mode",
    },
  },
  examples: [
    ["$0 lock github https://api.githubcopilot.com/mcp", "a server over HTTP"],
    [
      "$0 lock files -- npx -y @modelcontextprotocol/server-filesystem .",
      "a server that this starts",
    ],
    ['$0 lock crm https://crm.example/mcp --header "Authorization: Bearer $TOKEN"', ""],
    ["$0 lock db --only tools -- npx -y @modelcontextprotocol/server-postgres", "tools alone"],
    ["$0 lock --check", "in CI: all servers of the file"],
    ["$0 lock", "reads all of them again, and shows what changed"],
  ],
  epilogue: [
    "Needs the package @mcp-codegen/contract. If you have logged in with `mcp-codegen login`, its tokens are sent.",
    "The file records --only, --ignore and --declare, so that later runs and --check use them.",
    "The file contains no secret or timestamp, and no local path except in a command: commit it, and review its changes.",
    "Without a URL, a command or --from, this runs the commands in the file, as npm runs scripts.",
  ].join("\n"),
  json: "file, servers: [{ name, status: new | changed | unchanged, digest, changes: [{ class, list, name, pointer, message, undecided? }] }]",
  run: runOfContract("lock"),
};
