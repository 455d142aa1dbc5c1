import type { CommandOption } from "../command.js";

/** Options of all commands that connect to a server. A command can replace the description of one. */
export const connectionOptions = {
  header: {
    type: "string",
    array: true,
    nargs: 1,
    value: '"Name: value"',
    description: "HTTP header to send; $NAME stands for a variable of the environment",
    requiresArg: true,
    group: "Server",
  },
  env: {
    type: "string",
    array: true,
    nargs: 1,
    value: "name",
    description: "Variable of the environment that the command gets; $NAME works in its arguments",
    requiresArg: true,
    group: "Server",
  },
  revision: {
    type: "string",
    completes: "revisions",
    value: "id",
    description: "The one revision to speak (default: the newest that both sides know)",
    requiresArg: true,
    group: "Server",
  },
  "client-id": {
    type: "string",
    value: "id",
    description: "Client that logged in, if login had one",
    requiresArg: true,
    group: "Server",
  },
  store: {
    type: "string",
    value: "folder",
    description: "Folder of the tokens of login (default: that of fileStore())",
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
    "Facts about that schema.ts (default: those of the bundled revision of that name, or of the revision before it)",
  requiresArg: true,
} satisfies CommandOption;
