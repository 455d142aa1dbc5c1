import { afterEach, describe, expect, it } from "vitest";
import type { HandlerContext } from "../../runtime/api/handlers.js";
import {
  Elicitation,
  type FormSchema,
  UrlElicitationRequiredError,
  completeElicitation,
  elicitForm,
  elicitUrl,
  urlElicitationsOf,
} from "../../runtime/features/index.js";
import { namesCapability } from "../../runtime/wire/revision/capabilities.js";
import {
  connected,
  type Connected,
  handshakes,
  having,
  type Package,
  rawServerOf,
  settled,
  type Wire,
} from "./support/revisions.js";

const METHOD = "elicitation/create";
const COMPLETE = "notifications/elicitation/complete";
const url = "https://example.org/sign-in";

const form: FormSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2 },
    age: { type: "integer", minimum: 18 },
    member: { type: "boolean", default: true },
  },
  required: ["name"],
};

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

/** Connects to a server that runs an action while it handles `tools/list`. */
async function during(
  pinned: Package,
  elicitation: Elicitation | undefined,
  act: (context: HandlerContext) => Promise<unknown>,
): Promise<Wire> {
  const outcome: { value?: unknown; error?: unknown } = {};
  const listTools = async (_params: unknown, context: HandlerContext): Promise<object> => {
    try {
      outcome.value = await act(context);
    } catch (error) {
      outcome.error = error;
    }
    return { tools: [] };
  };
  const features = elicitation ? [elicitation] : [];
  pair = await connected(pinned, { handlers: { "tools/list": listTools } }, { features });
  await pair.client.request("tools/list");
  return outcome;
}

const accept = (content: Wire) => new Elicitation({ form: () => ({ action: "accept", content }) });
const hasModes = ({ revision }: Package) => namesCapability(revision, "client.elicitation.url");

const declaredBy = async (pinned: Package, elicitation: Elicitation): Promise<Wire> => {
  const { server, client } = await connected(pinned, {}, { features: [elicitation] });
  const { capabilities } = server.client!;
  await client.close();
  return capabilities;
};

