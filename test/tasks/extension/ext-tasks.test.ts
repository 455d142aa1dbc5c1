import { expect, it } from "vitest";
import {
  type ConnectedMcpSessionPort,
  resultFromTaskOutcome,
  withTasks,
} from "@modelcontextprotocol/ext-tasks/client";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { serverTasks } from "@mcp-codegen/universal/tasks";

const ID = "io.modelcontextprotocol/tasks";
const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "requester", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {} },
    extensions: { [ID]: {} },
  },
};

interface Call {
  readonly method: string;
  readonly params?: { readonly _meta?: object; readonly name?: string; readonly taskId?: string };
}

/** Sends the package's requests to our server, as an HTTP client of the revision does. */
function portTo(server: McpServer): ConnectedMcpSessionPort {
  const handle = createHttpHandler(server);
  let id = 0;
  return {
    endpointId: "ours",
    invalidated: false,
    taskCapabilities: { generation: "v2", capabilities: {} },
    onServerRequest: () => () => {},
    onNotification: () => () => {},
    onInvalidated: () => () => {},
    dispatch: async (given) => {
      const { method, params = {} } = given as unknown as Call;
      const { name = params.taskId } = params;
      const meta = { ...params["_meta"], ...META };
      const body = { jsonrpc: "2.0", id: (id += 1), method, params: { ...params, _meta: meta } };
      const response = await handle(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: {
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": REVISION,
            "mcp-method": method,
            ...(name !== undefined && { "mcp-name": name }),
          },
          body: JSON.stringify(body),
        }),
      );
      const text = await response.text();
      const data = /^data: (\{.*"id".*)$/m.exec(text)?.[1] ?? text;
      const answer = JSON.parse(data) as { result?: never; error?: never };
      return answer.error
        ? { kind: "error", error: answer.error }
        : { kind: "result", result: answer.result! };
    },
  };
}

function serverWithTools(): McpServer {
  const tasks = serverTasks({ pollInterval: 20 });
  const server = new McpServer({ name: "ours", version: "1" }, { extensions: [tasks] });
  server.registerTool("quick", {}, () => "quick");
  server.registerTool("work", { task: "required" }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "done";
  });
  server.registerTool("ask", { task: "required" }, async (ctx) => {
    const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } } as const;
    const answer = await ctx.elicit({ message: "Sure?", requestedSchema });
    return answer.action;
  });
  server.registerTool("wait", { task: "required" }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "";
  });
  return server;
}

it("our server serves the requester of the official package", async () => {
  const session = withTasks(portTo(serverWithTools()), {
    onInputRequest: async () => ({ action: "accept", content: { sure: true } }) as never,
  });
  const resultOf = async (name: string): Promise<unknown> => {
    const execution = await session.callTool(name, {});
    return resultFromTaskOutcome((await execution.settle()).outcome as never);
  };
  for (const [tool, text] of [
    ["quick", "quick"],
    ["work", "done"],
    ["ask", "accept"],
  ] as const)
    expect(await resultOf(tool)).toMatchObject({ content: [{ type: "text", text }] });
  const waiting = await session.callTool("wait", {});
  expect(waiting.kind).toBe("task");
  await waiting.cancel();
  expect((await waiting.result()).status).toBe("cancelled");
  await session.close();
});
