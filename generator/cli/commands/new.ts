import type { Command } from "../command.js";

export const newProject: Command = {
  name: "new",
  parameters: "[name]",
  description: "Start a new project",
  positionals: {
    name: { type: "string", description: "Name of the package, or path of the folder to write" },
  },
  options: {
    template: {
      type: "string",
      description: "stdio-server, http-server, fetch-server or client",
      requiresArg: true,
    },
    revision: {
      type: "string",
      completes: "revisions",
      description: "Only protocol revision that the project supports (default: all of them)",
      requiresArg: true,
    },
    auth: {
      type: "boolean",
      description:
        "With authorization (OAuth): a server that requires tokens, a client that logs in",
    },
    from: {
      type: "string",
      value: "url or command",
      description:
        "Include the contract of this server, and a typed client for it; for the template client",
      requiresArg: true,
    },
    "package-manager": {
      type: "string",
      choices: ["npm", "pnpm", "yarn", "bun"],
      description:
        "Package manager that the instructions name (default: the one that runs this command)",
      requiresArg: true,
    },
    "from-registry": {
      type: "boolean",
      description:
        "Depend on published packages even if the command runs from a clone, which otherwise packs them into vendor/",
    },
    force: {
      type: "boolean",
      description: "Write into a folder that is not empty; replaces files of the same name",
    },
  },
  examples: [
    ["$0 new notes --template stdio-server", "into notes/, for clients of every revision"],
    ["$0 new notes --template http-server --revision 2025-11-25", "for one revision"],
    ["$0 new notes --template http-server --auth", "for clients with access tokens"],
    ["$0 new desk --template client --from https://mcp.example.com/mcp", "for one server, typed"],
    ["$0 new", "requests what is missing, on a terminal"],
  ],
  epilogue: "Writes files only: nothing is installed. --from connects to the server.",
  async run(values, context) {
    const { runNew } = await import("../run/new.js");
    return runNew(values, context);
  },
};
