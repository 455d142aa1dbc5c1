import { expect, test } from "vitest";
import { responsesTo, type Wire } from "./support/round-trips.js";
import { form, SAMPLE } from "./support/questions.js";
import { serve, type Served, type Tool } from "./support/serve.js";

const two: Tool = async (_context, ask) => {
  const [who, sampled] = await Promise.all([
    ask("elicitation/create", form("Who?")),
    ask("sampling/createMessage", SAMPLE),
  ]);
  return `${who.content.name} ${sampled.content.text}`;
};

const one: Tool = async (_context, ask) => {
  const { action, content } = await ask("elicitation/create", form("Who?"));
  return `${action} ${content?.name}`;
};

const accept = (name: string): object => ({ action: "accept", content: { name } });

async function firstState({ client }: Served, name: string): Promise<string> {
  return (await client.tool(name)).result.requestState;
}

test("an unanswered input request is sent again, an answered one is not (A13, MRTR-21)", async () => {
  const served = await serve({ two });
  const requestState = await firstState(served, "two");
  const second = await served.client.tool("two", {
    requestState,
    inputResponses: { "ask-1": accept("Bob") },
  });
  expect(Object.keys(second.result.inputRequests)).toEqual(["ask-2"]);
  expect(second.result.requestState).not.toBe(requestState);
  const third = await served.client.again("two", second);
  expect(third.result.content[0].text).toBe("Bob Paris");
});

test.each([
  ["nothing", undefined],
  ["no response", {}],
  ["responses to requests that were never sent", { other: accept("Eve"), "ask-2": accept("Eve") }],
  ["a response of another kind", { "ask-1": { roots: [] } }],
  ["inherited names", { __proto__: null, constructor: accept("Eve"), toString: accept("Eve") }],
])("an input request is sent again after %s (A13, MRTR-21)", async (_what, inputResponses) => {
  const served = await serve({ one });
  const requestState = await firstState(served, "one");
  const again = await served.client.tool("one", { requestState, inputResponses });
  expect(Object.keys(again.result.inputRequests)).toEqual(["ask-1"]);
  const { result } = await served.client.again("one", again);
  expect(result.content[0].text).toBe("accept Ada");
});

test("a response to a later input request that was not sent is ignored (A13)", async () => {
  const served = await serve({
    next: async (_context, ask) => {
      const first = await ask("elicitation/create", form("One"));
      const second = await ask("elicitation/create", form("Two"));
      return `${first.content.name} ${second.content.name}`;
    },
  });
  const requestState = await firstState(served, "next");
  const inputResponses = { "ask-1": accept("1"), "ask-2": accept("guessed") };
  const again = await served.client.tool("next", { requestState, inputResponses });
  expect(Object.keys(again.result.inputRequests)).toEqual(["ask-2"]);
});

test("a response of an earlier round cannot be replaced (MRTR-13)", async () => {
  const served = await serve({
    next: async (_context, ask) => {
      const first = await ask("elicitation/create", form("One"));
      const second = await ask("elicitation/create", form("Two"));
      return `${first.content.name} ${second.content.name}`;
    },
  });
  const { client } = served;
  const first = await client.tool("next");
  const second = await client.tool(
    "next",
    responsesTo(first.result, () => accept("1")),
  );
  const { requestState } = second.result;
  const inputResponses = { "ask-1": accept("changed"), "ask-2": accept("2") };
  const { result } = await client.tool("next", { requestState, inputResponses });
  expect(result.content[0].text).toBe("1 2");
});

test.each([
  ["null", null],
  ["an array", []],
  ["a string", "yes"],
  ["null as a response", { "ask-1": null }],
  ["a number as a response", { "ask-1": 12345 }],
  ["an array as a response", { "ask-1": [] }],
  ["an invalid response", { "ask-1": { action: "perhaps" } }],
])(
  "a request with %s as input responses is refused (A13, MRTR-21)",
  async (_what, inputResponses) => {
    const served = await serve({ one });
    const requestState = await firstState(served, "one");
    for (const state of [{ requestState }, {}]) {
      const { error } = await served.client.tool("one", { ...state, inputResponses });
      expect(error.code).toBe(-32602);
    }
  },
);

test("input responses without a state are ignored (A13)", async () => {
  const served = await serve({ one });
  const again = await served.client.tool("one", { inputResponses: { "ask-1": accept("Eve") } });
  expect(again.result.resultType).toBe("input_required");
});

