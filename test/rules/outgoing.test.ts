import { afterEach, describe, expect, it } from "vitest";
import {
  textOf,
  isEngines,
  pairOf,
  paramsFor,
  rawClientOf,
  revisions,
  sessions,
} from "./support.js";

/** Returns handlers for all requests from a side; each handler returns what the test needs. */
function handlersOf(
  parts: (typeof revisions)[0][2],
  from: "client" | "server",
  give: () => unknown,
) {
  const methods = parts.filter(
    (one) => one.row.kind === "request" && one.row.from === from && !isEngines(one),
  );
  return Object.fromEntries(methods.map(({ row }) => [row.method, give]));
}

let ends: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const end of ends) await end.close();
  ends = [];
});

describe.each(revisions)("a server at %s", (_id, pinned, parts) => {
  it("sends no result with invalid content (PRM-06, RES-03, RES-15, RES-16, META-03, META-04, META-17)", async () => {
    const errors: Error[] = [];
    let given: unknown;
    const handlers = handlersOf(parts, "client", () => given);
    const { raw, server } = await rawClientOf(pinned, handlers, errors);
    ends.push(server);
    let tried = 0;
    for (const one of parts) {
      const { row, part, wrong } = one;
      if (row.from !== "client" || isEngines(one) || part === "params" || part === "taskResult")
        continue;
      for (const { path, value } of wrong) {
        const what = `${row.method} ${part} ${path}`;
        // The engine writes the server's identity.
        if (path.includes("serverInfo")) continue;
        const kind =
          part === "inputResult"
            ? { resultType: "input_required", requestState: "s" }
            : { resultType: "complete" };
        given = pinned.revision.traits.resultType ? { ...value, ...kind } : value;
        errors.length = 0;
        const before = raw.received.length;
        raw.ask(++tried, row.method, paramsFor(pinned, row.method));
        for (let turn = 0; raw.received.length === before && turn < 10_000; turn++)
          await new Promise((resolve) => setTimeout(resolve));
        const answer = raw.received.at(-1);
        expect(answer, what).toMatchObject({ id: tried, error: { code: -32603 } });
        expect(JSON.stringify(answer), what).not.toContain(path === "" ? "nonsense" : path);
        expect(textOf(errors), what).toContain(`${path}: expected `);
      }
    }
    expect(tried).toBeGreaterThan(20);
  });

  it("sends the content unchanged if the check is switched off", async () => {
    const errors: Error[] = [];
    const result = { content: [{ type: "image", data: "not base64!!", mimeType: "nonsense" }] };
    const handlers = { "tools/call": () => result };
    const options = { checkContent: false };
    const { raw, server } = await rawClientOf(pinned, handlers, errors, options);
    ends.push(server);
    const before = raw.received.length;
    raw.ask(1, "tools/call", paramsFor(pinned, "tools/call"));
    while (raw.received.length === before) await new Promise((resolve) => setTimeout(resolve));
    expect(raw.received.at(-1)).toMatchObject({ id: 1, result });
    expect(errors).toEqual([]);
  });
});

describe.each(sessions)("a session at %s", (_id, pinned, parts) => {
  it("prevents requests and notifications of the server with invalid content (ELIC-08, RES-16)", async () => {
    const errors: Error[] = [];
    const capabilities = {
      resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true },
      prompts: { listChanged: true },
      logging: {},
    };
    const { raw, server } = await rawClientOf(pinned, {}, errors, { capabilities });
    ends.push(server);
    const before = raw.received.length;
    let tried = 0;
    for (const one of parts) {
      const { row, part, wrong } = one;
      if (row.from !== "server" || isEngines(one) || part !== "params") continue;
      for (const { path, value } of wrong) {
        const send =
          row.kind === "request" ? server.request.bind(server) : server.notify.bind(server);
        const what = `${row.method} ${path}`;
        await expect(send(row.method, value), what).rejects.toThrow(`${row.method} was not sent: `);
        await expect(send(row.method, value), what).rejects.toThrow(`${path}: expected `);
        tried += 1;
      }
    }
    expect(raw.received.length).toBe(before);
    expect(tried).toBeGreaterThan(2);
  });

  it("prevents responses of the client with invalid content (ROOT-03, ROOT-06)", async () => {
    let given: unknown;
    const handlers = handlersOf(parts, "server", () => given);
    const { client, server, atClient } = await pairOf(pinned, {}, { handlers });
    ends.push(client, server);
    let tried = 0;
    for (const one of parts) {
      const { row, part, wrong } = one;
      if (row.from !== "server" || isEngines(one) || part !== "result") continue;
      for (const { path, value } of wrong) {
        given = value;
        atClient.length = 0;
        const requested = server.request(row.method, paramsFor(pinned, row.method));
        await expect(requested, `${row.method} ${path}`).rejects.toMatchObject({ code: -32603 });
        expect(textOf(atClient), `${row.method} ${path}`).toContain(`${path}: expected `);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(2);
  });
});
