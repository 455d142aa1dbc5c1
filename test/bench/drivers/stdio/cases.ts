import assert from "node:assert/strict";
import type { Answer } from "./pipeline.js";

export interface Case {
  readonly name: string;
  readonly method: string;
  readonly params: object;
  readonly env: Record<string, string>;
  check(result: Answer["result"]): void;
}

const TEXT = "Good morning, everybody";

export const smallCall: Case = {
  name: "small call",
  method: "tools/call",
  params: { name: "echo", arguments: { text: TEXT, times: 2, tone: "calm" } },
  env: {},
  check: (result) => assert.deepEqual(result?.["content"], [{ type: "text", text: TEXT }]),
};

const longAnswer: Case = {
  name: "10 KiB answer",
  method: "tools/call",
  params: { name: "long", arguments: { text: TEXT } },
  env: {},
  check(result) {
    const content = result?.["content"] as readonly { text?: string }[] | undefined;
    assert.equal(content?.[0]?.text?.length, 10 * 1024);
  },
};

export const listOf100: Case = {
  name: "tools/list, 100 tools",
  method: "tools/list",
  params: {},
  env: { TOOLS: "100" },
  check(result) {
    const tools = result?.["tools"] as
      readonly { inputSchema: { required: unknown } }[] | undefined;
    assert.equal(tools?.length, 100);
    for (const { inputSchema } of tools) assert.deepEqual(inputSchema.required, ["text"]);
  },
};

export const cases = [smallCall, longAnswer, listOf100] as const;
