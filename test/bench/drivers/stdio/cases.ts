import assert from "node:assert/strict";
import type { Load } from "./pipeline.js";

const text = "Good morning, everybody";

/** A `tools/call` of `echo`. */
export const smallCall: Load = callOf("echo");

export function callOf(name: string): Load {
  return {
    method: "tools/call",
    params: { name, arguments: { text, times: 2, tone: "calm" } },
    check: (result) => assert.deepEqual(result?.["content"], [{ type: "text", text }]),
  };
}

/** A `tools/list` for a server with TOOLS=100. */
export const listOf100: Load = {
  method: "tools/list",
  params: {},
  check(result) {
    const tools = result?.["tools"] as
      readonly { inputSchema: { required: unknown } }[] | undefined;
    assert.equal(tools?.length, 100);
    for (const { inputSchema } of tools) assert.deepEqual(inputSchema.required, ["text"]);
  },
};
