import { join } from "node:path";
import { examineClient } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "clients/faulty.mjs");

/** Findings by the name of a fault. */
const faults: Readonly<Record<string, string>> = {
  "any-mode": "client-mode /result",
  "any-sampling": "client-sampling-tools /result",
  "any-turns": "client-turns /result",
  "cancels-initialize": "cancel-opening /params/requestId",
  "initialized-early": "opening-early /method",
  "answers-without-id": "notification-answered",
  "cancels-answered": "cancel-late /params/requestId",
  "cancels-later": "cancel-late /params/requestId",
  "method-misspelled": "method-unknown /method",
  "ping-with-content": "client-ping /result",
  impatient: "opening-early /method",
  "answers-twice": "response-repeated /id",
  "answers-another": "response-unknown /id",
  "result-and-error": "message-envelope /error",
  "error-text": "error-shape /error",
  "error-code-text": "error-shape /error/code",
  "error-other-code": "client-method-refused /error",
  "ping-without-version": "message-envelope /jsonrpc",
  "action-unknown": "result-shape /result/action",
  "declined-with-content": "form-answer /result/content",
  "root-without-uri": "result-shape /result/roots/0/uri",
  "root-relative": "root-uri /result/roots/0/uri",
  "root-relative-and-leaves": "root-uri /result/roots/0/uri",
  "root-https": "root-uri /result/roots/0/uri",
  batch: "message-batch",
  "progress-unknown": "progress-unknown /params/progressToken",
  "carriage-return": "output-framing",
  "several-lines": "output-text",
  "drops-batches": "client-batch /0",
  "drops-batches-and-leaves": "client-batch /0",
  "answers-cancelled": "cancel-answered /id",
  "answers-cancelled-soon": "cancel-answered /id",
  "title-of-const": "form-answer /result/content/titled",
  "title-of-choice": "form-answer /result/content/named",
  "day-in-words": "form-answer /result/content/day",
  "reads-chunks": "client-framing",
  "decodes-chunks": "cursor-unknown /params/cursor",
  "roots-change-silently": "client-roots-changed /result/roots",
  "lists-prompts": "capability-advised /method",
  subscribes: "capability-advised /method",
  "token-twice": "progress-token /params/_meta/progressToken",
  "id-fraction": "message-envelope /id",
  "dies-of-ping": "client-ended",
  "level-unknown": "params-shape /params/level",
  "completes-nothing": "params-shape /params/ref/name",
  "ignores-id-0": "client-id",
  "ignores-empty-id": "client-id",
  "ignores-early-pings": "client-ping",
  "one-at-a-time": "client-ping",
  "later-versions": "client-version",
  "ignores-refusal": "opening-order /method",
  "opens-before-probe": "client-probe /method",
  "answers-by-id": "client-id",
  "moves-on": "client-timeout",
  "cancels-silent-opening": "cancel-opening /params/requestId",
  "stops-at-once": "client-opening",
  "no-roots-internal": "client-undeclared /error/code",
  "roots-change-undeclared": "capability-undeclared /method",
  "no-roots-without-message": "error-shape /error/message",
  "progress-falls": "progress-order /params/progress",
  "ids-to-numbers": "response-id-type /id",
  "fetches-pages": "client-visit",
  "visits-and-forms": "client-mode /result",
  "several-as-text": "form-answer /result/content/several",
  "modeless-refused": "client-capability /error/code",
  "first-page-of-resources": "client-pages /params/cursor",
  "dies-of-cancellation": "client-ended",
  "answers-failure-of-batch": "client-batch /1",
  "reads-last": "client-batch /0",
  fractions: "message-envelope /id",
  "cursor-of-yesterday": "cursor-unknown /params/cursor",
  "opens-stateless": "version-unknown /params/protocolVersion",
  "prompt-of-numbers": "params-shape /params/arguments/name",
};

describe.concurrent("doctor of clients with faults that strangers have thought of", () => {
  it.each(Object.entries(faults))("finds %s, and nothing else", async (fault, finding) => {
    const command = [process.execPath, file, fault];
    const { findings } = await examineClient({ command }, { timeout: 3_000 });
    expect(findings.map(({ id, pointer }) => `${id} ${pointer}`.trim())).toEqual([finding]);
  });

  it.each([
    "cancels-once",
    "reads-batches",
    "reads-batches-and-leaves",
    "leaves-at-once",
    "thinks",
    "roots-change",
    "whole-form",
    "no-roots",
    "progress-rises",
    "visits-only",
    "declines-pages",
    "user-refuses",
    "cancels-silent-requests",
  ])("finds nothing in %s", async (fault) => {
    const command = [process.execPath, file, fault];
    const { findings } = await examineClient({ command }, { timeout: 3_000 });
    expect(findings).toEqual([]);
  });
});
