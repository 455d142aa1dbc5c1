import type { Command, CommandOption } from "../command.js";

const CLIENT: Readonly<Record<string, CommandOption>> = {
  "client-id": {
    type: "string",
    value: "id",
    description: "Client that the authorization server knows (default: one that registers itself)",
    requiresArg: true,
  },
  "client-secret-env": {
    type: "string",
    value: "name",
    description: "Environment variable that holds the secret of that client",
    requiresArg: true,
  },
  store: {
    type: "string",
    value: "folder",
    description: "Folder of the tokens (default: that of fileStore())",
    requiresArg: true,
  },
};

const EPILOGUE =
  "Needs the package @mcp-codegen/auth. Tokens are kept in files that only you can read, and are never printed.\n" +
  "They are found again by the address, the client and the folder: give the same ones to logout, and to programs.";

/** Obtains tokens for an MCP server, and stores them. */
export const login: Command = {
  name: "login",
  parameters: "<url>",
  description: "Log in at an MCP server, for the programs that share the store",
  positionals: { url: { type: "string", description: "Address of the MCP server" } },
  options: {
    device: { type: "boolean", description: "Show a code to type in on another device" },
    "no-browser": { type: "boolean", description: "Print the address to open, and open nothing" },
    scope: {
      type: "string",
      value: "scopes",
      description: "Scopes to request besides those that the server asks for, with spaces between",
      requiresArg: true,
    },
    timeout: {
      type: "number",
      value: "seconds",
      description: "Time for the user to log in",
      default: 300,
      requiresArg: true,
    },
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

/** Revokes and deletes the tokens for an MCP server. */
export const logout: Command = {
  name: "logout",
  parameters: "<url>",
  description: "Revoke and forget the tokens for an MCP server",
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
