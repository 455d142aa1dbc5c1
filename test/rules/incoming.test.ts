import { afterEach, describe, expect, it } from "vitest";
import {
  textOf,
  isEngines,
  paramsFor,
  rawClientOf,
  rawServerOf,
  sessions,
  settled,
} from "./support.js";

let ends: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const end of ends) await end.close();
  ends = [];
});

describe.each(sessions)("a client at %s", (_id, pinned, parts) => {
  it("accepts results with invalid content, and reports each kind once (META-03, META-04)", async () => {
    const errors: Error[] = [];
    const { raw, client } = await rawServerOf(pinned, {}, errors);
    ends.push(client);
    const places = new Set<string>();
    for (const one of parts) {
      const { row, part, wrong } = one;
      if (row.from !== "client" || isEngines(one) || part !== "result") continue;
      if (row.capability?.includes("tasks")) continue;
      for (const { path, value } of wrong) {
        errors.length = 0;
        for (let time = 0; time < 2; time++) {
          const answer = client.request(row.method, paramsFor(pinned, row.method));
          const { id } = await raw.next();
          raw.answer(id, value);
          expect(await answer, `${row.method} ${path}`).toEqual(value);
        }
        const place = `${row.method} ${path}`;
        expect(errors.length, place).toBe(places.has(place) ? 0 : 1);
        places.add(place);
        if (errors.length === 0) continue;
        expect(textOf(errors)).toContain(`${row.method}: accepted, although`);
        expect(textOf(errors)).toContain(`${path}: expected `);
      }
    }
    expect(places.size).toBeGreaterThan(5);
  });

  it("accepts requests and notifications with invalid content, and reports them", async () => {
    const errors: Error[] = [];
    const received: unknown[] = [];
    const own = parts.filter(
      (one) => one.row.from === "server" && !isEngines(one) && one.part === "params",
    );
    const handlers = Object.fromEntries(
      own.map(({ row }) => [row.method, (params: unknown) => void received.push(params)]),
    );
    const capabilities = {
      roots: {},
      sampling: { tools: {}, context: {} },
      elicitation: { form: {}, url: {} },
    };
    const { raw, client } = await rawServerOf(pinned, handlers, errors, {
      options: {},
      capabilities,
    });
    ends.push(client);
    let id = 0;
    const places = new Set<string>();
    for (const { row, wrong } of own) {
      for (const { path, value } of wrong) {
        errors.length = 0;
        if (row.kind === "request") raw.ask(++id, row.method, value);
        else raw.tell(row.method, value);
        await settled();
        expect(received.at(-1), `${row.method} ${path}`).toEqual(value);
        const place = `${row.method} ${path}`;
        const isNew = !places.has(place);
        places.add(place);
        expect(textOf(errors).includes(`${path}: expected `), place).toBe(isNew);
      }
    }
    expect(received.length).toBeGreaterThan(2);
  });

  it("repeats URIs in the form that its server sent", async () => {
    const { raw, client } = await rawServerOf(pinned, {}, []);
    ends.push(client);
    const answer = client.request("resources/read", { uri: "my notes" });
    const { id, params } = await raw.next();
    expect(params).toEqual({ uri: "my notes" });
    raw.answer(id, { contents: [] });
    await answer;
  });
});

describe.each(sessions)("a server at %s", (_id, pinned, parts) => {
  it("rejects responses with invalid content, except metadata (ROOT-03)", async () => {
    const { raw, server } = await rawClientOf(pinned, {}, []);
    ends.push(server);
    let tried = 0;
    for (const one of parts) {
      const { row, part, wrong } = one;
      if (row.from !== "server" || isEngines(one) || part !== "result") continue;
      for (const { path, format, value } of wrong) {
        const requested = server.request(row.method, paramsFor(pinned, row.method));
        const question = await raw.rest();
        raw.answer(question.at(-1).id, value);
        if (format === "meta") await requested;
        else {
          await expect(requested, `${row.method} ${path}`).rejects.toMatchObject({
            code: "INVALID_MESSAGE",
            issues: [expect.objectContaining({ path })],
          });
        }
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(2);
  });

  it("accepts any metadata of a client", async () => {
    const errors: Error[] = [];
    let meta: unknown;
    const handlers = {
      "tools/list": (_params: unknown, context: { meta: unknown }) => {
        meta = context.meta;
        return { tools: [] };
      },
    };
    const { raw, server } = await rawClientOf(pinned, handlers, errors);
    ends.push(server);
    const odd = { "bad key!": 1, traceparent: "nonsense" };
    raw.ask(1, "tools/list", { _meta: odd });
    await settled();
    expect(meta).toEqual(odd);
    expect(errors).toEqual([]);
  });
});
