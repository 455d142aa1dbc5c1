import { expect, onTestFinished, test, vi } from "vitest";
import { customRequest, onCustom } from "../../../runtime/api/index.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { form } from "./support/questions.js";
import { serve } from "./support/serve.js";

test("work inside once() runs once over all rounds (T2)", async () => {
  const done: string[] = [];
  const { client } = await serve({
    order: async ({ once }, ask) => {
      const id = await once("order", async () => {
        done.push("order");
        return { id: done.length };
      });
      const { content } = await ask("elicitation/create", form("Who?"));
      const paid = await once("pay", () => void done.push("pay"));
      await ask("roots/list");
      return `${id.id} ${content.name} ${String(paid)}`;
    },
  });
  expect(await client.text("order")).toBe("1 Ada undefined");
  expect(client.interim).toHaveLength(2);
  expect(done).toEqual(["order", "pay"]);
});

test("once() returns a copy of what JSON preserves, also the first time (T2)", async () => {
  const seen: unknown[] = [];
  const { client } = await serve({
    dates: async ({ once }, ask) => {
      const value = await once(
        "now",
        () => ({ at: new Date(0), list: [1] }) as never as { list: number[] },
      );
      seen.push(structuredClone(value));
      value.list.push(2);
      seen.push((await once<{ list: number[] }>("now", () => ({ list: [] }))).list);
      await ask("roots/list");
      return "done";
    },
  });
  expect(await client.text("dates")).toBe("done");
  const value = { at: "1970-01-01T00:00:00.000Z", list: [1] };
  expect(seen).toEqual([value, [1], value, [1]]);
});

test("running work is shared under its key (T2)", async () => {
  let count = 0;
  const work = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return ++count;
  };
  const { client } = await serve({
    shared: async ({ once }, ask) => {
      const all = await Promise.all([once("a", work), once("a", work), once("b", work)]);
      await ask("roots/list");
      return all.join(" ");
    },
  });
  expect(await client.text("shared")).toBe("1 1 2");
  expect(count).toBe(2);
});

test("an input request waits for running work, so that it does not run twice (T2)", async () => {
  let count = 0;
  const { client } = await serve({
    parallel: async ({ once }, ask) => {
      const slow = once("slow", async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return ++count;
      });
      const [number, { content }] = await Promise.all([
        slow,
        ask("elicitation/create", form("Who?")),
      ]);
      return `${number} ${content.name}`;
    },
  });
  expect(await client.text("parallel")).toBe("1 Ada");
  expect(count).toBe(1);
});

test("failed work in once() can run again, in this round and the next (T2)", async () => {
  let count = 0;
  const work = async (): Promise<number> => {
    if (++count < 3) throw new Error(`failure ${count}`);
    return count;
  };
  const { client } = await serve({
    flaky: async ({ once }, ask) => {
      const first = await once("a", work).catch((error: Error) => error.message);
      await ask("elicitation/create", form("One?"));
      const second = await once("a", work).catch((error: Error) => error.message);
      return `${first}, ${second}`;
    },
  });
  expect(await client.text("flaky")).toBe("failure 2, 3");
});

test("once() works inside once() (T2)", async () => {
  const done: string[] = [];
  const { client } = await serve({
    nested: async ({ once }, ask) => {
      const outer = await once("outer", async () => {
        const inner = await once("inner", () => {
          done.push("inner");
          return "in";
        });
        done.push("outer");
        return `${inner} out`;
      });
      await ask("roots/list");
      return `${outer} ${await once("inner", () => "again")}`;
    },
  });
  expect(await client.text("nested")).toBe("in out in");
  expect(done).toEqual(["inner", "outer"]);
});

test("an input request inside once() is rejected with the reason (T2)", async () => {
  const { client, errors } = await serve({
    wrong: async ({ once }, ask) => {
      await once("ask", async () => ask("roots/list"));
      return "never";
    },
  });
  expect((await client.tool("wrong")).error.code).toBe(-32603);
  expect(errors[0]!.message).toMatch(/roots\/list was not sent.*once\(\)/);
});

test("work that waits for an input request that waits for the work is reported (T2)", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, errors } = await serve({
    stuck: async ({ once }, ask) => {
      await once("ask", async () => {
        await Promise.resolve();
        return ask("roots/list");
      });
      return "never";
    },
  });
  void client.tool("stuck");
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(20_000);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/tools\/call waits with ask-1 for the work of once\(\)/),
  ]);
});

test("finished work is not reported (T2)", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let end!: () => void;
  const work = new Promise<void>((resolve) => (end = resolve));
  const { client, errors } = await serve({
    slow: async ({ once }, ask) => {
      await Promise.all([once("slow", () => work), ask("roots/list"), ask("roots/list", {})]);
      return "never";
    },
  });
  const asking = client.tool("slow");
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(1000);
  end();
  const answers: unknown[] = [];
  void asking.then((answer) => answers.push(answer));
  while (answers.length === 0) {
    for (let turns = 0; turns < 100; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.advanceTimersByTime(1);
  }
  expect((await asking).result.resultType).toBe("input_required");
  vi.advanceTimersByTime(60_000);
  expect(errors).toEqual([]);
});

test("once() rejects values that JSON cannot express (T2)", async () => {
  const { client, errors } = await serve({
    big: async ({ once }) => String(await once("big", () => 1n)),
  });
  expect((await client.tool("big")).error.code).toBe(-32603);
  expect(errors[0]!.message).toMatch(/BigInt/);
});

test("once() works for messages without rounds", async () => {
  const request = customRequest<undefined, { count: number }>("acme/count");
  let count = 0;
  const custom = onCustom(request, async (_params, { once }: HandlerContext) => {
    await once("a", () => ++count);
    return { count: await once("a", () => ++count) };
  });
  const { client } = await serve({}, { options: { custom: [custom] } });
  expect((await client.ask("acme/count")).result).toMatchObject({ count: 1 });
});

test("once() accepts any name as a key", async () => {
  const { client } = await serve({
    odd: async ({ once }, ask) => {
      const keys = ["__proto__", "constructor", ""];
      const values = await Promise.all(keys.map((key) => once(key, () => `<${key}>`)));
      await ask("roots/list");
      return values.join("");
    },
  });
  expect(await client.text("odd")).toBe("<__proto__><constructor><>");
});
