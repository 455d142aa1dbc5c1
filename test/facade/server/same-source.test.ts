import * as official from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import * as ours from "@mcp-codegen/universal";
import type { Transport } from "../../../runtime/wire/messages/transport.js";
import { type Kit, program, questions } from "./support/program.js";
import { factsOf, REVISIONS } from "./support/server.js";
import { Talk, type TalkOptions } from "./support/talk.js";

const client: TalkOptions = {
  answers: {
    "elicitation/create": () => ({ action: "accept", content: { name: "Ann" } }),
    "sampling/createMessage": () => ({
      role: "assistant",
      content: { type: "text", text: "Hi" },
      model: "m1",
    }),
  },
};

/** Puts the official server at the other end of a raw peer. */
function officialServer() {
  const server = program(official as unknown as Kit) as unknown as official.McpServer;
  const connect = async (transport: Transport) => {
    const [near, far] = official.InMemoryTransport.createLinkedPair();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transports have no other way
    near.onmessage = (message) => void transport.send(message as never);
    transport.start({
      message: (value: unknown) => void near.send(value as never),
      malformed: () => {},
    } as never);
    await server.connect(far);
    await near.start();
  };
  return { fork: () => ({ connect }) };
}

async function answersOf(talk: Talk): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [method, params] of questions) {
    const { result, error } = await talk.call(method, params);
    answers.push(error ?? plain(result));
  }
  return answers;
}

/** Returns a result without members that only repeat it in other words or concern caching. */
function plain(value: unknown): unknown {
  const left = ["$schema", "additionalProperties", "execution", "_meta"];
  const added = ["ttlMs", "cacheScope", "resultType"];
  const text = JSON.stringify(value, (name, member) =>
    [...left, ...added].includes(name) ? undefined : member,
  );
  return JSON.parse(text);
}

describe("a program for the official SDK, with changed imports", () => {
  const [, before] = REVISIONS;

  it("returns the same results", async () => {
    const theirs = await answersOf(await Talk.with(officialServer(), before!, client));
    const own = await answersOf(await Talk.with(program(ours), before!, client));
    expect(own).toEqual(theirs);
  });

  const capable = REVISIONS.filter((revision) => factsOf(revision).elicitation);

  it.each(capable)("sends requests to the client at %s", async (revision) => {
    const talk = await Talk.with(program(ours), revision, client);
    const result = await talk.tool("talk");
    expect(result.content[0].text).toBe("tools/call: Ann m1");
    expect(talk.asked).toEqual(["elicitation/create", "sampling/createMessage"]);
  });
});
