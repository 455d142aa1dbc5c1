import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { cli } from "../cli/cli.js";
import { TestFolder } from "../output/folder.js";
import { declarationsOf, followed, MESSAGES, type Step } from "./newcomer.js";

beforeAll(build, 120_000);

const codes = ({ diagnostics }: Step): string[] => [
  ...new Set(diagnostics.map(({ code }) => code)),
];

describe("the messages about a schema guide a newcomer", () => {
  it("from an empty file to one that generates, with only the lines that they show", async () => {
    const { schema, steps } = await followed("");
    expect(steps.map(codes)).toEqual([["MCG1005"], ["MCG3004", "MCG3030"]]);
    expect([...declarationsOf(schema).keys()]).toContain("InitializeRequest");
  });

  it("from a file with a comment only", async () => {
    const { steps } = await followed("// my protocol\n");
    expect(steps.map(codes)).toEqual([["MCG2005"], ["MCG3004", "MCG3030"]]);
  });

  it("from the required message types alone", async () => {
    const { schema, steps } = await followed(MESSAGES);
    expect(steps.map(codes)).toEqual([
      ["MCG2069"],
      ["MCG3001", "MCG3004"],
      ["MCG3030"],
      ["MCG3012"],
    ]);
    const unions = declarationsOf(schema);
    expect(unions.get("ClientRequest")).toContain("ForecastRequest");
    expect(unions.get("ServerNotification")).toContain("StormNotification");
    expect(unions.get("ServerResult")).toContain("ForecastResult");
  });

  it("back, whatever declaration of a complete schema is missing", async () => {
    const { schema } = await followed(MESSAGES);
    const whole = declarationsOf(schema);
    const lost: string[] = [];
    for (const name of whole.keys()) {
      const others = [...whole].filter(([other]) => other !== name).map(([, text]) => text);
      const { generates } = await followed([...others, ""].join("\n"));
      if (!generates) lost.push(name);
    }
    // These are the protocol's own messages: only their author knows what they contain.
    expect(lost).toEqual(["ForecastRequest", "ForecastResult", "StormNotification"]);
  });

  it("with a position if there is one", async () => {
    const { steps } = await followed(MESSAGES);
    const placed = steps.flatMap(({ diagnostics }) =>
      diagnostics.map(({ code, line }) => [code, line !== undefined] as const),
    );
    expect(Object.fromEntries(placed)).toEqual({
      MCG2069: true,
      MCG3001: true,
      MCG3004: false,
      MCG3012: true,
      MCG3030: false,
    });
  });

  it("with the lines below the hint, once each", async () => {
    using folder = new TestFolder().put({ "own.ts": MESSAGES });
    const args = ["--schema", "own.ts", "--revision", "1.0"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain(`own.ts:1:42 - error MCG2069: \`Request\` is not declared.
 1 | export interface ForecastRequest extends Request {
   |                                          ^^^^^^^
  hint: Declare and export it in this file, such as below, or correct the name.
    export interface Request { method: string; params?: { [key: string]: any } }
`);
    expect(stderr.match(/export interface Request \{/g)).toHaveLength(1);
  });

  it("to arms of JSONRPCMessage, even if types have their names", async () => {
    const { schema } = await followed("");
    const odd = declarationsOf(schema);
    odd.set("JSONRPCRequest", "export interface JSONRPCRequest { text: string }");
    odd.set("JSONRPCMessage", "export type JSONRPCMessage = JSONRPCError;");
    const { schema: mended, steps } = await followed([...odd.values(), ""].join("\n"));
    expect(steps.map(codes)).toEqual([["MCG3004"]]);
    expect(steps[0]!.diagnostics.map(({ message }) => message)).toEqual([
      "No arm of JSONRPCMessage is a request.",
      "No arm of JSONRPCMessage is a notification.",
      "No arm of JSONRPCMessage is a result.",
    ]);
    expect(declarationsOf(mended).get("JSONRPCMessage")).toBe(
      "export type JSONRPCMessage = JSONRPCError | JSONRPCRequest | JSONRPCNotification | JSONRPCResponse;",
    );
  });

  it("to the method of a notification, without treating it as a request", async () => {
    const odd = `export interface StormNotification { method: "storm" }\n`;
    const { steps } = await followed(odd);
    const { diagnostics } = steps.at(-1)!;
    expect(diagnostics.map(({ code }) => code)).toEqual(["MCG3007"]);
    expect(diagnostics[0]!.hint).toContain("contain `notifications/`");
  });
});
