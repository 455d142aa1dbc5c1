import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client as OfficialClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connect } from "@mcp-codegen/universal/client";
import { revisions } from "@mcp-codegen/universal/revisions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { bin, cli as runCli } from "../cli/cli.js";

const server = [process.execPath, join(root, "test/peers/support/sdk-asking-server.mjs"), "stdio"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tape-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the results of a conversation with the official client. */
async function converse(command: readonly string[]): Promise<unknown[]> {
  const [file = "", ...args] = command;
  const client = new OfficialClient(
    { name: "official", version: "1.0.0" },
    { capabilities: { roots: {}, sampling: {}, elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text: "Paris" },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///a" }] }));
  await client.connect(new StdioClientTransport({ command: file, args, stderr: "pipe" }));
  try {
    return [
      await client.listTools(),
      await client.callTool({ name: "sequence", arguments: {} }),
      await client.callTool({ name: "parallel", arguments: {} }),
      await client.callTool({ name: "sequence", arguments: { token: "s3cr3t-value" } }),
    ];
  } finally {
    await client.close();
  }
}

const cli = (...args: string[]) => runCli(args, { cwd: folder });
const tape = (name: string): string => join(folder, `${name}.tape.jsonl`);
const record = (file: string, command: readonly string[]): string[] => [
  process.execPath,
  bin,
  "record",
  "--out",
  file,
  "--",
  ...command,
];

describe("an official client and an official server", () => {
  let file: string;
  let direct: unknown[];
  beforeAll(async () => {
    file = tape("official");
    direct = await converse(server);
    expect(await converse(record(file, server))).toEqual(direct);
  });

  it("are recorded without a secret, and without a finding", async () => {
    expect(readFileSync(file, "utf8")).not.toContain("s3cr3t");
    const { code, stdout, stderr } = await cli("check-tape", file);
    expect([stdout, stderr.trim(), code]).toEqual(["", "No findings.", 0]);
  });

  it("are replayed with the same results, several times", async () => {
    const command = [process.execPath, bin, "replay", file, "--fast"];
    for (let round = 0; round < Number(process.env["MCP_ROUNDS"] ?? 2); round++) {
      expect(await converse(command)).toEqual(direct);
    }
  });

  it("see an error that names line and pointer if one value on the tape is edited", async () => {
    const edited = tape("edited");
    writeFileSync(
      edited,
      readFileSync(file, "utf8").replace(
        '"name":"parallel","arguments":{}',
        '"name":"parallel","arguments":{"a":1}',
      ),
    );
    const command = [process.execPath, bin, "replay", edited, "--fast"];
    await expect(converse(command)).rejects.toThrow(
      /The tape has no tools\/call with these parameters\. Line \d+ is the nearest\. It differs at \/params\/arguments\/a: recorded 1, received nothing\./,
    );
  });

  it("are judged by each revision, with the revision in each finding", async () => {
    const { code, stdout } = await cli("check-tape", file, "--all-revisions", "--json");
    const { findings } = JSON.parse(stdout) as { findings: { revision: string; id: string }[] };
    expect(code).toBe(1);
    expect(findings.filter(({ revision }) => revision === "2025-11-25")).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ revision: "2026-07-28", id: "request-meta" }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ revision: "2025-03-26", id: "method-unknown" }),
    );
  });
});

/** Returns the result of a call from our client at the newest revision, with answers to all questions. */
async function callStateless(command: readonly string[]): Promise<unknown> {
  const [program = "", ...args] = command;
  const client = await connect(
    { command: program, args },
    {
      revisions: [revisions[0]!],
      onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
      onSample: () => ({
        role: "assistant",
        model: "m",
        content: { type: "text", text: "Paris" },
      }),
      roots: [{ uri: "file:///a" }],
    },
  );
  try {
    return (await client.callTool("sequence", {})).content;
  } finally {
    await client.close();
  }
}

it("records and replays stateless requests, with questions and answers", async () => {
  const file = tape("stateless");
  const recorded = await callStateless(record(file, server));
  expect((await cli("check-tape", file)).stderr.trim()).toBe("No findings.");
  expect(await callStateless([process.execPath, bin, "replay", file, "--fast"])).toEqual(recorded);
});

