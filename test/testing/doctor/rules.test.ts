import type { Finding } from "@mcp-codegen/testing/checks";
import { expect, it } from "vitest";
import { isLoopback, isSecureUrl } from "../../../runtime/testing/checks/loopback.js";
import { concludeFindings } from "../../../runtime/testing/doctor/findings.js";
import { isGuessable } from "../../../runtime/testing/doctor/visit.js";

it.each([
  ["a counter", "session-9", "session-10", true],
  ["another counter", "7", "8", true],
  ["a clock", "1764400000123-x", "1764400000987-x", true],
  ["one id that contains the other", "abc", "abc-4f1d9a20", false],
  ["random ids", "9b2f4c7e11", "03d8e6a5f7", false],
])("ids are guessable, whichever is the first: %s", (_, one, other, expected) => {
  expect([isGuessable(one, other), isGuessable(other, one)]).toEqual([expected, expected]);
});

it.each(["hint", "warning", "error"] as const)(
  "findings of one fault have the worst severity, in any order: %s",
  (worst) => {
    const all = (["hint", "warning", "error"] as const).slice(
      0,
      ["hint", "warning", "error"].indexOf(worst) + 1,
    );
    const findings = all.map((severity): Finding => {
      const place = { conversation: 1, from: "server", pointer: "" } as const;
      return { id: "http-buffering", ...place, expected: "no", received: "x", severity } as Finding;
    });
    for (const active of [findings, findings.toReversed()]) {
      const found = concludeFindings([], active, { from: "server", hints: true });
      expect(found.map(({ severity }) => severity)).toEqual([worst]);
    }
  },
);

it.each([
  ["https://a.test/", true],
  ["HTTP://localhost:3000/x", true],
  ["http://auth.localhost/", true],
  ["http://127.1/", true],
  ["http://[::1]:80/", true],
  ["http://a.test/", false],
  ["http://localhost:80@a.test/", false],
  ["http://localhost.a.test/", false],
  ["ftp://localhost/", false],
  ["https:", false],
])("a URL is secure if others cannot read it: %s", (url, expected) => {
  expect(isSecureUrl(url)).toBe(expected);
  if (expected && !url.startsWith("https:")) expect(isLoopback(new URL(url).hostname)).toBe(true);
});
