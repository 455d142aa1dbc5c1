import { expect, test } from "vitest";
import { SuspendedError } from "../../../runtime/wire/errors.js";
import { elicitForm, elicitUrl } from "../../../runtime/features/index.js";
import { responsesTo, type Wire } from "./support/round-trips.js";
import { form, SAMPLE } from "./support/questions.js";
import { serve } from "./support/serve.js";

test("an input request becomes a round, and the handler continues with its response (T2, MRTR-01, MRTR-02, MRTR-03, MRTR-04, MRTR-05, MRTR-06, MRTR-07)", async () => {
  const { client, errors } = await serve({
    greet: async (_context, ask) => {
      const { content } = await ask("elicitation/create", form("Who?"));
      return `Hello ${content.name}`;
    },
  });
  expect(await client.text("greet")).toBe("Hello Ada");
  const [{ inputRequests, requestState, resultType }] = client.interim as [never];
  expect(resultType).toBe("input_required");
  expect(inputRequests).toEqual({
    "ask-1": { method: "elicitation/create", params: form("Who?") },
  });
  expect(requestState).toMatch(/^1\.[\w-]+\.[\w-]+$/);
  expect(errors).toEqual([]);
});

test("input requests in sequence need one round each (T2)", async () => {
  let calls = 0;
  const { client } = await serve({
    three: async (_context, ask) => {
      calls += 1;
      const { content } = await ask("elicitation/create", form("Who?"));
      const sampled = await ask("sampling/createMessage", SAMPLE);
      const { roots } = await ask("roots/list");
      return `${content.name} ${sampled.content.text} ${roots[0].uri}`;
    },
  });
  expect(await client.text("three")).toBe("Ada Paris file:///work");
  expect(client.interim.map((one) => Object.keys(one.inputRequests))).toEqual([
    ["ask-1"],
    ["ask-2"],
    ["ask-3"],
  ]);
  expect(calls).toBe(4);
});

test("input requests in parallel are sent together (T2)", async () => {
  const { client } = await serve({
    three: async (_context, ask) => {
      const [who, sampled, { roots }] = await Promise.all([
        ask("elicitation/create", form("Who?")),
        ask("sampling/createMessage", SAMPLE),
        ask("roots/list", {}),
      ]);
      const last = await ask("elicitation/create", form(`Sure, ${who.content.name}?`));
      return `${who.content.name} ${sampled.content.text} ${roots[0].uri} ${last.action}`;
    },
  });
  expect(await client.text("three")).toBe("Ada Paris file:///work accept");
  expect(client.interim.map((one) => Object.keys(one.inputRequests))).toEqual([
    ["ask-1", "ask-2", "ask-3"],
    ["ask-4"],
  ]);
});

test("branches that send input requests in another order receive their own responses (T2)", async () => {
  let isFirst = true;
  const { client, errors } = await serve({
    race: async (_context, ask) => {
      const slow = async (): Promise<string> => {
        if (!isFirst) await new Promise((resolve) => setTimeout(resolve, 50));
        isFirst = false;
        const one = await ask("elicitation/create", form("slow"));
        return one.content.name;
      };
      const fast = async (): Promise<string> => {
        const one = await ask("elicitation/create", form("fast 1"));
        const two = await ask("elicitation/create", form("fast 2"));
        return `${one.content.name} ${two.content.name}`;
      };
      return (await Promise.all([slow(), fast()])).join(" ");
    },
  });
  expect(await client.text("race", {}, echo)).toBe("<slow> <fast 1> <fast 2>");
  expect(errors).toEqual([]);
});

test("a repeated input request receives a new response each time (T2)", async () => {
  const { client } = await serve({
    retry: async (_context, ask) => {
      const names: string[] = [];
      while (names.at(-1) !== "Ada 2") {
        names.push((await ask("elicitation/create", form("Who?"))).content.name);
      }
      return names.join(", ");
    },
  });
  let count = 0;
  const answer = (): object => ({ action: "accept", content: { name: `Ada ${count++}` } });
  expect(await client.text("retry", {}, answer)).toBe("Ada 0, Ada 1, Ada 2");
});

test("input requests can have names (T2)", async () => {
  const { client } = await serve({
    named: async (_context, ask) => {
      const [one, two] = await Promise.all([
        ask("elicitation/create", form("?"), { key: "first" }),
        ask("elicitation/create", form("?"), { key: "second" }),
      ]);
      return `${one.content.name} ${two.content.name}`;
    },
  });
  expect(await client.text("named", {}, byKey)).toBe("first second");
});

test.each([
  ["twice", ["a", "a"]],
  ["reserved", ["ask-1"]],
  ["too long", ["a".repeat(1000)]],
])("a name that is %s is rejected", async (_what, keys) => {
  const { client, errors } = await serve({
    named: async (_context, ask) => {
      await Promise.all(keys.map((key) => ask("roots/list", {}, { key })));
      return "never";
    },
  });
  expect((await client.tool("named")).error).toMatchObject({ code: -32603 });
  expect(errors[0]!.message).toMatch(/key/);
});