describe.each(having(METHOD))("forms under %s", (_id, pinned) => {
  const hasUrls = hasModes(pinned);

  it("declares its modes in the form of the revision (ELIC-02, ELIC-03)", async () => {
    const both = {
      form: () => ({ action: "cancel" }) as const,
      url: () => ({ action: "cancel" }) as const,
    };
    const modes = hasUrls ? { form: {}, url: {} } : {};
    expect(await declaredBy(pinned, new Elicitation(both))).toEqual({ elicitation: modes });
    const formOnly = hasUrls ? { form: {} } : {};
    expect(await declaredBy(pinned, new Elicitation({ form: both.form }))).toEqual({
      elicitation: formOnly,
    });
  });

  it("declares nothing at a revision without its modes (ELIC-02, ELIC-04)", async () => {
    const urlOnly = new Elicitation({ url: () => ({ action: "cancel" }) });
    const expected = hasUrls ? { elicitation: { url: {} } } : {};
    expect(await declaredBy(pinned, urlOnly)).toEqual(expected);
  });

  it("asks the user and returns the answer (ELIC-08, ELIC-18)", async () => {
    const outcome = await during(pinned, accept({ name: "Ada", age: 36 }), (context) =>
      elicitForm(context, { message: "Who?", requestedSchema: form }),
    );
    expect(outcome).toEqual({ value: { action: "accept", content: { name: "Ada", age: 36 } } });
    const requested = pair!.traffic.sent.find(({ message }) => message.method === METHOD);
    expect(requested!.message.params).toEqual({ message: "Who?", requestedSchema: form });
  });

  it.each(["decline", "cancel"] as const)(
    "has no content after %s (ELIC-18, ELIC-21)",
    async (action) => {
      const elicitation = new Elicitation({ form: () => ({ action, content: { name: "Ada" } }) });
      const outcome = await during(pinned, elicitation, (context) =>
        elicitForm(context, { message: "Who?", requestedSchema: form }),
      );
      expect(outcome).toEqual({ value: { action } });
      expect(JSON.stringify(pair!.traffic.sent)).not.toContain("Ada");
    },
  );

  it("prevents a client from sending an invalid answer (ELIC-20)", async () => {
    const outcome = await during(pinned, accept({ name: "A", age: 17 }), (context) =>
      elicitForm(context, { message: "Who?", requestedSchema: form }),
    );
    expect(outcome.error).toMatchObject({ name: "RpcError", code: -32603 });
    expect(pair!.errors).toHaveLength(1);
    expect((pair!.errors[0]!.cause as Error).message).toMatch(/\/name: .*\/age: /);
  });

  it("reports a handler that returns nothing (ELIC-18)", async () => {
    const silent = new Elicitation({ form: () => undefined as never });
    const outcome = await during(pinned, silent, (context) =>
      elicitForm(context, { message: "Who?", requestedSchema: form }),
    );
    expect(outcome.error).toMatchObject({ code: -32603 });
    expect(pair!.errors).toMatchObject([
      {
        message: expect.stringMatching(/returned an invalid result: \/action: .*received nothing/),
      },
    ]);
  });

  it("prevents a server from accepting an invalid answer (ELIC-20)", async () => {
    const answers = [{ name: 7 }, {}, undefined, { name: "Ada", age: 1.5 }];
    for (const content of answers) {
      const create = () => ({ action: "accept", content });
      const outcome: { error?: Wire } = {};
      const listTools = async (_params: unknown, context: HandlerContext): Promise<object> => {
        const asking = elicitForm(context, { message: "Who?", requestedSchema: form });
        await asking.catch((error: unknown) => (outcome.error = error));
        return { tools: [] };
      };
      pair = await connected(
        pinned,
        { handlers: { "tools/list": listTools } },
        { handlers: { [METHOD]: create } },
      );
      await pair.client.request("tools/list");
      expect(outcome.error).toMatchObject({ code: "INVALID_MESSAGE" });
      await pair.client.close();
    }
  });

  it("fills in defaults if an option says so, for omitted fields only (ELIC-16)", async () => {
    const schema: Wire = hasUrls
      ? {
          type: "object",
          properties: {
            name: { type: "string", default: "John Doe" },
            age: { type: "integer", default: 30 },
            score: { type: "number", default: 95.5 },
            status: { type: "string", enum: ["active", "inactive"], default: "active" },
            verified: { type: "boolean", default: true },
            tags: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] },
          },
        }
      : { type: "object", properties: { verified: { type: "boolean", default: true } } };
    const all = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, (field as Wire).default]),
    );
    const ask = (applyDefaults: boolean, content?: Wire) => {
      const answer = content ? { action: "accept", content } : { action: "accept" };
      return during(
        pinned,
        new Elicitation({ form: () => answer as never, applyDefaults }),
        (context) => elicitForm(context, { message: "?", requestedSchema: schema }),
      );
    };
    expect((await ask(true)).value.content).toEqual(all);
    expect((await ask(true, { verified: false })).value.content).toEqual({
      ...all,
      verified: false,
    });
    expect((await ask(false)).value.content).toEqual({});
  });

  it("refuses a field that the revision does not have (ELIC-10)", async () => {
    const nested = { type: "object", properties: { a: { type: "object" } } };
    const outcome = await during(pinned, accept({}), (context) =>
      elicitForm(context, { message: "?", requestedSchema: nested as never }),
    );
    expect(outcome.error).toBeInstanceOf(TypeError);
  });

  it("sends no request to a client without elicitation (ELIC-05)", async () => {
    const outcome = await during(pinned, undefined, (context) =>
      elicitForm(context, { message: "?", requestedSchema: form }),
    );
    expect(outcome.error).toMatchObject({ code: "CAPABILITY" });
  });

  it("distinguishes fields with unusual names from inherited members (S09, SEC-23)", async () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string","default":"x"},"constructor":{"type":"string"}}',
    );
    const requestedSchema = { type: "object", properties, required: ["constructor"] };
    const raw = await rawServerOf(pinned, [
      new Elicitation({ form: () => ({ action: "accept" }), applyDefaults: true }),
    ]);
    expect(await raw.call(1, METHOD, { message: "?", requestedSchema })).toMatchObject({
      error: { code: -32603 },
    });
    const other = await rawServerOf(pinned, [
      new Elicitation({
        form: () => ({ action: "accept", content: { constructor: "c" } as never }),
        applyDefaults: true,
      }),
    ]);
    const { result } = await other.call(1, METHOD, { message: "?", requestedSchema });
    expect(Object.entries(result.content)).toEqual([
      ["constructor", "c"],
      ["__proto__", "x"],
    ]);
  });
});

