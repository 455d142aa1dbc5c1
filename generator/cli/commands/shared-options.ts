import type { CommandOption } from "../command.js";

/** Options of all commands that connect to a server. A command can replace the description of one. */
export const connectionOptions = {
  header: {
    type: "string",
    array: true,
    nargs: 1,
    value: '"Name: value"',
    description: "HTTP header to send; $NAME stands for an environment variable",
    requiresArg: true,
    group: "Server",
  },
  env: {
    type: "string",
    array: true,
    nargs: 1,
    value: "name",
    description: "Environment variable to pass to the command; arguments may use $NAME",
    requiresArg: true,
    group: "Server",
  },
  revision: {
    type: "string",
    completes: "revisions",
    value: "id",
    description: "Only revision to use (default: the newest that both sides support)",
    requiresArg: true,
    group: "Server",
  },
  "client-id": {
    type: "string",
    value: "id",
    description: "Client of the login, if one was named",
    requiresArg: true,
    group: "Server",
  },
  store: {
    type: "string",
    value: "folder",
    description: "Folder with the tokens of the login (default: that of fileStore())",
    requiresArg: true,
    group: "Server",
  },
  timeout: {
    type: "number",
    value: "seconds",
    description: "Time limit",
    default: 60,
    requiresArg: true,
    group: "Server",
  },
} satisfies Readonly<Record<string, CommandOption>>;

/** Option of the commands that read one schema. */
export const factsOption = {
  type: "string",
  value: "file",
  description:
    "Facts for that schema.ts (default: those of the bundled revision of that name, or of the revision before it)",
  requiresArg: true,
} satisfies CommandOption;
