import { expect, test } from "vitest";
import { eventually } from "../../support/eventually.js";
import { type Scripted, scripted, scriptedSession } from "./support/connecting.js";

const tool = (name: string): object => ({ name, inputSchema: { type: "object" } });

/** Waits for the given number of reports and returns their messages. */
async function reports({ errors }: Scripted, count: number): Promise<string[]> {
  await eventually(() => expect(errors).toHaveLength(count));
  return errors.map(({ message }) => message);
}

for (const [kind, open] of [
  ["stateless", scripted],
  ["session", scriptedSession],
] as const) {
  test(`two tools with one name are reported once per list (${kind})`, async () => {
    const one = await open();
    const listing = one.client.listTools();
    const tools = ["a", "b", "a", "b"].map(tool);
    one.server.answer((await one.server.next()).id, { tools });
    expect((await listing).tools).toHaveLength(4);
    const items = one.client.tools();
    const first = items.next();
    one.server.answer((await one.server.next()).id, { tools });
    await first;
    while ((await items.next()).done !== true);
    expect(await reports(one, 2)).toEqual(
      Array(2).fill(`tools/list has two items with the name "a"`),
    );
  });

  test(`progress that does not increase is reported once per request (${kind}, PROG-04)`, async () => {
    const one = await open();
    const progress: number[] = [];
    const onprogress = (notifications: { progress: number }): void =>
      void progress.push(notifications.progress);
    const call = one.client.callTool("a", {}, { onprogress });
    const { id } = await one.server.next();
    for (const value of [5, 4, 4, 6]) {
      const params = { progressToken: id, progress: value };
      one.server.say({ jsonrpc: "2.0", method: "notifications/progress", params });
    }
    one.server.answer(id, { content: [] });
    await call;
    expect(progress).toEqual([5, 6]);
    expect(await reports(one, 1)).toEqual([expect.stringContaining("Progress 4 follows 5")]);
  });

  test(`a second answer is reported, a late one is not (${kind}, CANC-07)`, async () => {
    const one = await open();
    const abort = new AbortController();
    const cancelled = one.client.callTool("a", {}, { signal: abort.signal });
    const late = (await one.server.next()).id;
    abort.abort(new Error("enough"));
    await expect(cancelled).rejects.toThrow("enough");
    if (kind === "session") await one.server.next();
    one.server.answer(late, { content: [] });
    const call = one.client.callTool("a");
    let next = await one.server.next();
    while (next.method !== "tools/call") next = await one.server.next();
    one.server.answer(next.id, { content: [] });
    one.server.answer(next.id, { content: [{ type: "text", text: "again" }] });
    expect((await call).content).toEqual([]);
    expect(await reports(one, 1)).toEqual([
      `A second answer has the id "${next.id}"; it was ignored`,
    ]);
  });

  test(`an unknown notification without an object is reported (${kind})`, async () => {
    const one = await open();
    for (const params of [undefined, {}, [1], "text", null]) {
      const message = { jsonrpc: "2.0", method: "notifications/unknown" };
      one.server.say(params === undefined ? message : { ...message, params });
    }
    const unknown = `Received an unknown notification "notifications/unknown" whose params are not an object`;
    expect(await reports(one, 3)).toEqual(Array(3).fill(expect.stringContaining("notification")));
    expect(one.errors.map(({ message }) => message)).toContain(unknown);
  });
}