const page = (action: "accept" | "decline", received: string[] = []) =>
  new Elicitation({
    url: () => ({ action, content: { secret: "x" } }),
    oncomplete: (id) => void received.push(id),
  });

describe.each(having(COMPLETE))("elicitation by URL under %s", (_id, pinned) => {
  it("opens a page and receives one notification that the user is done (ELIC-19, ELIC-22, ELIC-23)", async () => {
    const received: string[] = [];
    let session: HandlerContext["session"] | undefined;
    const outcome = await during(pinned, page("accept", received), async (context) => {
      session = context.session;
      return elicitUrl(context, { message: "Sign in", url });
    });
    const { elicitationId } = outcome.value;
    expect(outcome.value).toEqual({ action: "accept", elicitationId: expect.any(String) });
    const requested = pair!.traffic.sent.find(({ message }) => message.method === METHOD);
    expect(requested!.message.params).toEqual({
      mode: "url",
      message: "Sign in",
      url,
      elicitationId,
    });
    await completeElicitation(session!, "unknown");
    await completeElicitation(session!, elicitationId);
    await completeElicitation(session!, elicitationId);
    await settled();
    expect(received).toEqual([elicitationId]);
    expect(pair!.traffic.notified(COMPLETE)).toHaveLength(3);
  });

  it("does not remember a page that the user declined (ELIC-23)", async () => {
    const received: string[] = [];
    const outcome = await during(pinned, page("decline", received), async (context) => {
      const answer = await elicitUrl(context, { message: "Sign in", url, elicitationId: "mine" });
      await completeElicitation(context.session, "mine");
      return answer;
    });
    expect(outcome.value).toEqual({ action: "decline", elicitationId: "mine" });
    await settled();
    expect(received).toEqual([]);
  });

  it("treats a request without a mode as a form (ELIC-07)", async () => {
    const shown: unknown[] = [];
    const raw = await rawServerOf(pinned, [
      new Elicitation({
        form: ({ message }) => {
          shown.push(message);
          return { action: "decline" };
        },
        url: () => ({ action: "accept" }),
      }),
    ]);
    const requested = { message: "?", requestedSchema: form };
    for (const params of [requested, { mode: "form", ...requested }]) {
      expect(await raw.call(shown.length, METHOD, params)).toMatchObject({
        result: { action: "decline" },
      });
    }
    expect(shown).toEqual(["?", "?"]);
  });

  it("is refused if only forms are declared (ELIC-05, ELIC-06)", async () => {
    const formOnly = new Elicitation({ form: () => ({ action: "cancel" }) });
    const outcome = await during(pinned, formOnly, (context) =>
      elicitUrl(context, { message: "?", url }),
    );
    expect(outcome.error).toMatchObject({ code: "CAPABILITY" });
    const raw = await rawServerOf(pinned, [
      new Elicitation({ form: () => ({ action: "cancel" }) }),
    ]);
    const params = { mode: "url", message: "?", url, elicitationId: "1" };
    expect(await raw.call(1, METHOD, params)).toMatchObject({ error: { code: -32602 } });
    const other = await rawServerOf(pinned, [page("accept")]);
    const requested = { message: "?", requestedSchema: form };
    expect(await other.call(1, METHOD, requested)).toMatchObject({ error: { code: -32602 } });
    expect(await other.call(2, METHOD, params)).toMatchObject({ result: { action: "accept" } });
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "https://", "data:text/html,x", "x"])(
    "refuses the URL %j (SEC-09, A14)",
    async (bad) => {
      const outcome = await during(pinned, page("accept"), (context) =>
        elicitUrl(context, { message: "?", url: bad }),
      );
      expect(outcome.error).toBeInstanceOf(TypeError);
      const raw = await rawServerOf(pinned, [page("accept")]);
      const params = { mode: "url", message: "?", url: bad, elicitationId: "1" };
      expect(await raw.call(1, METHOD, params)).toMatchObject({ error: { code: -32602 } });
    },
  );

  it("refuses a request until the user has visited the page (ELIC-24)", async () => {
    const received: string[] = [];
    const elicitation = page("accept", received);
    let session: HandlerContext["session"] | undefined;
    const listTools = (_params: unknown, context: HandlerContext): object => {
      session = context.session;
      throw new UrlElicitationRequiredError([{ message: "Sign in", url }]);
    };
    pair = await connected(
      pinned,
      { handlers: { "tools/list": listTools } },
      { features: [elicitation] },
    );
    const error: Wire = await pair.client.request("tools/list").catch((one: unknown) => one);
    expect(error.code).toBe(-32042);
    const elicitations = urlElicitationsOf(error);
    expect(elicitations).toEqual([
      { mode: "url", message: "Sign in", url, elicitationId: expect.any(String) },
    ]);
    expect(elicitations).toEqual(error.data.elicitations);
    const id = elicitations[0]!.elicitationId!;
    await completeElicitation(session!, id);
    await settled();
    expect(received).toEqual([]);
  });

  it("limits what it remembers per session", async () => {
    const received: string[] = [];
    const raw = await rawServerOf(pinned, [page("accept", received)]);
    for (let id = 0; id <= 1000; id++) {
      await raw.call(id, METHOD, { mode: "url", message: "?", url, elicitationId: `${id}` });
    }
    for (const elicitationId of ["0", "1", "1000"]) raw.tell(COMPLETE, { elicitationId });
    await settled();
    expect(received).toEqual(["1", "1000"]);
  });
});

