import { describe, expect, it } from "vitest";
import { Tools } from "../../runtime/features/index.js";
import { Tasks } from "../../runtime/tasks/index.js";
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

  it.each(withTasks)("is a rule of each tool at %s", async (_, revision) => {
    const tools = toolsWith();
    const { client } = await connected(revision, { features: [tools, new Tasks()] });
    const outcome = async (name: string, task?: object): Promise<unknown> => {
      const call = client.request("tools/call", task ? { name, task } : { name });
      return call.then(
        (result) => Object.keys(result as object)[0],
        ({ code }: RpcError) => code,
      );
    };
    const outcomes = (task?: object) =>
      Promise.all(supports.map((name) => outcome(`${name}`, task)));
    expect(await outcomes()).toEqual(["content", "content", -32601, "content"]);
    expect(await outcomes({})).toEqual([-32601, "task", "task", -32601]);
    expect(await outcome("unknown", {})).toBe(-32602);
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
