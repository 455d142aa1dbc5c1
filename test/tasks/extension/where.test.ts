import { connect, connectInMemory, McpServer, revisions } from "@mcp-codegen/universal";
import { clientTasks, serverTasks } from "@mcp-codegen/universal/tasks";
import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { describe, expect, it, onTestFinished } from "vitest";
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

const withTasks = revisions.filter(({ traits }) => traits.resultType || traits.tasks);

describe.each(withTasks)("a tool with tasks at $id", (revision) => {
  it.each(["optional", "required"] as const)(
    "receives the locals of its request if its task is %s",
    async (task) => {
      const served = server();
      served.registerTool("whose", { task }, (ctx) => String(ctx.locals));
      const handler = createHttpHandler(served);
      onTestFinished(() => handler.close(0));
      const tasks = clientTasks();
      const client = await connect("http://localhost/mcp", {
        revisions: [revision],
        extensions: [tasks],
        http: {
          fetch: (input, init) => handler(new Request(input, init), { locals: "mine" }),
        },
      });
      onTestFinished(() => client.close());
      const results = [
        await client.callTool("whose"),
        await (await tasks.startTool("whose")).result(),
      ];
      for (const { content } of results) expect(content).toEqual([{ type: "text", text: "mine" }]);
    },
  );
});
