import { describe, expect, it } from "vitest";
import { FORMATS } from "../../generator/link/facts-format.js";
import {
  formatTest,
  hasTraceContext,
  isBase64,
  isFileUri,
  isMediaType,
  isMetaKey,
  isUri,
  isUriTemplate,
  isWebUrl,
} from "../../runtime/wire/validation/formats.js";

function expectVerdicts(
  test: (text: string) => boolean,
  right: readonly string[],
  wrong: readonly string[],
): void {
  expect(right.filter((text) => !test(text))).toEqual([]);
  expect(wrong.filter((text) => test(text))).toEqual([]);
}

describe("formats", () => {
  it("match those that the generator writes into descriptions", () => {
    for (const name of FORMATS) expect(formatTest(name), name).toBeTypeOf("function");
    expect(formatTest("date-time")).toBe(undefined);
  });

  it("know base64 (PRM-06)", () => {
    expectVerdicts(
      isBase64,
      ["", "aGk=", "YQ==", "AAAA", "+/+/"],
      [
        "a",
        "aGk",
        "aG=k",
        "YQ=",
        "====",
        "aG k",
        "aGk=\n",
        "-_-_",
        "not base64!!",
        "A===",
        "YQ==YQ==",
      ],
    );
  });

  it("know URIs (RES-15)", () => {
    expectVerdicts(
      isUri,
      [
        "a:b",
        "test:///a%20b?c=d#e",
        "urn:isbn:1",
        "http://[::1]/",
        "x-y+z.1:",
        "data:image/png;base64,AA==",
      ],
      [
        "",
        "a",
        "/a",
        "1a:b",
        "a b:c",
        "a:b c",
        "a:%zz",
        "a:%",
        "a:ü",
        "a:<b>",
        "a:b\\c",
        "a:{b}",
        "a:\n",
      ],
    );
    expectVerdicts(
      isFileUri,
      ["file:///", "file:///a/b.c", "file://host/a", "file:///a..b/..c"],
      ["file:/a", "https://a/", "file:///a/../b", "file:///%2e%2E", "file:///a%2f..", "file://[/"],
    );
    expectVerdicts(
      isWebUrl,
      ["https://example.com/", "http://a"],
      ["javascript:alert(1)", "https:", "https:///a", "ftp://a/", "data:text/html,a"],
    );
    expectVerdicts(
      isUriTemplate,
      ["test:///{a}", "{+a,b*}{?c:3}", "test:///ü/{a.b}", "test:///a"],
      ["test:///{", "test:///}", "test:///{}", "test:///{a b}", "test:///a b/{c}", "{a}}"],
    );
  });

  it("know MIME types (PRM-06)", () => {
    expectVerdicts(
      isMediaType,
      [
        "image/png",
        "text/html;profile=mcp-app",
        'text/plain; charset="utf-8"',
        "application/vnd.a+json",
        "inode/directory",
      ],
      [
        "",
        "nonsense",
        "image/",
        "/png",
        "image/*",
        "image/png;",
        "a/b c",
        "a/b;c",
        `a/${"b".repeat(2000)}`,
      ],
    );
  });

  it("know keys of metadata (META-03, META-04)", () => {
    expectVerdicts(
      isMetaKey,
      [
        "a",
        "ui",
        "a-b_c.d",
        "com.example/name",
        "openai/widget",
        "a1.b-2/",
        "com.example/a.b",
        "1a",
      ],
      [
        "",
        "bad key!",
        "-a",
        "a-",
        ".a",
        "1com/a",
        "com-.x/a",
        "com..x/a",
        "/a",
        "a/b/c",
        "a/ b",
        "ü",
      ],
    );
  });

  it("know trace context (META-17)", () => {
    const parent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    for (const right of [
      {},
      { traceparent: parent },
      { traceparent: `01${parent.slice(2)}-more` },
      { tracestate: "a=1,b@c=2" },
      { baggage: "a=1;p;q=2, b = %20" },
      { other: "nonsense" },
    ]) {
      expect(hasTraceContext(right), JSON.stringify(right)).toBe(true);
    }
    for (const wrong of [
      { traceparent: "nonsense" },
      { traceparent: 5 },
      { traceparent: parent.toUpperCase() },
      { traceparent: `ff${parent.slice(2)}` },
      { traceparent: `${parent}-more` },
      { traceparent: `00-${"0".repeat(32)}-${"b".repeat(16)}-01` },
      { tracestate: "A=1" },
      { tracestate: "a" },
      { baggage: "a" },
      { baggage: "a=b c" },
    ]) {
      expect(hasTraceContext(wrong), JSON.stringify(wrong)).toBe(false);
    }
  });

  it("are checked in time that is linear in the length of a value", () => {
    const lengths = [1_000_000, 4_000_000];
    for (const fill of ["A", "a.", "a/", "{a}", "a;", "%41", "..", "a=b;", " ", "a-", "=", ","]) {
      for (const length of lengths) {
        const text = fill.repeat(length / fill.length);
        for (const name of FORMATS) {
          const test = formatTest(name)!;
          test(text);
          test(`x:${text}!`);
          test({ [text]: text, traceparent: text, tracestate: text, baggage: text });
        }
      }
    }
  }, 20_000);
});
