import { describe, expect, it } from "vitest";
import { Tools } from "../../runtime/features/index.js";
import type { HandlerContext } from "../../runtime/api/handlers.js";
import type { RpcError } from "../../runtime/wire/index.js";
import { connected, handshakes } from "./support/revisions.js";
import { any, failure, text } from "./support/tools.js";

describe("task support (TASK-07, TASK-08, GAP-04)", () => {
  const withTasks = handshakes.filter(([, { revision }]) => revision.traits.tasks);
  const supports = ["forbidden", "optional", "required", undefined] as const;

  function toolsWith(): Tools {
    const tools = new Tools();
    for (const taskSupport of supports) {
      const execution = taskSupport === undefined ? {} : { execution: { taskSupport } };
      tools.add({ name: `${taskSupport}`, inputSchema: any, ...execution }, () => text("done"));
    }
    return tools;
  }

  it.each(withTasks)("are checked at %s", (_, { revision }) => {
    const tools = toolsWith();
    const context = { session: { revision } } as unknown as HandlerContext;
    const admitted = (name: string, task?: object) => {
      try {
        return tools.admitTask(task ? { name, task } : { name }, context);
      } catch (error) {
        return (error as RpcError).code;
      }
    };
    expect(supports.map((name) => admitted(`${name}`))).toEqual([
      undefined,
      undefined,
      -32601,
      undefined,
    ]);
    expect(supports.map((name) => admitted(`${name}`, {}))).toEqual([
      -32601,
      undefined,
      undefined,
      -32601,
    ]);
    expect(admitted("unknown", {})).toBe(-32602);
  });

  it.each(handshakes)("accept or refuse a call without a task at %s", async (_, revision) => {
    const { client } = await connected(revision, { features: [toolsWith()] });
    const call = (name: string) => client.request("tools/call", { name });
    expect(await call("optional")).toEqual(text("done"));
    expect(await call("forbidden")).toEqual(text("done"));
    if (revision.revision.traits.tasks) {
      expect((await failure(call("required"))).code).toBe(-32601);
    } else {
      expect(await call("required")).toEqual(text("done"));
    }
  });
});