describe.each(handshakes.filter(([, pinned]) => !hasModes(pinned)))(
  "elicitation without URLs under %s",
  (_id, pinned) => {
    it("answers with an error message that hides the URL (ELIC-01, ELIC-24)", async () => {
      const listTools = (): object => {
        throw new UrlElicitationRequiredError([{ message: "Sign in", url }], "Sign in first");
      };
      pair = await connected(pinned, { handlers: { "tools/list": listTools } });
      const error: Wire = await pair.client.request("tools/list").catch((one: unknown) => one);
      expect(error).toMatchObject({ code: -32603, message: "Sign in first", data: undefined });
      expect(urlElicitationsOf(error)).toEqual([]);
      expect(JSON.stringify(pair.traffic.sent)).not.toContain(url);
    });

    it("sends nothing that the revision does not have (ELIC-01)", async () => {
      const outcome = await during(pinned, undefined, async (context) => {
        await completeElicitation(context.session, "1");
        return elicitUrl(context, { message: "?", url });
      });
      expect(outcome.error).toMatchObject({ code: "CAPABILITY" });
      expect(pair!.traffic.notified(COMPLETE)).toEqual([]);
    });
  },
);

describe.each(handshakes.filter(([, { revision }]) => !revision.methods.has(METHOD)))(
  "no elicitation under %s",
  (_id, pinned) => {
    it("is neither declared, sent nor answered (ELIC-01)", async () => {
      const outcome = await during(pinned, accept({}), (context) =>
        elicitForm(context, { message: "?", requestedSchema: form }),
      );
      expect(outcome.error).toMatchObject({ code: "CAPABILITY" });
      expect(pair!.server.client!.capabilities).toEqual({});
      const raw = await rawServerOf(pinned, [accept({})]);
      const params = { message: "?", requestedSchema: form };
      expect(await raw.call(1, METHOD, params)).toMatchObject({ error: { code: -32601 } });
    });
  },
);

describe("Elicitation", () => {
  it("needs a handler for at least one mode (ELIC-04)", () => {
    expect(() => new Elicitation({})).toThrow("Elicitation (onElicit) needs a handler");
  });

  it("urlElicitationsOf ignores invalid entries", () => {
    expect(urlElicitationsOf(new Error("x"))).toEqual([]);
    expect(urlElicitationsOf(undefined)).toEqual([]);
  });
});