test("functions built on input requests work, and declining is a response (T2)", async () => {
  const { client } = await serve({
    greet: async (context) => {
      const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
      const answer = await elicitForm(context, { message: "Who?", requestedSchema });
      return answer.action === "accept" ? `Hello ${answer.content.name}` : answer.action;
    },
  });
  expect(await client.text("greet")).toBe("Hello Ada");
  expect(await client.text("greet", {}, () => ({ action: "decline" }))).toBe("decline");
});

test("a suspended handler is aborted, and its messages are dropped (MRTR-19)", async () => {
  const received: unknown[] = [];
  let after!: Promise<unknown>;
  const { client, errors } = await serve({
    lost: async ({ signal, notify, once }, ask) => {
      after = new Promise((resolve) => {
        signal.addEventListener("abort", async () => {
          received.push(signal.reason);
          await (notify as (...message: unknown[]) => Promise<void>)("notifications/progress", {
            progressToken: 1,
            progress: 1,
          });
          void once("late", () => void received.push("late"));
          await ask("roots/list").catch((error: unknown) => received.push(error));
          resolve(undefined);
        });
      });
      await ask("elicitation/create", form("Who?"));
      received.push("went on");
      return "never";
    },
  });
  expect((await client.tool("lost")).result.resultType).toBe("input_required");
  await after;
  expect(received).toEqual([expect.any(SuspendedError), expect.any(SuspendedError)]);
  expect(client.notifications).toEqual([]);
  expect(errors).toEqual([]);
});

test("a handler that does not await its input request returns its result", async () => {
  const { client, errors } = await serve({
    careless: async (_context, ask) => {
      void ask("elicitation/create", form("Who?"));
      return "done";
    },
  });
  expect((await client.tool("careless")).result.content[0].text).toBe("done");
  expect(errors).toEqual([]);
});

test("a handler's progress to a response do not affect the next round", async () => {
  const seen: string[] = [];
  const { client } = await serve({
    change: async (_context, ask) => {
      const { content } = await ask("elicitation/create", form("Who?"));
      seen.push(content.name);
      content.name += "!";
      await ask("roots/list");
      await ask("elicitation/create", form("Sure?"));
      return content.name;
    },
  });
  expect(await client.text("change")).toBe("Ada!");
  expect(seen).toEqual(["Ada", "Ada", "Ada"]);
});

test("visits to a URL are requested like forms", async () => {
  const { client } = await serve({
    visit: async (context) => {
      const request = { message: "Go there", url: "https://example.com/" };
      const { action, elicitationId } = await elicitUrl(context, request);
      return `${action} ${elicitationId}`;
    },
  });
  expect(await client.text("visit", {}, () => ({ action: "accept" }))).toBe("accept undefined");
  expect(client.interim[0]!.inputRequests["ask-1"].params.mode).toBe("url");
});

test("progress belongs to the current request (MRTR-24)", async () => {
  const { client } = await serve({
    work: async ({ progress }, ask) => {
      progress(1);
      await ask("roots/list");
      progress(2);
      return "done";
    },
  });
  const ask = (token: string, more: object = {}): Promise<Wire> =>
    client.request("tools/call", {
      name: "work",
      ...more,
      _meta: { ...client.envelope, progressToken: token },
    });
  const { result } = await ask("one");
  expect((await ask("two", responsesTo(result))).result.content[0].text).toBe("done");
  const progress = client.notifications.map(({ params }) => [
    params.progressToken,
    params.progress,
  ]);
  expect(progress).toEqual([
    ["one", 1],
    ["two", 1],
    ["two", 2],
  ]);
});

test("a client receives input requests even after its last message", async () => {
  const { client } = await serve({
    slow: async (_context, ask) => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      return ask("roots/list");
    },
  });
  const asking = client.tool("slow");
  client.endInput();
  expect((await asking).result.resultType).toBe("input_required");
});

test("an input request after the response is rejected with the reason", async () => {
  let late!: Promise<unknown>;
  const { client } = await serve({
    late: (_context, ask) => {
      late = new Promise((resolve) => setTimeout(resolve, 5))
        .then(() => ask("roots/list"))
        .catch((error: Error) => error);
      return "done";
    },
  });
  expect(await client.text("late")).toBe("done");
  const message = expect.stringContaining("has already been answered") as string;
  expect(await late).toMatchObject({ code: "LIFECYCLE", message });
});

test("a cancelled request does not return input requests", async () => {
  let isAsked!: () => void;
  const requested = new Promise<void>((resolve) => (isAsked = resolve));
  const { client, errors } = await serve({
    wait: async (_context, ask) => {
      isAsked();
      await ask("elicitation/create", form("Who?"));
      return "never";
    },
    quick: () => "here",
  });
  const answer = client.tool("wait");
  await requested;
  client.cancel();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await client.text("quick")).toBe("here");
  expect(await Promise.race([answer, "none"])).toBe("none");
  expect(errors).toEqual([]);
});

test("handlers without input requests may return without a promise", async () => {
  const { client } = await serve({ quick: () => "here" });
  expect(await client.text("quick")).toBe("here");
});

function echo({ params }: { params: { message: string } }): object {
  return { action: "accept", content: { name: `<${params.message}>` } };
}

function byKey(_request: unknown, name: string): object {
  return { action: "accept", content: { name } };
}
