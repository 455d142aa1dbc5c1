import type { Command, CommandOption } from "../command.js";
import { runOfContract } from "../contract-package.js";
import { connectionOptions } from "./shared-options.js";

const SERVER: Readonly<Record<string, CommandOption>> = {
  servers: {
    type: "string",
    value: "file",
    description:
      "Configuration file of a host, for a target that is a name (default: .mcp.json, mcp.json, .vscode/mcp.json or .cursor/mcp.json)",
    requiresArg: true,
    group: "Server",
  },
  ...connectionOptions,
};

const EPILOGUE =
  "Needs the package @mcp-codegen/contract. If you have logged in with `mcp-codegen login`, its tokens are sent.";

export const tools: Command = {
  name: "tools",
  parameters: "[words..]",
  usage: "<target>",
  rest: "command",
  description: "List what a server offers: its tools, its resources, and all else that it lists",
  positionals: {
    words: {
      type: "string",
      description: "The server: its URL, or its name in a file of a host such as .mcp.json",
    },
  },
  options: SERVER,
  examples: [
    ["$0 tools https://api.example.com/mcp", "a server over HTTP"],
    ["$0 tools files", "an entry of .mcp.json"],
    ["$0 tools -- npx -y @modelcontextprotocol/server-filesystem .", "a server that this starts"],
  ],
  epilogue: EPILOGUE,
  json: "server, revision, instructions?, the items of each list by its name, problems",
  run: runOfContract("tools"),
};

export const call: Command = {
  name: "call",
  parameters: "[words..]",
  usage: "<target> <tool> [name=value…]",
  rest: "command",
  description: "Call a tool of a server, and print its result",
  positionals: {
    words: {
      type: "string",
      description:
        "The server (unless a command follows --): its URL, or its name in a file of a host such as .mcp.json; the tool, and its arguments as name=value. A value is JSON unless the tool expects a string; a repeated name is an array",
    },
  },
  options: {
    args: {
      type: "string",
      value: "json",
      description: "All arguments as one JSON object, instead of name=value",
      requiresArg: true,
    },
    ...SERVER,
  },
  examples: [
    ["$0 call https://api.example.com/mcp greet name=Ada", "one tool"],
    ["$0 call greet name=Ada -- node server.js", "of a server that this starts"],
    [`$0 call files search --args '{"query": "a b"}' --json`, "for a script"],
  ],
  epilogue: `${EPILOGUE}\nThe exit code is 1 if the tool reports an error. Forms and pages that the server requests from the user are declined; requests to a model fail.`,
  json: "tool, revision, result: the result as the server sent it, in the shape of the newest revision",
  run: runOfContract("call"),
};
