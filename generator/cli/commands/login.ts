import type { Command, CommandOption } from "../command.js";
import { seconds } from "./shared-options.js";

const CLIENT: Readonly<Record<string, CommandOption>> = {
  "client-id": {
    type: "string",
    value: "id",
    description:
      "Client that is registered with the authorization server (default: the command registers one)",
    requiresArg: true,
  },
  "client-secret-env": {
    type: "string",
    value: "name",
    description: "Environment variable with the secret of that client",
    requiresArg: true,
  },
  store: {
    type: "string",
    value: "folder",
    description: "Folder for the tokens (default: that of fileStore())",
    requiresArg: true,
  },
};

const EPILOGUE =
  "Needs the package @mcp-codegen/auth. Tokens are kept in files that only you can read, and are never printed.\n" +
  "They are looked up by address, client and folder: use the same ones for logout and in programs.";

export const login: Command = {
  name: "login",
  parameters: "<url>",
  description: "Log in to an MCP server, for the programs that share the store",
  positionals: { url: { type: "string", description: "Address of the MCP server" } },
  options: {
    device: { type: "boolean", description: "Show a code to enter on another device" },
    "no-browser": {
      type: "boolean",
      description: "Print the address to open instead of opening it",
    },
    scope: {
      type: "string",
      value: "scopes",
      description:
        "Scopes to request in addition to those that the server requires, separated by spaces",
      requiresArg: true,
    },
    timeout: { ...seconds, description: "Time limit for the login", default: 300 },
    ...CLIENT,
  },
  examples: [
    ["$0 login https://mcp.example.com/mcp", "in the browser"],
    ["$0 login https://mcp.example.com/mcp --device", "on a terminal without a browser"],
  ],
  epilogue: EPILOGUE,
  json: "url",
  async run(values, context) {
    const { runLogin } = await import("../run/login.js");
    return runLogin(values, context);
  },
};

export const logout: Command = {
  name: "logout",
  parameters: "<url>",
  description: "Revoke and delete the tokens for an MCP server",
  positionals: { url: { type: "string", description: "Address of the MCP server" } },
  options: CLIENT,
  examples: [["$0 logout https://mcp.example.com/mcp", ""]],
  epilogue: EPILOGUE,
  json: "url, tokens: revoked | forgotten | none",
  async run(values, context) {
    const { runLogout } = await import("../run/login.js");
    return runLogout(values, context);
  },
};
