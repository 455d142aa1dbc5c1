import { afterAll, beforeAll, expect, it } from "vitest";
import { Random } from "../../support/random.js";
import { ExtensionFolder } from "../../facade/extensions/support/generated.js";
import { generatedTasks, talkWith, taskServer, type TasksModule } from "./support.js";

const folder = new ExtensionFolder();
let tasks: TasksModule;

beforeAll(async () => {
  tasks = await generatedTasks(folder);
}, 60_000);
afterAll(() => folder.remove());

const FINAL = ["completed", "failed", "cancelled"];
const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } } as const;
const accept = { action: "accept", content: { sure: true } };

/** The steps that clients and a task's handler can take in any order, most of them more than once. */
const STEPS = [
  "get",
  "ask",
  "ask",
  "answer",
  "answer twice",
  "foreign",
  "cancel",
  "finish",
  "fail",
];

function stepsOf(seed: number): string[] {
  const random = new Random(`tasks ${seed}`);
  return Array.from({ length: 1 + random.below(14) }, () => random.pick(STEPS));
}

/** Orders for the tool's handler, which takes them one after the other. */
class Orders {
  readonly #given: string[] = [];
  #next: (() => void) | undefined;

  give(order: string): void {
    this.#given.push(order);
    this.#next?.();
  }

  async take(): Promise<string> {
    while (this.#given.length === 0) await new Promise<void>((resolve) => (this.#next = resolve));
    return this.#given.shift()!;
  }
}

const SEEDS = Array.from({ length: 80 }, (_, seed) => seed);

it.each(SEEDS)("the rules of the state machine hold in any order of steps, %i", async (seed) => {
  const server = taskServer(tasks);
  const orders = new Orders();
  server.registerTool("work", { task: "required" }, async (ctx) => {
    for (;;) {
      const order = await orders.take();
      if (order === "finish") return "done";
      if (order === "fail") throw new Error("failed");
      void ctx.elicit({ message: "Sure?", requestedSchema }).catch(() => {});
    }
  });
  const talk = await talkWith(server);
  const { taskId } = await talk.tool("work");
  const seen: { status: string; lastUpdatedAt: string }[] = [];
  const keys = new Set<string>();
  const look = async (): Promise<string[]> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    const { result } = await talk.call("tasks/get", { taskId });
    expect(tasks.validators["GetTaskResult"]!(result)).toBe(true);
    const before = seen.at(-1);
    if (before && FINAL.includes(before.status)) {
      const { _meta: _, ...same } = result;
      expect(same).toMatchObject({
        status: before.status,
        lastUpdatedAt: before.lastUpdatedAt,
      });
    }
    if (before) expect(result.lastUpdatedAt >= before.lastUpdatedAt).toBe(true);
    seen.push(result);
    const open = Object.keys(result.inputRequests ?? {});
    expect(open.length > 0).toBe(result.status === "input_required");
    for (const key of open) keys.add(key);
    return open;
  };
  const answered = new Set<string>();
  const answer = async (key: string): Promise<void> => {
    const update = { taskId, inputResponses: { [key]: accept } };
    expect((await talk.call("tasks/update", update)).error).toBeUndefined();
    answered.add(key);
  };
  for (const one of stepsOf(seed)) {
    const open = await look();
    for (const key of open) expect(answered.has(key)).toBe(false);
    if (one === "ask" || one === "finish" || one === "fail") orders.give(one);
    if (one === "cancel")
      expect((await talk.call("tasks/cancel", { taskId })).error).toBeUndefined();
    if (one === "foreign") await answer("nobody-asked");
    if (one.startsWith("answer") && open[0]) await answer(open[0]);
    if (one === "answer twice" && open[0]) await answer(open[0]);
  }
  await look();
  await talk.call("tasks/cancel", { taskId });
  await look();
  expect(FINAL).toContain(seen.at(-1)!.status);
});
