import { describe, expect, it, onTestFinished } from "vitest";
import { connect, McpServer, revisions } from "@mcp-codegen/universal";
import { clientTasks, serverTasks } from "@mcp-codegen/universal/tasks";
import { memoryPair } from "@mcp-codegen/runtime/memory";

const TOOLS = ["never", "optional", "required"] as const;
type Tool = (typeof TOOLS)[number];

/** Clients, by what they know about tasks. */
const CLIENTS = {
  "2026-07-28 with the extension": { revision: "2026-07-28", hasTasks: true },
  "2026-07-28 without it": { revision: "2026-07-28", hasTasks: false },
  "2025-11-25 with tasks": { revision: "2025-11-25", hasTasks: true },
  "2025-11-25 without them": { revision: "2025-11-25", hasTasks: false },
  "2025-06-18 with tasks": { revision: "2025-06-18", hasTasks: true },
  "2024-11-05": { revision: "2024-11-05", hasTasks: false },
} as const;

/** The code of the only correct error, for clients that cannot call a tool. All others receive the result. */
const REFUSED: Partial<Record<keyof typeof CLIENTS, Partial<Record<Tool, number>>>> = {
  "2026-07-28 without it": { required: -32021 },
  "2025-11-25 without them": { required: -32601 },
};

const ignore = (): void => {};

function serverWith(hasTasks: boolean): McpServer {
  const extensions = hasTasks ? [serverTasks({ after: 10, pollInterval: 20 })] : [];
  const server = new McpServer({ name: "cells", version: "1" }, { extensions, onerror: ignore });
  for (const task of TOOLS) {
    server.registerTool(task, { task }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return task;
    });
  }
  return server;
}

async function clientOf(server: McpServer, name: keyof typeof CLIENTS) {
  const { revision, hasTasks } = CLIENTS[name];
  const [near, far] = memoryPair();
  await server.fork().connect(far);
  const tasks = clientTasks();
  const client = await connect(near, {
    revisions: revisions.filter(({ id }) => id === revision),
    extensions: hasTasks ? [tasks] : [],
  });
  onTestFinished(() => client.close());
  expect(client.revision).toBe(revision);
  return { client, tasks };
}

describe.each(Object.keys(CLIENTS) as (keyof typeof CLIENTS)[])("a client of %s", (name) => {
  it.each(TOOLS)("calls a tool with task: %s, or reports why it cannot", async (task) => {
    const { client } = await clientOf(serverWith(true), name);
    const code = REFUSED[name]?.[task];
    if (code !== undefined) await expect(client.callTool(task)).rejects.toMatchObject({ code });
    else
      expect(await client.callTool(task)).toMatchObject({
        content: [{ type: "text", text: task }],
      });
  });

  it.each(TOOLS)("calls a tool with task: %s of a server without tasks", async (task) => {
    const { client } = await clientOf(serverWith(false), name);
    const isRefused = CLIENTS[name].revision === "2025-11-25" && task === "required";
    if (isRefused) await expect(client.callTool(task)).rejects.toMatchObject({ code: -32601 });
    else
      expect(await client.callTool(task)).toMatchObject({
        content: [{ type: "text", text: task }],
      });
  });
});

const WITH_TASKS = (Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]).filter(
  (name) => CLIENTS[name].hasTasks,
);

describe.each(WITH_TASKS)("a client of %s", (name) => {
  it.each(TOOLS)("starts a tool with task: %s", async (task) => {
    const { tasks } = await clientOf(serverWith(true), name);
    const started = await tasks.startTool(task);
    const isTask = CLIENTS[name].revision !== "2025-06-18" && task !== "never";
    expect(started.taskId !== undefined).toBe(isTask);
    expect(await started.result()).toMatchObject({ content: [{ type: "text", text: task }] });
  });
});
