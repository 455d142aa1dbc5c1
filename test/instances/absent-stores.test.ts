import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, createHttpHandler, McpServer, UnavailableError } from "@mcp-codegen/universal";
import { clientTasks, serverTasks } from "@mcp-codegen/universal/tasks";
import { revisions } from "../../generated/universal/revisions.js";
import { MemoryTaskStore, type TaskStore } from "../../runtime/tasks/index.js";

const only = (id: string) => revisions.filter((revision) => revision.id === id);

/** An outage that affects all operations. */
class Outage {
  isNow = false;

  /** Starts an outage that lasts the given number of milliseconds. */
  begin(milliseconds: number): void {
    this.isNow = true;
    setTimeout(() => {
      this.isNow = false;
    }, milliseconds);
  }

  async through<Value>(work: () => Value | Promise<Value>): Promise<Value> {
    if (this.isNow) throw new Error("ECONNREFUSED redis.internal");
    return work();
  }
}

/** Creates a memory store that cannot be reached during an outage. */
function remote(outage: Outage): TaskStore {
  const store = new MemoryTaskStore();
  return {
    add: (stored) => outage.through(() => store.add(stored)),
    get: (taskId) => outage.through(() => store.get(taskId)),
    update: (stored) => outage.through(() => store.update(stored)),
    list: (owner) => outage.through(() => store.list(owner)),
    delete: (taskId) => outage.through(() => store.delete(taskId)),
  };
}

/** Starts a server that depends on stores, and a client whose requests are recorded together with the answers. */
async function served(id: string, maxRetryAfter = 0, isShared = false) {
  const outage = new Outage();
  const errors: Error[] = [];
  const redeemed = new Set<string>();
  let effects = 0;
  const server = new McpServer(
    { name: "dependent", version: "1.0.0" },
    {
      rounds: {
        redeem: (used) => outage.through(() => !redeemed.has(used) && Boolean(redeemed.add(used))),
      },
      extensions: [
        serverTasks({
          store: { ...remote(outage), isShared },
          lease: 600,
          pollInterval: 10,
          after: 0,
        }),
      ],
      onerror: (error) => void errors.push(error),
    },
  );
  server.registerTool("work", { task: "required" }, async (ctx) => {
    await ctx.elicit({ message: "Go on?", requestedSchema: { type: "object", properties: {} } });
    return `done ${++effects}`;
  });
  server.registerTool("bake", { task: "required" }, async (ctx) => {
    ctx.task?.status("in the oven");
    await sleep(50);
    outage.begin(700);
    await sleep(250);
    ctx.task?.status("cooling down");
    return `baked ${++effects}`;
  });
  server.registerTool("ask", {}, async (ctx) => {
    const { roots } = await ctx.listRoots();
    return `${roots.length} roots, ${++effects}`;
  });
  server.registerTool("depend", {}, () =>
    Promise.reject(new UnavailableError("the billing system", new Error("secret"), 0.5)),
  );
  const handler = createHttpHandler(server, { onerror: (error) => void errors.push(error) });
  const answers: Response[] = [];
  const client = await connect("http://localhost/mcp", {
    revisions: only(id),
    extensions: [clientTasks()],
    roots: [{ uri: "file:///work" }],
    onElicit: () => {
      outage.begin(500);
      return { action: "accept", content: {} };
    },
    http: {
      maxRetryAfter,
      fetch: async (url, init) => {
        const answer = await handler(new Request(url, init));
        answers.push(answer.clone() as Response);
        return answer;
      },
    },
  });
  onTestFinished(async () => {
    outage.isNow = false;
    await client.close().catch(() => {});
    await handler.close(0);
  });
  const notified = () => answers.filter(({ status }) => status === 503);
  return { outage, client, errors, notified, effects: () => effects };
}

const SECRET = /ECONNREFUSED|secret/;

describe.each(["2026-07-28", "2025-11-25"])("an unavailable store, at %s", (id) => {
  it("makes a new task fail with 503 and Retry-After before anything runs", async () => {
    const { outage, client, errors, notified, effects } = await served(id);
    outage.isNow = true;
    await expect(client.callTool("work")).rejects.toThrow();
    const [answer] = notified();
    expect(answer!.headers.get("retry-after")).toBe("2");
    const { error } = (await answer!.json()) as { error: { code: number; message: string } };
    expect(error).toMatchObject({ code: -32603 });
    expect(error.message).toContain("the store of tasks");
    expect(error.message).not.toMatch(SECRET);
    expect(errors.map((one) => String(one.cause))).toContain("Error: ECONNREFUSED redis.internal");
    expect(effects()).toBe(0);
  });

  it("lets a task end meanwhile: its result is available when the store is back", async () => {
    for (const isShared of [false, true]) {
      const { client, errors } = await served(id, 5000, isShared);
      const { content } = await client.callTool("bake");
      expect(content).toEqual([{ type: "text", text: "baked 1" }]);
      expect(errors.length).toBeGreaterThan(0);
    }
  });

  it("is reported to a handler, too", async () => {
    const { client, notified } = await served(id);
    await expect(client.callTool("depend")).rejects.toThrow();
    const [answer] = notified();
    expect(answer!.headers.get("retry-after")).toBe("1");
    expect(await answer!.text()).not.toMatch(SECRET);
  });
});

describe("an unavailable store, at 2026-07-28", () => {
  it("makes an input response to a task fail without losing it: the client sends it again", async () => {
    const { client, notified, effects } = await served("2026-07-28", 5000);
    const { content } = await client.callTool("work");
    expect(content).toEqual([{ type: "text", text: "done 1" }]);
    expect(notified().length).toBeGreaterThan(0);
    for (const answer of notified()) expect(answer.headers.get("retry-after")).toBe("2");
    expect(effects()).toBe(1);
  });

  it("makes the last step of a call fail: nothing takes effect twice, and nothing is lost", async () => {
    const { outage, client, notified, effects } = await served("2026-07-28", 5000);
    outage.begin(500);
    const { content } = await client.callTool("ask");
    expect(content).toEqual([{ type: "text", text: "1 roots, 1" }]);
    expect(notified()).toHaveLength(1);
    expect(effects()).toBe(1);
  });
});