test.each<[string, object, object, string, Wire]>([
  ["elicitation", { sampling: {} }, { elicitation: {} }, "elicitation/create", form("Who?")],
  ["URL mode", { elicitation: {} }, { elicitation: { url: {} } }, "elicitation/create", url()],
  ["sampling", { elicitation: {} }, { sampling: {} }, "sampling/createMessage", SAMPLE],
  ["tools", { sampling: {} }, { sampling: { tools: {} } }, "sampling/createMessage", withTools()],
  ["roots", {}, { roots: {} }, "roots/list", undefined],
])(
  "a client without %s receives no input request (A13, MRTR-05)",
  async (_what, capabilities, requiredCapabilities, method, params) => {
    const { client, errors } = await serve({ ask: async (_context, ask) => ask(method, params) });
    client.capabilities = capabilities;
    const { error } = await client.tool("ask");
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    expect(errors).toEqual([]);
  },
);

test("a handler can work without the capability (MRTR-05)", async () => {
  const { client } = await serve({
    either: async (_context, ask) => {
      const who = await ask("elicitation/create", form("Who?")).catch(() => undefined);
      return (who ?? (await ask("sampling/createMessage", SAMPLE))).content.text;
    },
  });
  client.capabilities = { sampling: {} };
  expect(await client.text("either")).toBe("Paris");
});

test("the input response of a client that no longer declares the capability is ignored (A13)", async () => {
  const served = await serve({ one });
  const { result } = await served.client.tool("one");
  served.client.capabilities = {};
  const { error } = await served.client.tool("one", responsesTo(result));
  expect(error.code).toBe(-32021);
});

test.each(["ping", "tools/list", "notifications/message", "acme/question", "constructor"])(
  "an input request with %s is rejected (MRTR-04)",
  async (method) => {
    const { client, errors } = await serve({ ask: async (_context, ask) => ask(method, {}) });
    expect((await client.tool("ask")).error.code).toBe(-32603);
    expect(errors[0]!.message).toMatch(/was not sent/);
  },
);

test("requests without rounds have no input requests (MRTR-03)", async () => {
  const { client, errors } = await serve(
    {},
    {
      handlers: {
        "tools/list": async (_params: unknown, context: Wire) => {
          await context.request("roots/list");
          return { tools: [] };
        },
      },
    },
  );
  expect((await client.ask("tools/list")).error.code).toBe(-32603);
  expect(errors[0]!.message).toMatch(/roots\/list was not sent.*tools\/list/);
});

test.each(["prompts/get", "resources/read"])(
  "input requests are possible during %s (MRTR-03)",
  async (method) => {
    const handler = async (_params: unknown, context: Wire): Promise<object> => {
      const { content } = await context.request("elicitation/create", form("Who?"));
      const text = content.name;
      return method === "prompts/get"
        ? { messages: [{ role: "user", content: { type: "text", text } }] }
        : { contents: [{ uri: "file:///a", text }] };
    };
    const { client } = await serve({}, { handlers: { [method]: handler } });
    const params = method === "prompts/get" ? { name: "any" } : { uri: "file:///a" };
    const { result } = await client.fulfil(method, params);
    expect(JSON.stringify(result)).toContain("Ada");
    expect(client.interim).toHaveLength(1);
  },
);

test("input requests of concurrent requests do not mix (MRTR-12)", async () => {
  const { client } = await serve({
    echo: async (_context, ask, { arguments: { text } }) => {
      const { content } = await ask("elicitation/create", form(text));
      return `${text} ${content.name}`;
    },
  });
  const answers = await Promise.all(
    ["a", "b", "c"].map(async (text) => {
      const params = { arguments: { text } };
      const first = await client.tool("echo", params);
      return (await client.again("echo", first, params, echo)).result.content[0].text;
    }),
  );
  expect(answers).toEqual(["a <a>", "b <b>", "c <c>"]);
});

function echo({ params: { message } }: Wire): object {
  return accept(`<${message}>`);
}

function url(): object {
  return { mode: "url", message: "Go there", url: "https://example.com/", elicitationId: "1" };
}

function withTools(): object {
  return { ...SAMPLE, tools: [{ name: "a", inputSchema: { type: "object" } }] };
}
