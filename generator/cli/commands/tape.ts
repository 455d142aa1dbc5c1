import type { Command, CommandOption } from "../command.js";
import { runOfTesting } from "../testing-package.js";

const EPILOGUE = "Needs the package @mcp-codegen/testing.";

export const reportOptions = {
  sarif: {
    type: "boolean",
    description: "Print a SARIF 2.1.0 log, for code scanning",
    conflicts: ["junit", "json"],
    group: "Output",
  },
  junit: {
    type: "boolean",
    description: "Print a JUnit report, for CI",
    conflicts: ["json"],
    group: "Output",
  },
  hints: {
    type: "boolean",
    description: "Also report hints: advice that the specification does not state",
    group: "Output",
  },
  "fail-on": {
    type: "string",
    value: "severity",
    choices: ["error", "warning"],
    description: "The least severity for which the exit code is 1",
    default: "error",
    requiresArg: true,
    group: "Output",
  },
} satisfies Readonly<Record<string, CommandOption>>;

const FINDINGS =
  "findings: [{ id, n?, conversation, from, pointer, expected, received, requirement?, severity, revision }], summary: [{ revision, errors, warnings, hints }]";

const port: CommandOption = {
  type: "number",
  value: "port",
  requiresArg: true,
  description: "Serve over HTTP on this port of 127.0.0.1, 0 for any",
};

export const record: Command = {
  name: "record",
  parameters: "[url]",
  rest: "command",
  description: "Stand between a client and a server, and record their messages as a tape",
  positionals: { url: { type: "string", description: "URL of the server" } },
  options: {
    out: {
      type: "string",
      value: "file",
      description: "The tape, such as a.tape.jsonl; if it exists, a-2.tape.jsonl",
      requiresArg: true,
      demandOption: true,
    },
    http: { ...port, description: `${port.description} (default with a URL: 0)` },
    mask: {
      type: "string",
      array: true,
      nargs: 1,
      value: "name",
      description:
        "Name of a member or header, or JSON pointer into messages, whose values are masked in addition to those of secrets",
      requiresArg: true,
    },
    force: { type: "boolean", description: "Replace a tape that exists" },
  },
  examples: [
    ["$0 record --out a.tape.jsonl -- node server.js", "as the command of a client"],
    [
      "$0 record --out a.tape.jsonl --http 3100 -- node server.js",
      "the same for clients over HTTP",
    ],
    [
      "$0 record --out a.tape.jsonl --http 3100 https://api.example.com/mcp",
      "for a client that connects to http://127.0.0.1:3100/mcp",
    ],
  ],
  epilogue: `${EPILOGUE}\nBytes pass unchanged in both directions. Tokens, passwords, keys, cookies and session ids are masked; check a tape before you share it.`,
  carriesMessages: (values) =>
    values.words("command") !== undefined && values.number("http") === undefined,
  run: runOfTesting("record"),
};

export const checkTape: Command = {
  name: "check-tape",
  parameters: "<file>",
  description: "List what is wrong in a recorded conversation: line, pointer, requirement",
  positionals: { file: { type: "string", description: "The tape" } },
  options: {
    revision: {
      type: "string",
      completes: "revisions",
      value: "id",
      description: "Revision to judge by (default: the negotiated one)",
      requiresArg: true,
    },
    "all-revisions": {
      type: "boolean",
      description: "Judge by each revision",
      conflicts: ["revision"],
    },
    ...reportOptions,
  },
  examples: [
    ["$0 check-tape a.tape.jsonl", ""],
    ["$0 check-tape a.tape.jsonl --all-revisions", "what would be wrong elsewhere"],
    ["$0 check-tape a.tape.jsonl --sarif > tape.sarif", "for code scanning"],
  ],
  epilogue: EPILOGUE,
  json: `file, ${FINDINGS}`,
  run: runOfTesting("check-tape"),
};

export const replay: Command = {
  name: "replay",
  parameters: "<file>",
  description: "Serve a recorded conversation: a server made of a tape",
  positionals: { file: { type: "string", description: "The tape" } },
  options: {
    http: port,
    stdio: {
      type: "boolean",
      description: "Serve over standard input and output (default)",
      conflicts: ["http"],
    },
    revision: {
      type: "string",
      completes: "revisions",
      value: "id",
      description: "Revision to serve (default: that of the tape)",
      requiresArg: true,
    },
    loose: {
      type: "boolean",
      description: "Repeat the last response to a request that is sent more often than on the tape",
    },
    fast: {
      type: "boolean",
      description: "Send all messages immediately, without the pauses of the tape",
    },
  },
  examples: [
    ["$0 replay a.tape.jsonl", "as the command of a client"],
    ["$0 replay a.tape.jsonl --http 3000 --fast", "at http://127.0.0.1:3000/mcp"],
  ],
  epilogue: `${EPILOGUE}\nA request that the tape does not have is answered with an error that names the nearest line.`,
  carriesMessages: (values) => values.number("http") === undefined,
  run: runOfTesting("replay"),
};

export const show: Command = {
  name: "show",
  parameters: "[file]",
  description: "Write a page that shows a recorded conversation, its findings and other revisions",
  positionals: {
    file: { type: "string", description: "The tape; without it, the page opens tapes" },
  },
  options: {
    out: {
      type: "string",
      value: "file",
      description: "The page (default: a.html for a.tape.jsonl)",
      requiresArg: true,
    },
    live: {
      type: "boolean",
      description: "Serve the page on 127.0.0.1 instead, and follow the tape while it is recorded",
    },
    force: { type: "boolean", description: "Replace a file that is not such a page" },
  },
  examples: [
    ["$0 show a.tape.jsonl", "writes a.html"],
    ["$0 show a.tape.jsonl --live", "while record writes the tape"],
    ["$0 show --out viewer.html", "a page that opens tapes by dropping them"],
  ],
  epilogue: `${EPILOGUE}\nThe page is one file, works without a network, and contains the whole tape: read the tape before you share the page.`,
  json: "file, out, lines",
  run: runOfTesting("show"),
};
