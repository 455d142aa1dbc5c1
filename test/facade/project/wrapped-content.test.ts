import { describe, expect, it } from "vitest";
import * as z from "zod";
import { factsOf, McpServer, REVISIONS } from "../server/support/server.js";
import { Talk } from "../server/support/talk.js";

const tree = {
  $defs: { leaf: { type: "string" } },
  type: "array",
  items: { anyOf: [{ $ref: "#" }, { $ref: "#/$defs/leaf" }, { $ref: "#/items/anyOf/1" }] },
} as const;

const values: readonly [string, unknown, object, object][] = [
  ["an array", ["a", "b"], z.array(z.string()), { type: "array", items: { type: "string" } }],
  ["a string", "a", z.string(), { type: "string" }],
  ["a number", 1, z.int(), { type: "integer" }],
];

describe.each(REVISIONS)(
  "structured content that is not an object, for clients of %s,",
  (revision) => {
    const { isAlone, structured } = factsOf(revision);

    it.each(values)(
      "is wrapped if it has to be an object: %s",
      async (_name, value, schema, json) => {
        const losses: unknown[] = [];
        const server = new McpServer({ onloss: (loss) => void losses.push(loss) });
        server.registerTool("give", { outputSchema: schema as z.ZodAny }, () => value);
        const talk = await Talk.with(server, revision);
        const { result } = await talk.call("tools/list");
        const given = await talk.tool("give");
        const [tool] = result.tools;
        if (isAlone) {
          expect(tool.outputSchema).toMatchObject(json);
          expect(given.structuredContent).toEqual(value);
        } else if (structured) {
          expect(tool.outputSchema).toMatchObject({
            type: "object",
            properties: { result: json },
            required: ["result"],
          });
          expect(given.structuredContent).toEqual({ result: value });
          expect(losses).toEqual([]);
        } else expect(given).not.toHaveProperty("structuredContent");
        expect(given.content).toEqual([{ type: "text", text: JSON.stringify(value) }]);
      },
    );

    it("keeps references that point to the same schemas", async () => {
      const server = new McpServer();
      server.registerTool("give", { outputSchema: tree }, () => []);
      const { result } = await (await Talk.with(server, revision)).call("tools/list");
      if (isAlone || !structured) return;
      expect(result.tools[0].outputSchema).toEqual({
        type: "object",
        properties: {
          result: {
            type: "array",
            items: {
              anyOf: [
                { $ref: "#/properties/result" },
                { $ref: "#/$defs/leaf" },
                { $ref: "#/properties/result/items/anyOf/1" },
              ],
            },
          },
        },
        required: ["result"],
        $defs: { leaf: { type: "string" } },
      });
    });
  },
);
