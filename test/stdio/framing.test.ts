import { describe, expect, it } from "vitest";
import { type FramingOptions, LineFraming } from "../../runtime/wire/framing/index.js";
import type { Malformed, Receiver } from "../../runtime/wire/messages/transport.js";

const encoder = new TextEncoder();

class Recorder implements Receiver {
  readonly messages: unknown[] = [];
  readonly problems: Malformed[] = [];

  message(value: unknown): void {
    this.messages.push(value);
  }

  malformed(problem: Malformed): void {
    this.problems.push(problem);
  }

  failed(): void {}

  ended(): void {}

  closed(): void {}
}

function framing(options?: FramingOptions): { recorder: Recorder; lines: LineFraming } {
  const recorder = new Recorder();
  return { recorder, lines: new LineFraming(recorder, options) };
}

/** Splits bytes at fixed but irregular places. */
function* chunksOf(bytes: Uint8Array, seed: number): Generator<Uint8Array> {
  let state = seed;
  let start = 0;
  while (start < bytes.length) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const size = 1 + (state % 13);
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

function bytesOf(...parts: (string | number)[]): Uint8Array {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...encoder.encode(part)] : [part])),
  );
}

const big = "x".repeat(20_000);
/** Returns the problems reported for a line that arrives in pieces of this size. */
const refused = (line: string, size: number): Malformed[] => {
  const { recorder, lines } = framing({ maxLineBytes: 10_000 });
  const bytes = encoder.encode(`${line}\n{"next":true}\n`);
  for (let start = 0; start < bytes.length; start += size) {
    lines.push(bytes.subarray(start, start + size));
  }
  expect(recorder.messages).toEqual([{ next: true }]);
  return recorder.problems;
};

const mayAnswer = (line: string): unknown => refused(line, 977).map((one) => one.mayAnswer);

