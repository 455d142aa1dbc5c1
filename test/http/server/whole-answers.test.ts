import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { NodeSink } from "../../../runtime/http/node/node-output.js";
import { opened } from "./opened.js";
import { answerIn, eventsIn, overNode, tool } from "./serve.js";

/** Texts with characters that take one to four bytes in UTF-8, and a text with one that none may contain. */
const TEXTS = ["plain", "\u007f", "\u0080", "caf\u00e9 \u00ff", "\u20ac", "\ud83d\ude00", "\ud800"];
const LONG = "0123456789".repeat(5000);

describe("a complete response", () => {
  it.each([...TEXTS, LONG, `${LONG}\u00e9`])(
    "arrives as it was passed in, case %#",
    async (text) => {
      const { client } = await opened(overNode);
      const response = await client.post(tool(1, "echo", { text }));
      const length = Number(response.headers.get("content-length"));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes).toHaveLength(length);
      expect(JSON.parse(bytes.toString()).result.content[0].text).toBe(text);
    },
  );

  it.each([...TEXTS, LONG])("may be a stream that ends in the same turn, case %#", async (text) => {
    const { client, toy } = await opened(overNode);
    toy.tools["tell"] = (_, { progress }) => {
      progress(1, 2, text);
      return { content: [{ type: "text", text }] };
    };
    const response = await client.post(tool(1, "tell", {}, { progressToken: 7 }));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const bytes = Buffer.from(await response.arrayBuffer());
    const given = response.headers.get("content-length");
    if (text !== LONG) expect(Number(given)).toBe(bytes.length);
    const said = eventsIn(bytes.toString()).flatMap(({ data }) => (data ? [JSON.parse(data)] : []));
    expect(said.map(({ params, result }) => params?.message ?? result.content[0].text)).toEqual([
      text,
      text,
    ]);
  });

  it("has no Content-Length while more follows", async () => {
    const { client, toy } = await opened(overNode);
    toy.tools["tell"] = async (_, { progress }) => {
      progress(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { content: [] };
    };
    const response = await client.post(tool(1, "tell", {}, { progressToken: 7 }));
    expect(response.headers.get("content-length")).toBeNull();
    expect(await answerIn(response)).toMatchObject({ id: 1, result: { content: [] } });
  });
});

type Writes = (sink: NodeSink) => void;

const end: Writes = (sink) => sink.end();
const endLater: Writes = (sink) => void setTimeout(() => sink.end(), 10);
const write: Writes = (sink) => {
  sink.write("a");
  sink.end();
};
const writeAndEndLater: Writes = (sink) => {
  sink.write("a");
  endLater(sink);
};
const writeMuch: Writes = (sink) => {
  sink.write(LONG);
  sink.write("b");
  sink.end();
  sink.end();
};

/** Returns what a client receives: the status, the name of its writer, and the text. */
async function answered(answer: Writes, head?: number): Promise<string[]> {
  const server: Server = createServer((_, response) => {
    if (head !== undefined) response.writeHead(head, { "X-By": "somebody else" });
    answer(new NodeSink(response, { "X-By": "us" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request({ port, host: "127.0.0.1", agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve([String(response.statusCode), String(response.headers["x-by"]), text]),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("a streamed response", () => {
  it("writes its head once, with its first bytes, its end or a flush", async () => {
    expect(await answered(end)).toEqual(["200", "us", ""]);
    expect(await answered(endLater)).toEqual(["200", "us", ""]);
    expect(await answered(write)).toEqual(["200", "us", "a"]);
    expect(await answered(writeAndEndLater)).toEqual(["200", "us", "a"]);
    expect(await answered(writeMuch)).toEqual(["200", "us", `${LONG}b`]);
  });

  it("continues after a head that was written before", async () => {
    expect(await answered(write, 203)).toEqual(["203", "somebody else", "a"]);
    expect(await answered(writeAndEndLater, 203)).toEqual(["203", "somebody else", "a"]);
  });
});
