import { connect, connectInMemory, McpServer, revisions } from "@mcp-codegen/universal";
import { clientTasks, serverTasks } from "@mcp-codegen/universal/tasks";
import { describe, expect, it } from "vitest";
import { Talk } from "../../facade/server/support/talk.js";
import { ID } from "./support.js";

function server(): McpServer {
  const made = new McpServer({ name: "t", version: "1" }, { extensions: [serverTasks()] });
  made.registerTool("a", { task: "optional" }, () => "a");
  return made;
}

describe.each(revisions)("the tasks extension at $id", (revision) => {
  const canExist = revision.traits.resultType;

  it("is declared by both sides only if a result can be a task (XTASK-20)", async () => {
    const served = server();
    let declared: unknown;
    served.registerTool("who", {}, (ctx) => {
      declared = ctx.client.capabilities.extensions;
      return "";
    });
    const client = await connect(await connectInMemory(served), {
      revisions: [revision],
      extensions: [clientTasks()],
    });
    await client.callTool("who");
    expect(client.server.capabilities?.extensions).toEqual(canExist ? { [ID]: {} } : undefined);
    expect(declared).toEqual(canExist ? { [ID]: {} } : undefined);
    await client.close();
  });

  it("has no messages otherwise, not even for clients that declare it (XTASK-20)", async () => {
    const declaring = { capabilities: { extensions: { [ID]: {} } } };
    const talk = await Talk.with(server(), revision.id, declaring);
    const { error } = await talk.call("tasks/update", { taskId: "x", inputResponses: {} });
    expect(error.code).toBe(canExist ? -32602 : -32601);
  });
});
