import { join } from "node:path";
import { examineClient } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "clients/faulty.mjs");

/** Findings by the name of a fault. */
const faults: Readonly<Record<string, string>> = {
  "early-request": "opening-order /method",
  "not-initialized": "initialized-missing /method",
  "id-null": "message-envelope /id",
  "id-again": "id-reused /id",
  "info-without-version": "params-shape /params/clientInfo/version",
  "version-number": "params-shape /params/protocolVersion",
  "no-jsonrpc": "message-envelope /jsonrpc",
  "ping-refused": "capability-unserved /error/code",
  "ping-silent": "client-ping",
  "unknown-silent": "client-silent",
  "form-wrong": "form-answer /result/content/text",
  "roots-object": "result-shape /result/roots",
  "roots-refused": "capability-unserved /error/code",
  "cursor-changed": "cursor-unknown /params/cursor",
  "one-page": "client-pages /params/cursor",
  "answers-notification": "notification-answered",
  "dies-of-notification": "client-ended",
  "call-without-name": "params-shape /params/name",
  "token-boolean": "params-shape /params/_meta/progressToken",
  "stdout-line": "output-text",
  "any-version": "client-version",
  "cancels-unknown": "cancel-unknown /params/requestId",
  "initialize-twice": "opening-repeated /method",
  "undeclared-answer": "client-undeclared /result",
};

async function findingsOf(fault: string): Promise<readonly string[]> {
  const { findings } = await examineClient(
    { command: [process.execPath, file, fault] },
    { timeout: 1_500 },
  );
  return findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
}

describe.concurrent("doctor of clients", () => {
  it("finds nothing in a client without a fault", async () => {
    expect(await findingsOf("none")).toEqual([]);
  });

  it.each(Object.entries(faults))("finds %s, and nothing else", async (fault, finding) => {
    expect(await findingsOf(fault)).toEqual([finding]);
  });
});
