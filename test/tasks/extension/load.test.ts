import { afterAll, beforeAll, expect, it } from "vitest";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import { ExtensionFolder } from "../../facade/extensions/support/generated.js";
import { MemoryTaskStore } from "../../../runtime/tasks/memory-task-store.js";
import { generatedTasks, talkAs, talkWith, taskServer, type TasksModule } from "./support.js";

const folder = new ExtensionFolder();
let tasks: TasksModule;

beforeAll(async () => {
  tasks = await generatedTasks(folder);
}, 60_000);
afterAll(() => folder.remove());

const TASKS = 10_000;
const POLLERS = 1000;

it("ten thousand tasks of a thousand clients that poll them all run", async () => {
  const store = new MemoryTaskStore({ maxTasks: TASKS });
  const rateLimits = false;
  const server = taskServer(tasks, { store, maxRunning: TASKS }, { rateLimits });
  const over = deferred<string>();
  server.registerTool("work", { task: "required" }, () => over.promise);
  const talk = await talkWith(server);
  const ids: string[] = [];
  for (let count = 0; count < TASKS; count += 1) ids.push((await talk.tool("work")).taskId);
  expect(new Set(ids).size).toBe(TASKS);
  const refused = await talk.tool("work");
  expect(refused).toMatchObject({ code: -32603, message: expect.stringContaining("Busy") });
  const pollers = await Promise.all(Array.from({ length: POLLERS }, () => talkWith(server)));
  const look = async (status: string): Promise<void> => {
    const looks = pollers.map((poller, index) =>
      poller.call("tasks/get", { taskId: ids[index * (TASKS / POLLERS)] }),
    );
    for (const { result } of await Promise.all(looks)) expect(result.status).toBe(status);
  };
  await look("working");
  over.resolve("done");
  await expect
    .poll(async () => (await talk.call("tasks/get", { taskId: ids.at(-1) })).result.status, {
      timeout: 20_000,
    })
    .toBe("completed");
  await look("completed");
  expect(server.reports).toEqual([]);
}, 120_000);

it("tasks above the limit of a principal are refused, and those of others are not", async () => {
  const server = taskServer(tasks, { maxRunningPerOwner: 2 });
  server.registerTool("work", { task: "required" }, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "";
  });
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map((principal) => talkAs(server, { principal })),
  );
  const first = await ada!.tool("work");
  await ada!.tool("work");
  expect(await ada!.tool("work")).toMatchObject({ code: -32603 });
  expect(await bob!.tool("work")).toMatchObject({ resultType: "task" });
  await ada!.call("tasks/cancel", { taskId: first.taskId });
  expect(await ada!.tool("work")).toMatchObject({ resultType: "task" });
});
