// A server that lists whatever MODE selects: pages (without end), huge (one text), deep (one schema), names, empty.
import { createInterface } from "node:readline";

const mode = process.argv[2];
const deep = (levels) => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } });
const schema = { type: "object" };
const lists = {
  huge: [{ name: "huge", description: "x".repeat(2 ** 21), inputSchema: schema }],
  deep: [{ name: "deep", inputSchema: { type: "object", ...deep(1000) } }],
  names: [
    "../../escape",
    "class",
    "__proto__",
    "constructor",
    "a b",
    "a-b",
    "aB",
    "a_b",
    "*/ alert(1) /*",
    "`${1}`",
    "\u202e\u200b",
    "",
    "é",
    "1st",
    "</script><script>",
    "default",
    "then",
    "A".repeat(300),
    "x\ny",
    "\ud800",
    "tools",
    "con",
    "CON",
    "index",
    "a/../../b",
    "type",
    "await",
    "${process.exit(1)}",
    "'\"\\",
  ].map((name, index) => ({
    name,
    description: "*/ process.exit(1); /* </script> ```\n@ts-nocheck ${1} `",
    inputSchema: {
      type: "object",
      title: "*/ title",
      tsType: "any; process.exit(1); type X = 1",
      properties: {
        ["*/"]: { type: "string", description: "*/", tsType: "evil()" },
        __proto__: undefined,
        ["__proto__x"]: { enum: ["`", "*/", "\u2028"], tsEnumNames: ["evil()"] },
        // A validator exists for those tools that lack these members.
        ...(index % 2 === 0 && {
          far: { $ref: "https://evil.example/schema.json" },
          file: { $ref: "file:///etc/passwd" },
          self: { $ref: "#" },
        }),
      },
      required: index % 2 === 0 ? [] : ["*/", "__proto__x"],
      additionalProperties: index % 2 === 0,
    },
  })),
  twins: [
    { name: "same", inputSchema: schema },
    { name: "same", inputSchema: { type: "object", properties: {} } },
  ],
};
const answer = (id, result) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
let page = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === "initialize") {
    const serverInfo = { name: "*/ ../hostile", version: "1" };
    const instructions = "\u{e0041}hidden */";
    return answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo,
      instructions,
    });
  }
  if (method === "tools/list") {
    page += 1;
    if (mode === "pages")
      return answer(id, {
        tools: [{ name: `t${page}`, inputSchema: schema }],
        nextCursor: `c${page}`,
      });
    if (mode === "silent") return undefined;
    return answer(id, { tools: lists[mode] ?? [] });
  }
  const error = { code: -32601, message: "no" };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
});
