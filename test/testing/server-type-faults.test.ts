import { describe, expect, it } from "vitest";
import { c, opened, s, shortFindings } from "./support/conversation.js";
import { called, type Fault, listed, output, tool } from "./support/server-messages.js";

const faults: readonly Fault[] = [
  [
    "an annotation of an invalid type",
    listed({ ...tool, annotations: { readOnlyHint: "yes" } }),
    "result-shape 5 /result/tools/0/annotations/readOnlyHint",
  ],
  [
    "a tool without inputSchema",
    listed({ name: "add" }),
    "result-shape 5 /result/tools/0/inputSchema",
  ],
  [
    "an inputSchema of an array",
    listed({ name: "add", inputSchema: { type: "array" } }),
    "result-shape 5 /result/tools/0/inputSchema/type",
  ],
  [
    "an icon whose source is a number",
    listed({ ...tool, icons: [{ src: 7 }] }),
    "result-shape 5 /result/tools/0/icons/0/src",
  ],
  ["two tools with one name", listed(tool, tool), "name-repeated 5 /result/tools/1/name"],
  [
    "a schema with an unknown type",
    listed({ name: "add", inputSchema: { type: "object", properties: { a: { type: "nomber" } } } }),
    "schema-invalid 5 /result/tools/0/inputSchema/properties/a/type",
  ],
  [
    "a reference to nowhere",
    listed({
      name: "add",
      inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
    }),
    "schema-invalid 5 /result/tools/0/inputSchema/properties/a/$ref",
  ],
  ["a result without content", called({}), "result-shape 7 /result/content"],
  [
    "content of an unknown type",
    called({ content: [{ type: "video", data: "" }] }),
    "result-shape 7 /result/content/0/type",
  ],
  [
    "an image that is not base64",
    called({ content: [{ type: "image", data: "%%%", mimeType: "image/png" }] }),
    "content-format 7 /result/content/0/data",
  ],
  [
    "no structured content for an outputSchema",
    called({ content: [] }, output),
    "structured-missing 7 /result/structuredContent",
  ],
  [
    "structured content that violates the outputSchema",
    called({ content: [], structuredContent: { sum: "5" } }, output),
    "structured-invalid 7 /result/structuredContent/sum",
  ],
  [
    "serverInfo without a version",
    opened({ result: { serverInfo: { name: "server" } } }),
    "result-shape 2 /result/serverInfo/version",
  ],
  [
    "tools that are an object",
    [...opened(), c({ id: 2, method: "tools/list" }), s({ id: 2, result: { tools: {} } })],
    "result-shape 5 /result/tools",
  ],
  [
    "the same cursor without end",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: "a" } }),
      c({ id: 3, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 3, result: { tools: [], nextCursor: "a" } }),
      c({ id: 4, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 4, result: { tools: [], nextCursor: "a" } }),
    ],
    "cursor-repeated 7 /result/nextCursor",
  ],
  [
    "a result that is a string",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, result: "pong" })],
    "result-shape 5 /result",
  ],
  [
    "a name with a space",
    listed({ ...tool, name: "add numbers" }),
    "tool-name 5 /result/tools/0/name",
  ],
  ["an empty name", listed({ ...tool, name: "" }), "tool-name 5 /result/tools/0/name"],
  ["an item that is null", listed(tool, null as never), "result-shape 5 /result/tools/1"],
  [
    "an outputSchema with an invalid pattern",
    listed({
      ...tool,
      outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } },
    }),
    "schema-invalid 5 /result/tools/0/outputSchema/properties/a/pattern",
  ],
  [
    "required that is no array",
    listed({ name: "add", inputSchema: { type: "object", required: "a" } }),
    "result-shape 5 /result/tools/0/inputSchema/required",
  ],
  [
    "a cursor that is a number",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: 2 } }),
    ],
    "result-shape 5 /result/nextCursor",
  ],
  [
    "two pages with one tool",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [tool], nextCursor: "a" } }),
      c({ id: 3, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 3, result: { tools: [tool] } }),
    ],
    "name-repeated 7 /result/tools/0/name",
  ],
  [
    "resources with one URI",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({
        id: 2,
        result: {
          resources: [
            { uri: "a:1", name: "a" },
            { uri: "a:1", name: "b" },
          ],
        },
      }),
    ],
    "name-repeated 5 /result/resources/1/uri",
  ],
  [
    "a URI that is not absolute",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({ id: 2, result: { resources: [{ uri: "readme.md", name: "a" }] } }),
    ],
    "uri-format 5 /result/resources/0/uri",
  ],
  [
    "contents that are neither text nor binary",
    [
      ...opened(),
      c({ id: 2, method: "resources/read", params: { uri: "a:1" } }),
      s({ id: 2, result: { contents: [{ uri: "a:1" }] } }),
    ],
    "result-shape 5 /result/contents/0",
  ],
  [
    "a message of a prompt with an unknown role",
    [
      ...opened(),
      c({ id: 2, method: "prompts/get", params: { name: "a" } }),
      s({ id: 2, result: { messages: [{ role: "system", content: { type: "text", text: "" } }] } }),
    ],
    "result-shape 5 /result/messages/0/role",
  ],
  [
    "more than 100 completions",
    [
      ...opened(),
      c({
        id: 2,
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "" } },
      }),
      s({ id: 2, result: { completion: { values: Array.from({ length: 101 }, String) } } }),
    ],
    "completion-count 5 /result/completion/values",
  ],
  [
    "a key of _meta with an invalid prefix",
    called({ content: [], _meta: { "9/a": 1 } }),
    "content-format 7 /result/_meta/9~1a",
  ],
  [
    "isError that is a text",
    called({ content: [], isError: "no" }),
    "result-shape 7 /result/isError",
  ],
  [
    "capabilities that are a list",
    opened({ result: { capabilities: [] } }),
    "result-shape 2 /result/capabilities",
  ],
  [
    "no protocolVersion",
    opened({ result: { protocolVersion: undefined } }),
    "result-shape 2 /result/protocolVersion",
  ],
  [
    "a cursor that is null",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: null } }),
    ],
    "result-shape 5 /result/nextCursor",
  ],
  [
    "a MIME type without a slash",
    called({ content: [{ type: "image", data: "", mimeType: "png" }] }),
    "content-format 7 /result/content/0/mimeType",
  ],
  [
    "an unknown audience",
    called({ content: [{ type: "text", text: "", annotations: { audience: ["robot"] } }] }),
    "result-shape 7 /result/content/0/annotations/audience/0",
  ],
  ["content that is an object", called({ content: {} }), "result-shape 7 /result/content"],
  [
    "structured content that is a list",
    called({ content: [], structuredContent: [] }),
    "result-shape 7 /result/structuredContent",
  ],
  [
    "a link without a name",
    called({ content: [{ type: "resource_link", uri: "a:1" }] }),
    "result-shape 7 /result/content/0/name",
  ],
  [
    "an embedded resource without a URI",
    called({ content: [{ type: "resource", resource: { text: "" } }] }),
    "result-shape 7 /result/content/0/resource",
  ],
  [
    "instructions that are a number",
    opened({ result: { instructions: 7 } }),
    "result-shape 2 /result/instructions",
  ],
  [
    "a capability that is a text",
    opened({ result: { capabilities: { tools: { listChanged: "true" } } } }),
    "result-shape 2 /result/capabilities/tools/listChanged",
  ],
  [
    "contents with text and blob",
    [
      ...opened(),
      c({ id: 2, method: "resources/read", params: { uri: "a:1" } }),
      s({ id: 2, result: { contents: [{ uri: "a:1", text: "", blob: "" }] } }),
    ],
    "content-format 5 /result/contents/0",
  ],
  [
    "a template that does not parse",
    [
      ...opened(),
      c({ id: 2, method: "resources/templates/list" }),
      s({ id: 2, result: { resourceTemplates: [{ uriTemplate: "a:{", name: "a" }] } }),
    ],
    "uri-format 5 /result/resourceTemplates/0/uriTemplate",
  ],
  [
    "a size that is a text",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({ id: 2, result: { resources: [{ uri: "a:1", name: "a", size: "1" }] } }),
    ],
    "result-shape 5 /result/resources/0/size",
  ],
  [
    "two prompts of one name",
    [
      ...opened(),
      c({ id: 2, method: "prompts/list" }),
      s({ id: 2, result: { prompts: [{ name: "a" }, { name: "a" }] } }),
    ],
    "name-repeated 5 /result/prompts/1/name",
  ],
  [
    "an argument of a prompt that is required by a text",
    [
      ...opened(),
      c({ id: 2, method: "prompts/list" }),
      s({
        id: 2,
        result: { prompts: [{ name: "a", arguments: [{ name: "b", required: "yes" }] }] },
      }),
    ],
    "result-shape 5 /result/prompts/0/arguments/0/required",
  ],
  [
    "audio in a revision without audio",
    [
      ...opened({ version: "2024-11-05" }),
      c({ id: 3, method: "tools/call", params: { name: "add" } }),
      s({ id: 3, result: { content: [{ type: "audio", data: "", mimeType: "audio/wav" }] } }),
    ],
    "result-shape 5 /result/content/0/type",
  ],
  [
    "an icon in a scheme that clients reject",
    listed({ ...tool, icons: [{ src: "javascript:1" }] }),
    "uri-format 5 /result/tools/0/icons/0/src",
  ],
  [
    "a completion whose hasMore is a text",
    [
      ...opened(),
      c({
        id: 2,
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "" } },
      }),
      s({ id: 2, result: { completion: { values: [], hasMore: "no" } } }),
    ],
    "result-shape 5 /result/completion/hasMore",
  ],
  [
    "a priority above 1",
    called({ content: [{ type: "text", text: "", annotations: { priority: 2 } }] }),
    "result-shape 7 /result/content/0/annotations/priority",
  ],
];

describe("a fault of a type or a format that a server sends is one finding, with its line and pointer:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});
