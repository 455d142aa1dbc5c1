import { expect, it } from "vitest";
import { codeCell, codeSpan } from "../../generator/emit/printer/page-text.js";
import { BREAKOUTS } from "./hostile.js";

it.each([
  ["a/b", "`a/b`"],
  ["a`b", "`` a`b ``"],
  ["``", "``` `` ```"],
  ["a|b", "`a\\|b`"],
  ["x\n<script>", "`x\\n<script>`"],
])("%j stays code in a table cell", (text, expected) => {
  expect(codeCell(text)).toBe(expected);
});

it.each([...BREAKOUTS, "a`b``c", "|", "\n# Heading"])(
  "%j stays on one line, inside its fence",
  (text) => {
    const span = codeSpan(text);
    expect(span).not.toMatch(/[\n\r]/);
    const [fence = ""] = /^`+/.exec(span)!;
    expect(span.slice(fence.length, -fence.length)).not.toContain(fence);
  },
);
