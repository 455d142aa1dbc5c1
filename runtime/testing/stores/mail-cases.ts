import type { SharedStores } from "@mcp-codegen/runtime/http/sharing";
import {
  type SharedCaseOptions,
  type StoreCase,
  becomes,
  casesOf,
  equal,
  newId,
  pause,
} from "./store-case.js";

const LEASE = 30_000;

/** The cases that the `mail` of {@link SharedStores} must pass. */
export const mailCases: readonly StoreCase<SharedStores, SharedCaseOptions>[] = casesOf({
  "delivers in order, each text once": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const name = newId();
    await mail.beat(name, LEASE);
    const texts: string[] = [];
    const stop = mail.receive(name, (text) => texts.push(text));
    // Sending the same text twice sends two messages.
    const sent = [...Array.from({ length: 300 }, (_, index) => `${index}: {"é": 1}`), "a", "a"];
    const answers = [];
    for (const text of sent) answers.push(await others.send(name, text));
    equal(answers.every(Boolean), true, "sent");
    await becomes(() => texts.length, sent.length, "texts");
    await mail.beat(name, LEASE);
    await pause(60);
    equal(texts, sent, "texts");
    stop();
    await mail.leave(name);
  },

  "keeps messages that were sent before the receiver listens": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const name = newId();
    await mail.beat(name, LEASE);
    equal(await others.send(name, "early"), true, "sent");
    const texts: string[] = [];
    const stop = mail.receive(name, (text) => texts.push(text));
    await becomes(() => texts, ["early"], "texts");
    stop();
    await mail.leave(name);
  },

  "has one name for all instances, if it has one": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const [one, other] = [newId(), newId()];
    const name = await mail.beat(one, LEASE);
    equal(await others.beat(other, LEASE), name, "the name at another instance");
    equal(await mail.beat(one, LEASE), name, "the name at the next heartbeat");
    equal(
      name === undefined || /^[0-9a-z]{8,64}$/.test(name),
      true,
      "a name of letters and digits",
    );
    await Promise.all([mail.leave(one), mail.leave(other)]);
  },

  "knows which instances are alive": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const name = newId();
    equal(await others.isAlive(name), false, "one that never existed");
    equal(await others.send(name, "text"), false, "mail to one that never existed");
    await mail.beat(name, 200);
    equal(await others.isAlive(name), true, "one that sent a heartbeat");
    await becomes(() => others.isAlive(name), false, "one without a heartbeat for too long");
    equal(await others.send(name, "text"), false, "mail to one that is gone");
    await mail.beat(name, LEASE);
    equal(await others.isAlive(name), true, "one that has come back");
    await mail.leave(name);
    equal(await others.isAlive(name), false, "one that has left");
    equal(await others.send(name, "text"), false, "mail to one that has left");
  },

  "delivers to an instance that was considered gone and has come back": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const name = newId();
    const texts: string[] = [];
    await mail.beat(name, 200);
    const stop = mail.receive(name, (text) => texts.push(text));
    await others.send(name, "before");
    await becomes(() => texts, ["before"], "texts");
    await becomes(() => others.isAlive(name), false, "one without a heartbeat for too long");
    await pause(50);
    await mail.beat(name, LEASE);
    equal(await others.send(name, "after"), true, "sent");
    await becomes(() => texts, ["before", "after"], "texts");
    stop();
    await mail.leave(name);
  },

  "sends to all others": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const names = [newId(), newId(), newId()];
    const received = names.map((): string[] => []);
    const stops = [];
    for (const [index, name] of names.entries()) {
      const own = index === 2 ? others : mail;
      await own.beat(name, LEASE);
      stops.push(own.receive(name, (text) => received[index]!.push(text)));
    }
    await mail.sendAll("text", names[0]!);
    await becomes(() => received, [[], ["text"], ["text"]], "texts");
    for (const stop of stops) stop();
    for (const name of names) await mail.leave(name);
    await mail.sendAll("no instance receives this", newId());
  },

  "delivers nothing after it was stopped": async (make) => {
    const [{ mail }, { mail: others }] = [await make(), await make()];
    const name = newId();
    await mail.beat(name, LEASE);
    const texts: string[] = [];
    mail.receive(name, (text) => texts.push(text))();
    await others.send(name, "text");
    await pause(60);
    equal(texts, [], "texts");
    await mail.leave(name);
  },
});
