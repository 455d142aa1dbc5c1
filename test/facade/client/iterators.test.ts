import { expect, test } from "vitest";
import { scripted, scriptedSession } from "./support/connecting.js";

test.each([
  ["without a handshake", scripted],
  ["with a handshake", scriptedSession],
])("loops over lists that a server %s lacks end at once (LIFE-12)", async (_, script) => {
  const { client, server, errors } = await script({}, { capabilities: { prompts: {} } });
  for (const items of [client.tools(), client.resources(), client.resourceTemplates()]) {
    expect(await items.next()).toEqual({ done: true, value: undefined });
  }
  const lists = [client.listTools(), client.listResources(), client.listResourceTemplates()];
  for (const list of lists) await expect(list).rejects.toMatchObject({ code: "CAPABILITY" });
  const prompt = client.prompts().next();
  const messages = [await server.next()];
  while (messages.at(-1).method !== "prompts/list") messages.push(await server.next());
  const result = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  server.answer(messages.at(-1).id, { ...result, prompts: [{ name: "one" }] });
  expect(await prompt).toMatchObject({ value: { name: "one" } });
  expect(messages.map(({ method }) => method)).not.toContain("tools/list");
  expect(errors).toEqual([]);
});
