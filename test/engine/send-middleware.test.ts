import { expect, it } from "vitest";
import type { AnySendMiddleware } from "../../runtime/api/middleware.js";
import { rawServerOf, TinyClient } from "./support/tiny-endpoints.js";

it("send middleware runs in order for the messages that match it", async () => {
  const seen: string[] = [];
  const named =
    (name: string): AnySendMiddleware =>
    ({ method, session }, send) => {
      seen.push(`${name}: ${method}, ${session.revision.id}`);
      return send();
    };
  const about = (name: string, method: string): AnySendMiddleware =>
    Object.assign(named(name), { concerns: (row: { method: string }) => row.method === method });
  const sending = [about("echo", "text/echo"), about("typing", "notifications/typing")];
  const client = new TinyClient({}, { sending: [...sending, named("all")] });
  const raw = await rawServerOf(client, { capabilities: { text: {} } });
  const answered = client.request("text/echo", { text: "a" });
  raw.answer((await raw.next()).id, { text: "a" });
  await answered;
  await client.notify("notifications/typing");
  expect(seen).toEqual([
    "echo: text/echo, one",
    "all: text/echo, one",
    "typing: notifications/typing, one",
    "all: notifications/typing, one",
  ]);
});

it("a message that no middleware matches is sent unchanged", async () => {
  const unreached: AnySendMiddleware[] = [Object.assign(unreachable, { concerns: () => false })];
  const client = new TinyClient({}, { sending: unreached });
  const raw = await rawServerOf(client, { capabilities: { text: {} } });
  const answered = client.request("text/echo", { text: "a" });
  const { id, params } = await raw.next();
  expect(params).toEqual({ text: "a" });
  raw.answer(id, { text: "b" });
  expect(await answered).toEqual({ text: "b" });
  await client.notify("notifications/typing");
  expect(await raw.next()).toMatchObject({ method: "notifications/typing" });
});

function unreachable(): never {
  throw new Error("It is not concerned");
}
