import { describe, expect, it } from "vitest";
import { inAll, lowered, older, revisions, rowOf } from "./revisions.js";

const [R2411, R2503, R2506, R2511, R2607] = revisions.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
  string,
];

function firstTool(result: unknown): unknown {
  return (result as { tools: unknown[] }).tools[0];
}

/** Returns the content of a tool's result in each revision. */
function contentInAll(block: object): Record<string, unknown> {
  const results = inAll("tools/call", "result", { resultType: "complete", content: [block] });
  return Object.fromEntries(
    Object.entries(results).map(([id, result]) => [
      id,
      (result as { content: unknown[] }).content[0],
    ]),
  );
}

describe("content blocks (T13)", () => {
  it("become text if the revision lacks them", () => {
    const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
    const block = { type: "text", text: "a", annotations, _meta: { a: 1 } };
    const plain = { type: "text", text: "a", annotations: { priority: 1 } };
    expect(contentInAll(block)).toEqual({
      [R2411]: plain,
      [R2503]: plain,
      [R2506]: block,
      [R2511]: block,
      [R2607]: block,
    });
  });

  it("contain a note in place of audio", () => {
    const block = { type: "audio", data: "c2VjcmV0", mimeType: "audio/wav" };
    const note = {
      type: "text",
      text: "[audio (audio/wav): not available in this version of the protocol]",
    };
    expect(contentInAll(block)).toEqual({
      [R2411]: note,
      [R2503]: block,
      [R2506]: block,
      [R2511]: block,
      [R2607]: block,
    });
  });

  it("contain the name and URI of a linked resource in place of it", () => {
    const icons = [{ src: "https://example.com/i.png" }];
    const { icons: _, ...withoutIcons } = {
      type: "resource_link",
      name: "log",
      uri: "file:///log",
      icons,
      annotations: { audience: ["user"] },
    };
    const block = { ...withoutIcons, icons };
    const note = {
      type: "text",
      text: "log: file:///log",
      annotations: { audience: ["user"] },
    };
    expect(contentInAll(block)).toEqual({
      [R2411]: note,
      [R2503]: note,
      [R2506]: withoutIcons,
      [R2511]: block,
      [R2607]: block,
    });
  });

  it("omit the _meta of an embedded resource", () => {
    const block = { type: "resource", resource: { uri: "a:b", text: "x", _meta: {} }, _meta: {} };
    const plain = { type: "resource", resource: { uri: "a:b", text: "x" } };
    expect(contentInAll(block)).toEqual({
      [R2411]: plain,
      [R2503]: plain,
      [R2506]: block,
      [R2511]: block,
      [R2607]: block,
    });
  });

  it("are translated in messages of a prompt too", () => {
    const content = { type: "resource_link", name: "log", uri: "file:///log" };
    const result = lowered(revisions[0]!, "prompts/get", "result", {
      messages: [{ role: "user", content }],
    });
    expect(result).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "log: file:///log" } }],
    });
  });

  it("may be replaced by the user if one is lost", () => {
    const losses: unknown[] = [];
    const result = lowered(
      revisions[0]!,
      "tools/call",
      "result",
      {
        content: [
          { type: "text", text: "see" },
          { type: "audio", data: "", mimeType: "a/b" },
        ],
      },
      (loss) => {
        losses.push(loss);
        return { type: "text", text: "(a transcript)" };
      },
    );
    expect(result).toEqual({
      content: [
        { type: "text", text: "see" },
        { type: "text", text: "(a transcript)" },
      ],
    });
    expect(losses).toMatchObject([
      { revision: R2411, method: "tools/call", path: "/content/1", value: { type: "audio" } },
    ]);
  });
});