describe("LineFraming", () => {
  const values = [{ a: "ключ 🔑 日本語" }, [], "x", { b: "z".repeat(100) }, 5, { c: "é" }];
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");

  it("reads single bytes, also inside a character (F04)", () => {
    const { recorder, lines } = framing();
    for (const byte of encoder.encode(text)) lines.push(new Uint8Array([byte]));
    expect(recorder.messages).toEqual(values);
    expect(recorder.problems).toEqual([]);
  });

  it.each(Array.from({ length: 50 }, (_, seed) => seed))("reads any chunks (%i) (F04)", (seed) => {
    const { recorder, lines } = framing({ maxLineBytes: 120 });
    for (const chunk of chunksOf(encoder.encode(text), seed)) lines.push(chunk);
    expect(recorder.messages).toEqual(values);
    expect(recorder.problems).toEqual([]);
  });

  it("reads 1000 lines in one chunk, in order (F05)", () => {
    const { recorder, lines } = framing();
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    lines.push(encoder.encode(numbers.map((number) => `${number}\n`).join("")));
    expect(recorder.messages).toEqual(numbers);
  });

  it("loses only the truncated line (F03)", () => {
    const { recorder, lines } = framing();
    lines.push(encoder.encode('{"a":\n{"b":1}\n'));
    expect(recorder.problems).toMatchObject([{ code: -32700 }]);
    expect(recorder.messages).toEqual([{ b: 1 }]);
  });

  it("accepts a line of the longest length, and refuses one byte more (F08)", () => {
    for (const split of [false, true]) {
      const { recorder, lines } = framing({ maxLineBytes: 10 });
      const input = encoder.encode(`"${"x".repeat(8)}"\n"${"y".repeat(9)}"\n1\n`);
      if (split) for (const byte of input) lines.push(new Uint8Array([byte]));
      else lines.push(input);
      expect(recorder.messages).toEqual(["x".repeat(8), 1]);
      expect(recorder.problems).toMatchObject([
        { code: -32600, problem: expect.stringContaining("10 bytes") },
      ]);
    }
  });

  it("counts bytes, not characters (F08)", () => {
    const { recorder, lines } = framing({ maxLineBytes: 10 });
    lines.push(encoder.encode('"日日"\n"日日日"\n'));
    expect(recorder.messages).toEqual(["日日"]);
    expect(recorder.problems).toHaveLength(1);
  });

  it("accepts two lines in a chunk that is larger than the limit (F08)", () => {
    const { recorder, lines } = framing({ maxLineBytes: 10 });
    lines.push(encoder.encode('"aaaaaa"\n"bbbbbb"\n'));
    expect(recorder.messages).toEqual(["aaaaaa", "bbbbbb"]);
  });

  it("refuses a line above the limit once, as soon as it is too long, and skips it (F06)", () => {
    const { recorder, lines } = framing({ maxLineBytes: 100 });
    lines.push(encoder.encode('"'.padEnd(101, "x")));
    expect(recorder.problems).toHaveLength(1);
    for (let index = 0; index < 10; index++) lines.push(encoder.encode("y".repeat(99)));
    lines.push(encoder.encode('"\n{"next":true}\n'));
    expect(recorder.problems).toHaveLength(1);
    expect(recorder.messages).toEqual([{ next: true }]);
  });

  it("fails without any newline (F07)", () => {
    const { recorder, lines } = framing({ maxLineBytes: 100 });
    const chunk = encoder.encode("x".repeat(100));
    let chunks = 0;
    expect(() => {
      for (; chunks < 1000; chunks++) lines.push(chunk);
    }).toThrow(RangeError);
    expect(chunks).toBeLessThan(20);
    expect(recorder.problems).toHaveLength(1);
  });

  it("skips a byte order mark at the start, whole or in pieces, and refuses it elsewhere (F09)", () => {
    const marked = bytesOf(0xef, 0xbb, 0xbf, "1\n", 0xef, 0xbb, 0xbf, "2\n3\n");
    for (const size of [1, 100]) {
      const { recorder, lines } = framing();
      for (let start = 0; start < marked.length; start += size) {
        lines.push(marked.subarray(start, start + size));
      }
      expect(recorder.messages).toEqual([1, 3]);
      expect(recorder.problems).toMatchObject([{ code: -32700 }]);
    }
  });

  it("tolerates CRLF, blank lines, lone CR and spaces (F10, STDIO-02)", () => {
    const { recorder, lines } = framing();
    lines.push(encoder.encode('1\r\n\n\r\n  \t\r\n 2 \n\r3\r\n{"a":\r4}\r\r\n\n\n'));
    expect(recorder.messages).toEqual([1, 2, 3, { a: 4 }]);
    expect(recorder.problems).toEqual([]);
  });

  it.each([
    ["a lone continuation byte", [0x80]],
    ["a truncated sequence", [0xe6, 0x97]],
    ["an overlong form", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
  ])("refuses %s without replacing anything (F11)", (_name, bad) => {
    const { recorder, lines } = framing();
    lines.push(bytesOf('"good 1"\n"', ...bad, '"\n"good 2"\n'));
    lines.push(bytesOf('"', ...bad));
    lines.push(bytesOf('"\n"good 3"\n'));
    expect(recorder.messages).toEqual(["good 1", "good 2", "good 3"]);
    expect(recorder.problems.map(({ code }) => code)).toEqual([-32700, -32700]);
  });

  it("keeps lone surrogates, NUL and line separators (F12)", () => {
    const { recorder, lines } = framing();
    const value = { text: "\ud800 \u0000 \u2028 \u2029 \udfff" };
    const line = JSON.stringify(value);
    expect(line).not.toContain("\n");
    lines.push(encoder.encode(`${line}\n"\u2028"\n`));
    expect(recorder.messages).toEqual([value, "\u2028"]);
  });

  it("reads text after the last newline at the end of the stream", () => {
    const { recorder, lines } = framing();
    lines.push(encoder.encode('1\n{"last":true}'));
    lines.end();
    lines.end();
    expect(recorder.messages).toEqual([1, { last: true }]);
  });

  it("reads no message from an empty stream", () => {
    const { recorder, lines } = framing();
    lines.push(new Uint8Array());
    lines.end();
    expect([...recorder.messages, ...recorder.problems]).toEqual([]);
  });

  describe("finds the request that a line above the limit belongs to", () => {
    it.each([1, 977, 1_000_000])("in pieces of %i bytes (F06)", (size) => {
      const id = 'a "quoted" {id}';
      const known: [string, object][] = [
        [`{"jsonrpc":"2.0","id":7,"result":{"x":"${big}"}}`, { id: 7, result: "" }],
        [`{"result":{"id":3,"x":"${big}"},"jsonrpc":"2.0","id":0}`, { id: 0, result: "" }],
        [`{"result":{"x":"${big}","id":3},"id":8, "jsonrpc":"2.0" } `, { id: 8, result: "" }],
        [`{ "id" : ${JSON.stringify(id)} , "error":{"x":"${big}"}}`, { id, error: "" }],
        [`{"jsonrpc":"2.0","id":9,"method":"m","params":"${big}"}`, { id: 9, method: '"m"' }],
        [`{"method":"m","params":{"x":"${big}"},"jsonrpc":"2.0","id":9}`, { id: 9, method: '"m"' }],
      ];
      for (const [line, value] of known) {
        expect(refused(line, size)).toMatchObject([{ value, mayAnswer: false }]);
        expect(refused(line, size)[0]!.value).toEqual(value);
      }
    });

    it("or finds that it may belong to any, or to none (F06)", () => {
      expect(mayAnswer(`{"result":{"x":"${big}"},"id":4,"more":["${big}"]}`)).toEqual([true]);
      expect(mayAnswer(`[{"id":4,"result":{"x":"${big}"}}]`)).toEqual([true]);
      expect(mayAnswer(`{"method":"told","params":{"id":1,"x":"${big}"}}`)).toEqual([false]);
      expect(mayAnswer(`{"x":"${big}","y":{"id":1}}`)).toEqual([true]);
      expect(mayAnswer(`progress: ${big}`)).toEqual([false]);
    });
  });
});