describe("check-tape", () => {
  let broken: string;
  beforeAll(() => {
    broken = tape("broken");
    writeFileSync(
      broken,
      [
        { tape: 1, command: ["server"], transport: "stdio" },
        { n: 1, t: 0, from: "server", conversation: 1, text: "Hello & <welcome>" },
        {
          n: 2,
          t: 1,
          from: "client",
          conversation: 1,
          message: {
            jsonrpc: "2.0",
            id: 1,
            method: "initialize",
            params: {
              protocolVersion: "2025-11-25",
              capabilities: {},
              clientInfo: { name: "c", version: "1" },
            },
          },
        },
        {
          n: 3,
          t: 2,
          from: "server",
          conversation: 1,
          message: {
            jsonrpc: "2.0",
            id: 1,
            result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s" } },
          },
        },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  });

  it("names the line, the pointer and the requirement, and exits with 1", async () => {
    const { code, stdout, stderr } = await cli("check-tape", broken);
    expect(code).toBe(1);
    expect(stdout).toContain("error result-shape: line 3, server, /result/serverInfo/version");
    expect(stdout).toContain("https://modelcontextprotocol.io/specification/2025-11-25/schema");
    expect(stdout).toContain("Write logs to standard error");
    expect(stderr.trim()).toBe("2025-11-25: 2 errors");
  });

  it("prints SARIF with rules from the table of checks", async () => {
    const { code, stdout } = await cli("check-tape", broken, "--sarif");
    const { runs } = JSON.parse(stdout) as {
      runs: {
        tool: { driver: { rules: { id: string }[] } };
        results: {
          ruleId: string;
          locations: { physicalLocation: { region: { startLine: number } } }[];
        }[];
      }[];
    };
    expect(code).toBe(1);
    expect(runs[0]!.tool.driver.rules.map(({ id }) => id)).toEqual(["output-text", "result-shape"]);
    expect(
      runs[0]!.results.map(({ locations }) => locations[0]!.physicalLocation.region.startLine),
    ).toEqual([2, 4]);
  });

  it("prints JUnit with escaped texts", async () => {
    const { code, stdout } = await cli("check-tape", broken, "--junit");
    expect(code).toBe(1);
    expect(stdout).toContain('tests="2" failures="2"');
    expect(stdout).toContain("Hello &amp; &lt;welcome&gt;");
  });

  it.each([
    [2, ["broken", "--sarif", "--junit"], "cannot be combined"],
    [2, ["broken", "--revision", "2020-01-01"], "2020-01-01"],
    [3, ["missing"], "does not exist"],
  ])("exits with %i for %j", async (expected, [name, ...options], message) => {
    const { code, stderr } = await cli("check-tape", tape(name!), ...options);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });

  it("exits with 3 if the file is not a tape", async () => {
    const file = join(folder, "no-tape.json");
    writeFileSync(file, "{}\n");
    const { code, stderr } = await cli("check-tape", file);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('a tape begins with { "tape": 1, … }'),
    ]);
  });
});

it.each(["check-tape", "show"])("%s refuses a tape without messages", async (command) => {
  const file = tape("empty");
  writeFileSync(file, '{"tape":1,"command":["server"],"transport":"stdio"}\n');
  const { code, stderr } = await cli(command, file);
  expect([code, stderr]).toEqual([3, expect.stringContaining("no message follows it")]);
});

describe("record", () => {
  it("exits with 5 if the command does not exist", async () => {
    const { code, stderr } = await cli("record", "--out", tape("none"), "--", join(folder, "none"));
    expect([code, stderr]).toEqual([5, expect.stringContaining("cannot be started")]);
    expect(existsSync(tape("none"))).toBe(false);
  });

  it.each([".", "./"])("refuses the folder %s", async (out) => {
    const { code, stderr } = await cli("record", "--out", out, "--", process.execPath, "-e", "");
    expect([code, stderr]).toEqual([3, expect.stringContaining("it is a folder")]);
  });

  it("keeps a tape that exists, unless it may be replaced", async () => {
    const file = tape("kept");
    writeFileSync(file, "kept");
    const recordAgain = (...options: string[]) =>
      runCli(
        ["record", "--out", file, ...options, "--", process.execPath, "-e", "process.exitCode = 3"],
        { cwd: folder, env: {} },
      );
    const { code, stderr } = await recordAgain();
    expect(stderr).toContain(`exists; recording to ${tape("kept-2")}`);
    // The exit code is the command's.
    expect(code).toBe(3);
    expect(readFileSync(file, "utf8")).toBe("kept");
    chmodSync(file, 0o644);
    await recordAgain("--force");
    expect(readFileSync(file, "utf8")).toContain('{"tape":1,');
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

it("records and checks a tape of 100 MB with a heap of 48 MB", async () => {
  const program = join(root, "test/testing/long-tape.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, "100"]);
  expect(stdout).toMatch(/^1\d\d MB: record took \d+ MB, check-tape \d+ MB$/m);
}, 180_000);
