import { expect, test } from "vitest";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

const form = {
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
} as const;

test.each(REVISIONS.filter((revision) => revision >= "2025-06-18"))(
  "requests to the user in once() are rejected at %s (T2)",
  async (revision) => {
    const server = new McpServer();
    server.registerTool("inside", {}, (ctx) =>
      ctx
        .once("key", () => ctx.elicit(form))
        .then(
          () => "asked",
          (error: Error) => `${error.name}: ${error.message}`,
        ),
    );
    server.registerTool("before", {}, async (ctx) => {
      const { action } = await ctx.elicit(form);
      return ctx.once("key", () => action);
    });
    const talk = await Talk.with(server, revision, {
      answers: { "elicitation/create": () => ({ action: "decline" }) },
    });
    const { content } = await talk.tool("inside");
    expect(content[0].text).toBe(
      "TypeError: elicitation/create was not sent: send it before once()",
    );
    expect((await talk.tool("before")).content[0].text).toBe("decline");
    expect(talk.asked).toEqual(["elicitation/create"]);
  },
);
