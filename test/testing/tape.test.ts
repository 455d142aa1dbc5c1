import { describe, expect, it } from "vitest";
import {
  createMasks,
  createTapeWriter,
  openTape,
  readTape,
  type TapeEntry,
  type TapeLine,
  TEXT_LIMIT,
} from "@mcp-codegen/testing/tape";

/** Returns the lines of a tape with these entries. */
function written(entries: readonly TapeEntry[], masks?: readonly string[]): string[] {
  const lines: string[] = [];
  let time = 0;
  const writer = createTapeWriter(
    { command: ["node", "server.js"], transport: "stdio" },
    (line) => lines.push(line),
    { now: () => time++, ...(masks && { masks }) },
  );
  for (const entry of entries) writer.write(entry);
  return lines;
}

async function read(source: Iterable<string | Uint8Array>): Promise<TapeLine[]> {
  const found: TapeLine[] = [];
  for await (const line of readTape(source)) found.push(line);
  return found;
}

const fromServer = { from: "server", conversation: 1 } as const;

describe("a tape", () => {
  it("keeps numbers and the order of members as they were received", () => {
    const messageText = '{"id":9007199254740993,"jsonrpc":"2.0",\n  "result":{"z":1.0,"a":1e400}}';
    const [, line] = written([{ ...fromServer, messageText }]);
    expect(line).toContain(
      '"message":{"id":9007199254740993,"jsonrpc":"2.0",   "result":{"z":1.0,"a":1e400}}}',
    );
  });

  it("is read in pieces of any size, with members that the reader does not know", async () => {
    const text = [
      '{"tape":1,"transport":"stdio","later":true}\n',
      '{"n":1,"t":0,"from":"client","conversation":1,"message":{"text":"ä€😀"},"later":{}}\n',
      '{"n":2,"t":4,"from":"server","conversation":1,"text":"Server started!"}\n',
    ].join("");
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 7, 4096]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const lines = await read(chunks);
      expect(lines.map((line) => line.message ?? line.text)).toEqual([
        { text: "ä€😀" },
        "Server started!",
      ]);
    }
  });

  it("is read up to a last line that a stopped recorder has not finished", async () => {
    const lines = await read([
      '{"tape":1,"transport":"stdio"}\n{"n":1,"t":0,"conversation":1,"event":"closed"}\n{"n":2,"t',
    ]);
    expect(lines.map(({ n }) => n)).toEqual([1]);
  });

  it.each([
    ["", "Line 1 of the tape: the file is empty"],
    ["{}\n", 'Line 1 of the tape: a tape begins with { "tape": 1, … }'],
    ['{"tape":2}\n', "Line 1 of the tape: version 2 is newer than this program; update it"],
    ['{"tape":1,"transport":"stdio"}\nx\n', "Line 2 of the tape: it is not JSON"],
  ])("is rejected with the number of the line: %j", async (text, message) => {
    await expect(read([text])).rejects.toThrow(message);
  });

  it("keeps at most 4 KiB of output that was not a message, without half a character", () => {
    const [, line] = written([{ ...fromServer, text: "€".repeat(5000) }]);
    const { text } = JSON.parse(line!) as { text: string };
    expect(text).toBe("€".repeat(Math.floor(TEXT_LIMIT / 3)));
  });

  it("has a head without secrets", async () => {
    const lines: string[] = [];
    createTapeWriter(
      {
        command: [
          "npx",
          "server",
          "--token",
          "s3cr3t-1",
          "--api-key=s3cr3t-2",
          "-H",
          "Authorization: Bearer s3cr3t-3",
          "https://u:s3cr3t-4@x.test/?k=s3cr3t-5",
        ],
        url: "https://user:s3cr3t-4@example.com/mcp?tenant=s3cr3t-6#s3cr3t-7",
        transport: "http",
      },
      (line) => lines.push(line),
    );
    expect(lines[0]).not.toContain("s3cr3t");
    const { head } = await openTape(lines);
    expect(head.command?.slice(0, 3)).toEqual(["npx", "server", "--token"]);
  });
});

describe("masks in a tape", () => {
  const masks = createMasks({
    masks: ["pin", "/params/arguments/card"],
    secrets: ["hunter2-hunter2"],
  });

  it("replace query parameters of URLs in a text by their names", () => {
    const [, masked] =
      /"(.*)"/.exec(createMasks().json('["see https://a.test/?access_token=s3cr3t&page=2"]')) ?? [];
    expect(masked).toMatch(/^see https:\/\/a\.test\/\?access_token=«masked:\d+»&page=2$/);
  });

  it("replace values by name, and keep the rest of the text", () => {
    const before =
      '{"a": 1.00, "accessToken": "abc", "x":{"PASSWORD":"p","card":1,"pin":7}, "list":["abc"]}';
    expect(masks.json(before)).toMatch(
      /^\{"a": 1\.00, "accessToken": "«masked:\d»", "x":\{"PASSWORD":"«masked:\d»","card":1,"pin":"«masked:\d»"\}, "list":\["abc"\]\}$/,
    );
  });

  it("use the same mark for the same value, in headers, members and parts of texts", () => {
    const { authorization } = masks.headers({ authorization: "Bearer 0123456789" });
    const inside = JSON.parse(masks.json('{"token":"Bearer 0123456789"}')) as { token: string };
    expect(inside.token).toBe(authorization);
    expect(masks.text("sent Bearer 0123456789 and hunter2-hunter2")).not.toMatch(
      /0123456789|hunter2/,
    );
  });

  it("reach JSON inside texts, before and after the secret has a name", () => {
    const text = masks.json(
      JSON.stringify({
        content: [
          { type: "text", text: 'it is s3cr3t-abc, {"token":' },
          { type: "text", text: '{"api_key":"s3cr3t-abd"}' },
        ],
        structuredContent: { token: "s3cr3t-abc" },
      }),
    );
    expect(text).not.toContain("s3cr3t");
  });

  it("find given secrets in texts after thousands of others", () => {
    const many = createMasks({ secrets: ["given-s3cr3t"] });
    for (let index = 0; index < 20_000; index++) many.json(`{"key":"value-${index}"}`);
    expect(many.json('{"text":"the given-s3cr3t and value-19999"}')).toMatch(
      /^\{"text":"the «masked:1» and «masked:20001»"\}$/,
    );
  });

  it("keep what a check needs: error codes, progress tokens, schemas", () => {
    for (const text of [
      '{"error":{"code":-32602,"message":"no"}}',
      '{"error":{"code":"E1","message":"no"}}',
      '{"params":{"progressToken":"abc","_meta":{"progressToken":"abc"}}}',
      '{"properties":{"token":{"type":"string"}},"required":["token"]}',
      '{"statusCode":200,"status_code":"ok","status-code":"ok","X-Error-Code":"E1","zip-code":"1"}',
    ]) {
      expect(masks.json(text)).toBe(text);
    }
  });

  it("mask a place that a pointer names", () => {
    expect(masks.json('{"params":{"arguments":{"card":12345}}}')).toMatch(
      /^\{"params":\{"arguments":\{"card":"«masked:\d»"\}\}\}$/,
    );
  });
});
