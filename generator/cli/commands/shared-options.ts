import type { CommandOption } from "../command.js";

/** A time limit. */
export const seconds = {
  type: "number",
  value: "seconds",
  limits: { above: 0, atMost: 3600 },
  requiresArg: true,
} satisfies CommandOption;

/** The options shared by all commands that connect to a server. A command can replace a description. */
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
  timeout: { ...seconds, description: "Time limit", default: 60, group: "Server" },
} satisfies Readonly<Record<string, CommandOption>>;

export const factsOption = {
  type: "string",
  value: "file",
  description:
    "Facts for that schema.ts (default: those of the bundled revision of that name, or of the revision before it)",
  requiresArg: true,
} satisfies CommandOption;

export const packageOptions = {
  runtime: {
    type: "string",
    value: "module",
    description: "Module to import instead of @mcp-codegen/runtime/codegen",
    requiresArg: true,
    group: "Output",
  },
  "modules-only": {
    type: "boolean",
    description:
      "Only the modules, without package.json, tsconfig.json and README.md: for a folder inside your project",
    group: "Output",
  },
  "from-registry": {
    type: "boolean",
    description:
      "Depend on published packages even if the command runs from a clone, which otherwise packs them into vendor/",
    group: "Output",
  },
  force: {
    type: "boolean",
    description: "Also replace files that were edited after they were generated",
    group: "Output",
  },
  check: {
    type: "boolean",
    description:
      "Write nothing; list every file that differs from the generated one, with a diff, and exit 1",
    group: "Mode",
  },
  "dry-run": {
    type: "boolean",
    description: "Write nothing; list what would be written and removed",
    group: "Mode",
  },
  watch: {
    type: "boolean",
    description: "Keep running, and generate again when a schema changes; stop with Ctrl+C",
    group: "Mode",
  },
} satisfies Readonly<Record<string, CommandOption>>;