describe("structured output (T14)", () => {
  const text = { type: "text", text: "Here you are" };

  it("is an object, or at least JSON as text", () => {
    const content = [text];
    const withObject = { content, structuredContent: { a: 1 } };
    const json = { content: [text, { type: "text", text: '{"a":1}' }] };
    expect(inAll("tools/call", "result", withObject)).toEqual({
      [R2411]: json,
      [R2503]: json,
      [R2506]: withObject,
      [R2511]: withObject,
      [R2607]: withObject,
    });
  });

  it.each([[[1, 2]], ["text"], [0], [false], [null]])(
    "can be %j at the newest revision only; older ones get it wrapped (X15)",
    (structuredContent) => {
      const result = { content: [text], structuredContent };
      const json = { content: [text, { type: "text", text: JSON.stringify(structuredContent) }] };
      const wrapped = { ...json, structuredContent: { result: structuredContent } };
      expect(inAll("tools/call", "result", result)).toEqual({
        [R2411]: json,
        [R2503]: json,
        [R2506]: wrapped,
        [R2511]: wrapped,
        [R2607]: result,
      });
    },
  );

  it("is the same with a task as without", () => {
    const result = { resultType: "complete", content: [text], structuredContent: [1] };
    expect(lowered(revisions[3]!, "tasks/result", "result", result)).toEqual({
      content: [text, { type: "text", text: "[1]" }],
      structuredContent: { result: [1] },
    });
    const other = { resultType: "complete", action: "accept" };
    expect(lowered(revisions[3]!, "tasks/result", "result", other)).toEqual({ action: "accept" });
  });

  it("is not repeated if the text contains it already, in any indentation", () => {
    const indented = { type: "text", text: "[\n  1\n]" };
    const result = { content: [indented], structuredContent: [1] };
    expect(lowered(revisions[3]!, "tools/call", "result", result)).toEqual({
      content: [indented],
      structuredContent: { result: [1] },
    });
  });

  it("is listed only if it can be sent (SCH-06)", () => {
    const tool = { name: "t", inputSchema: { type: "object" } };
    const object = { ...tool, name: "o", outputSchema: { type: "object" } };
    const list = { ...tool, outputSchema: { type: "array" } };
    const listed = inAll("tools/list", "result", { tools: [object, list] });
    const plain = { ...tool, name: "o" };
    const wrapped = {
      ...tool,
      outputSchema: {
        type: "object",
        properties: { result: { type: "array" } },
        required: ["result"],
      },
    };
    expect(listed).toEqual({
      [R2411]: { tools: [plain, tool] },
      [R2503]: { tools: [plain, tool] },
      [R2506]: { tools: [object, wrapped] },
      [R2511]: { tools: [object, wrapped] },
      [R2607]: { tools: [object, list] },
    });
  });
});

describe("definitions (T12)", () => {
  const icons = [{ src: "https://example.com/i.png" }];

  it("of a tool have a title if the revision has one", () => {
    const inputSchema = { type: "object", $schema: "urn:x", $defs: { a: {} } };
    const annotations = { readOnlyHint: true };
    const tool = { name: "t", title: "T", icons, inputSchema, annotations, _meta: { a: 1 } };
    const listed = inAll("tools/list", "result", { tools: [tool] });
    expect(
      Object.fromEntries(Object.entries(listed).map(([id, one]) => [id, firstTool(one)])),
    ).toEqual({
      [R2411]: { name: "t", inputSchema },
      [R2503]: { name: "t", inputSchema, annotations: { title: "T", readOnlyHint: true } },
      [R2506]: { name: "t", title: "T", inputSchema, annotations, _meta: { a: 1 } },
      [R2511]: tool,
      [R2607]: tool,
    });
  });

  it("of a tool keep a title from the annotations", () => {
    const tool = {
      name: "t",
      title: "A",
      annotations: { title: "B" },
      inputSchema: { type: "object" },
    };
    expect(lowered(revisions[1]!, "tools/list", "result", { tools: [tool] })).toEqual({
      tools: [{ name: "t", annotations: { title: "B" }, inputSchema: { type: "object" } }],
    });
  });

  it("stay the same object if nothing differs", () => {
    const tool = { name: "t", title: "T", icons, inputSchema: { type: "object" } };
    const result = { tools: [tool] };
    expect(lowered(revisions[3]!, "tools/list", "result", result)).toBe(result);
    const [plain] = (
      lowered(revisions[2]!, "tools/list", "result", {
        tools: [{ ...tool, icons: undefined }],
      }) as { tools: unknown[] }
    ).tools;
    expect(plain).toMatchObject({ name: "t", title: "T" });
  });
});

describe("results (T11)", () => {
  const result = {
    resultType: "complete",
    ttlMs: 1000,
    cacheScope: "public",
    resources: [],
    nextCursor: "",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" }, own: 1 },
  };

  it("omit type and freshness before the newest revision, and keep their _meta", () => {
    const plain = { resources: [], nextCursor: "", _meta: { own: 1 } };
    expect(inAll("resources/list", "result", result)).toEqual({
      [R2411]: plain,
      [R2503]: plain,
      [R2506]: plain,
      [R2511]: plain,
      [R2607]: result,
    });
  });

  it.each(older)("of $id are complete, private and stale", (revision) => {
    const row = rowOf(revision, "resources/list");
    expect(revision.projection!.up(row, "result")!({ resources: [], more: 1 })).toEqual({
      resources: [],
      more: 1,
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
    });
  });
});
