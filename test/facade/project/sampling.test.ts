import { describe, expect, it } from "vitest";
import { CapabilityError } from "../../../runtime/wire/errors.js";
import { inAll, lowered, revisions } from "./revisions.js";

const [R2411, R2503, R2506, R2511, R2607] = revisions.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
  string,
];

function text(words: string): object {
  return { type: "text", text: words };
}

function ask(messages: object[], more: object = {}): object {
  return { messages, maxTokens: 1, ...more };
}

function toolResult(structuredContent: unknown): object[] {
  return [{ type: "tool_result", toolUseId: "1", content: [], structuredContent }];
}

describe("sampling (T3)", () => {
  it("has one message per block if a message has one block", () => {
    const request = ask([
      { role: "user", content: [text("a"), text("b")], _meta: { a: 1 } },
      { role: "assistant", content: [text("c")] },
      { role: "user", content: text("d") },
    ]);
    const split = ask([
      { role: "user", content: text("a") },
      { role: "user", content: text("b") },
      { role: "assistant", content: text("c") },
      { role: "user", content: text("d") },
    ]);
    expect(inAll("sampling/createMessage", "params", request)).toEqual({
      [R2411]: split,
      [R2503]: split,
      [R2506]: split,
      [R2511]: request,
      [R2607]: request,
    });
  });

  it.each([
    ["tools", ask([], { tools: [{ name: "t", inputSchema: { type: "object" } }] })],
    ["toolChoice", ask([], { toolChoice: { mode: "auto" } })],
    [
      "tool_use",
      ask([{ role: "assistant", content: { type: "tool_use", id: "1", name: "t", input: {} } }]),
    ],
    [
      "tool_result",
      ask([{ role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [] }] }]),
    ],
  ])("is refused with %s if the revision lacks it (X14, SAMP-05)", (_name, request) => {
    expect(inAll("sampling/createMessage", "params", request)).toEqual({
      [R2411]: "CapabilityError",
      [R2503]: "CapabilityError",
      [R2506]: "CapabilityError",
      [R2511]: request,
      [R2607]: request,
    });
  });

  it("is refused with audio if the revision lacks it (X14, SAMP-05)", () => {
    const request = ask([{ role: "user", content: { type: "audio", data: "", mimeType: "a/b" } }]);
    expect(inAll("sampling/createMessage", "params", request)).toEqual({
      [R2411]: "CapabilityError",
      [R2503]: request,
      [R2506]: request,
      [R2511]: request,
      [R2607]: request,
    });
    expect(() => lowered(revisions[0]!, "sampling/createMessage", "params", request)).toThrow(
      new CapabilityError(
        "sampling/createMessage was not sent: params/messages/0/content cannot be expressed in 2024-11-05",
      ),
    );
  });

  it("wraps tool results if only objects are allowed", () => {
    const request = ask([{ role: "user", content: toolResult([1]) }]);
    expect(lowered(revisions[3]!, "sampling/createMessage", "params", request)).toEqual(
      ask([
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              toolUseId: "1",
              content: [],
              structuredContent: { result: [1] },
            },
          ],
        },
      ]),
    );
    const object = ask([{ role: "user", content: toolResult({ a: 1 }) }]);
    expect(lowered(revisions[3]!, "sampling/createMessage", "params", object)).toBe(object);
  });

  it("is answered with one block if the revision allows only one", () => {
    const answer = { role: "assistant", model: "m", content: [text("a"), text("b")] };
    const joined = { ...answer, content: text("a\n\nb") };
    expect(inAll("sampling/createMessage", "result", answer)).toEqual({
      [R2411]: joined,
      [R2503]: joined,
      [R2506]: joined,
      [R2511]: answer,
      [R2607]: answer,
    });
  });

  it("is answered with a single block of any kind without a loss", () => {
    const image = { type: "image", data: "", mimeType: "image/png" };
    const losses: unknown[] = [];
    const sent = (content: unknown): unknown =>
      lowered(
        revisions[2]!,
        "sampling/createMessage",
        "result",
        { role: "assistant", model: "m", content },
        (loss) => void losses.push(loss),
      );
    expect(sent([image])).toEqual({ role: "assistant", model: "m", content: image });
    expect(losses).toEqual([]);
    expect(sent([image, text("a")])).toEqual({ role: "assistant", model: "m", content: image });
    expect(losses).toMatchObject([{ path: "/content", replacement: image }]);
  });
});
