import { createHttpHandler } from "@mcp-codegen/universal/http";
import { McpServer } from "@mcp-codegen/universal/server";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "@mcp-codegen/runtime/http/node";
import { ask, envelope, META } from "./support/raw-http.js";

const ID = "io.modelcontextprotocol/tasks";
const declared = envelope({ [META.clientCapabilities]: { extensions: { [ID]: {} } } });
const noName = { "Mcp-Name": undefined };

async function served(): Promise<string> {
  const tasks = serverTasks();
  const server = new McpServer({ name: "tasks", version: "1.0.0" }, { extensions: [tasks] });
  server.registerTool("work", { task: "required" }, () => "done");
  const { url, close } = await listen(createHttpHandler(server));
  onTestFinished(async () => {
    await tasks.close();
    await close(0);
  });
  return url;
}

describe("a request of an extension that defines header fields", () => {
  it.each(["tasks/get", "tasks/cancel"])(
    "is refused for the missing extension if the client has not declared it: %s (XTASK-03, HDR-02)",
    async (method) => {
      const url = await served();
      for (const fields of [noName, { "Mcp-Name": "x" }]) {
        const { message } = await ask(url, method, { taskId: "x" }, { fields });
        expect([message.error.code, message.error.data]).toEqual([
          -32021,
          { requiredCapabilities: { extensions: { [ID]: {} } } },
        ]);
      }
    },
  );

  it("is refused for missing header fields if the client has declared it (HDR-02)", async () => {
    const url = await served();
    const asking = { fields: noName, meta: declared };
    const { status, message } = await ask(url, "tasks/get", { taskId: "x" }, asking);
    expect([status, message.error.code]).toEqual([400, -32020]);
  });
});
