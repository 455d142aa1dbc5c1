import type { Command } from "../command.js";
import { runOfTesting } from "../testing-package.js";
import { connectionOptions } from "./shared-options.js";
import { reportOptions } from "./tape.js";

const { header, env, store, timeout, "client-id": client } = connectionOptions;

const POSITIONALS = {
  url: {
    type: "string",
    description: "URL of the server, or its name in a file of a host such as .mcp.json",
  },
} as const;

export const doctor: Command = {
  name: "doctor",
  parameters: "[url]",
  rest: "command",
  description: "Find out what is wrong with a server, or with a client",
  positionals: POSITIONALS,
  options: {
    client: {
      type: "boolean",
      description:
        "Examine a client: the command is started with a server on its standard input and output, or with {url} replaced by the address of one, or {server} by the command of one",
      group: "Examination",
    },
    revisions: {
      type: "string",
      array: true,
      nargs: 1,
      value: "ids",
      completes: "revisions",
      description:
        "Revisions to use, separated by commas (default: all that the other side supports)",
      requiresArg: true,
      group: "Examination",
    },
    call: {
      type: "string",
      array: true,
      nargs: 1,
      value: "tool=json",
      description: "Tool to call, with its arguments as a JSON object; no others are called",
      requiresArg: true,
      group: "Examination",
    },
    "call-safe": {
      type: "boolean",
      description: "Also call the tools with readOnlyHint that need no arguments",
      group: "Examination",
    },
    header,
    env,
    login: {
      type: "boolean",
      description: "Send the token that mcp-codegen login has stored",
      group: "Server",
    },
    "client-id": client,
    store,
    timeout: { ...timeout, description: "Time limit of each request", default: 10 },
    ...reportOptions,
  },
  examples: [
    ["$0 doctor -- node server.js", "a server over stdio"],
    ["$0 doctor https://mcp.example.com/mcp --login", "one over HTTP"],
    [`$0 doctor --call 'add={"a":1,"b":2}' -- node server.js`, "with the call of a tool"],
    ["$0 doctor --client -- node client.js {url}", "a client"],
  ],
  epilogue: [
    "Needs the package @mcp-codegen/testing. No tool is called that --call or --call-safe does not allow.",
    "The exit code is 1 if there are errors, or findings as severe as --fail-on, 2 if a --call cannot be made, and 5 if the server sends no message.",
  ].join("\n"),
  json: "server or client, revisions: [{ revision, checks, errors, warnings }], unexamined?, findings: [{ id, severity, pointer, expected, received, subject?, n?, conversation, revisions, times, requirement? }]",
  run: runOfTesting("doctor"),
};

export const torture: Command = {
  name: "torture",
  parameters: "[url]",
  rest: "command",
  description: "Send a server what no polite client sends, and see whether it survives",
  positionals: POSITIONALS,
  options: {
    only: {
      type: "string",
      array: true,
      nargs: 1,
      value: "cases",
      description: "Cases to run, with commas between (default: all that fit the transport)",
      requiresArg: true,
    },
    seed: {
      type: "number",
      value: "number",
      description: "Seed of the cases that choose at random",
      default: 1,
      requiresArg: true,
    },
    yes: {
      type: "boolean",
      description: "Also torture a server that is not on a loopback address",
    },
    header,
    env,
    timeout: { ...timeout, description: "Time limit of each case", default: 10 },
    junit: { type: "boolean", description: "Print the cases as JUnit XML", conflicts: ["json"] },
  },
  examples: [
    ["$0 torture -- node server.js", "a server over stdio"],
    ["$0 torture http://127.0.0.1:3000/mcp --only deep-nesting", "one case over HTTP"],
  ],
  epilogue:
    "Needs the package @mcp-codegen/testing. Use it with servers of your own only: it may stop them.",
  json: "server, seed, cases: [{ id, outcome: passed | failed | skipped, message?, ms }]",
  run: runOfTesting("torture"),
};
