import type { Command, Context, Values } from "../command.js";
import { loadPart } from "../load-part.js";
import { connectionOptions } from "./shared-options.js";

/** The module `@mcp-codegen/bridge/cli`, which implements the command. */
interface BridgePackage {
  run(values: Values, context: Context): ReturnType<Command["run"]>;
}

// Declared as `string`, because the package is built after this one and its types do not exist yet.
const SPECIFIER: string = "@mcp-codegen/bridge/cli";

const load = (): Promise<BridgePackage> => import(SPECIFIER) as Promise<BridgePackage>;

const { header, env, store, timeout, "client-id": client } = connectionOptions;

export const bridge: Command = {
  name: "bridge",
  parameters: "[url]",
  rest: "command",
  description: "Connect any client to any server, or to several servers as one",
  positionals: {
    url: {
      type: "string",
      description: "Address of the server, or its name in a file of a host such as .mcp.json",
    },
  },
  options: {
    config: {
      type: "string",
      value: "file",
      description: "Serve before all servers of a host's file: { mcpServers: { name: { … } } }",
      requiresArg: true,
      group: "Server",
    },
    "upstream-revision": {
      type: "string",
      completes: "revisions",
      value: "id",
      description: "Only revision to use with servers (default: the newest that both support)",
      requiresArg: true,
      group: "Server",
    },
    separator: {
      type: "string",
      value: "text",
      description: "Text between the name of a server and that of its tool (default: _)",
      requiresArg: true,
      group: "Server",
    },
    header,
    env,
    "client-id": client,
    store,
    timeout: { ...timeout, description: "Time for connecting" },
    policy: {
      type: "string",
      value: "file",
      description:
        "Rules for what clients may use: { <server or *>: { allow, deny, readOnly, confirm, contract, onDrift, maxCallsPerMinute } }",
      requiresArg: true,
      group: "Clients",
    },
    catalog: {
      type: "string",
      value: "kind",
      description:
        "Tools that clients see: all, or search, which are two that find and call them (default: all)",
      requiresArg: true,
      group: "Clients",
    },
    stdio: {
      type: "boolean",
      description: "Serve one client on standard input and output (the default)",
      group: "Clients",
    },
    http: {
      type: "string",
      value: "port",
      mayLackValue: true,
      description: "Serve over Streamable HTTP, at /mcp (default port: a free one)",
      group: "Clients",
    },
    sse: {
      type: "string",
      value: "port",
      mayLackValue: true,
      description: "Serve over HTTP+SSE of 2024-11-05, at /sse",
      group: "Clients",
    },
    revisions: {
      type: "string",
      array: true,
      nargs: 1,
      value: "ids",
      description: "Revisions to serve, with commas between (default: all)",
      requiresArg: true,
      group: "Clients",
    },
    host: {
      type: "string",
      value: "name",
      description: "Address to listen on (default: 127.0.0.1); others need --token-env",
      requiresArg: true,
      group: "Clients",
    },
    "token-env": {
      type: "string",
      array: true,
      nargs: 1,
      value: "name",
      description:
        "Variable of the environment with the token that clients send; one for each client to be distinguished",
      requiresArg: true,
      group: "Clients",
    },
    log: {
      type: "string",
      value: "what",
      choices: ["decisions", "errors", "none"],
      description: "Lines to write to standard error: errors, or decisions of the policy as well",
      requiresArg: true,
      group: "Clients",
    },
  },
  examples: [
    ["$0 bridge https://mcp.example.com/mcp", "a host that only starts commands"],
    ["$0 bridge --http 3000 -- npx -y @modelcontextprotocol/server-memory", "stdio over HTTP"],
    ["$0 bridge --config .mcp.json --http 3000", "several servers as one"],
    ["$0 bridge https://mcp.example.com/mcp --upstream-revision 2025-06-18", ""],
  ],
  epilogue: [
    "Needs the package @mcp-codegen/bridge. If you have logged in with `mcp-codegen login`, its tokens are sent.",
    "The token of a client is never sent to a server.",
  ].join("\n"),
  carriesMessages: (values) =>
    values.text("http") === undefined && values.text("sse") === undefined,
  async run(values, context) {
    return (await loadPart(load, context.diagnostics))?.run(values, context);
  },
};
