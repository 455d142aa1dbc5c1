import type { AskingContext, McpServer } from "@mcp-codegen/universal";

const form = (message: string) =>
  ({
    message,
    requestedSchema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
  }) as const;

const question = {
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "Capital?" } }],
  maxTokens: 10,
};

/** Returns the user's name, or a placeholder if users cannot be asked. */
async function nameOf({ can, elicit }: AskingContext, message = "Who?"): Promise<string> {
  if (!can.elicit) return "Nobody";
  const { action, content } = await elicit(form(message));
  return action === "accept" ? content.name : action;
}

async function cityOf({ sample }: AskingContext): Promise<string> {
  const { content, model } = await sample(question);
  const [block] = [content].flat();
  return `${block?.type === "text" ? block.text : block?.type} (${model})`;
}

async function placeOf({ listRoots }: AskingContext): Promise<string> {
  const { roots } = await listRoots();
  return roots.map(({ uri }) => uri).join();
}

/** Adds tools that send every kind of request to the user. */
export function addAskingTools(server: McpServer): void {
  server.registerTool("sequence", {}, async (ctx) => {
    const order = await ctx.once("order", () => "ordered");
    const name = await nameOf(ctx);
    const city = await cityOf(ctx);
    const place = await placeOf(ctx);
    return [order, name, city, place].join(" ");
  });
  server.registerTool("parallel", {}, async (ctx) => {
    const [order, ...answers] = await Promise.all([
      ctx.once("order", () => "ordered"),
      nameOf(ctx),
      cityOf(ctx),
      placeOf(ctx),
    ]);
    return [order, ...answers].join(" ");
  });
  server.registerTool("narrate", {}, async (ctx) => {
    ctx.progress(1, 3);
    ctx.log("error", "before");
    const name = await nameOf(ctx);
    ctx.progress(2, 3);
    ctx.log("error", "between");
    const place = await placeOf(ctx);
    ctx.progress(3, 3);
    return `${name} ${place}`;
  });
  server.registerPrompt("asking", {}, (ctx) => nameOf(ctx));
  server.registerResource("asking", "asking://one", {}, (_, ctx) => nameOf(ctx));
  server.registerTool("ask", {}, (ctx) => nameOf(ctx));
  server.registerTool("hear", {}, async ({ sample }) => {
    const content = { type: "audio" as const, data: "YXVkaW8=", mimeType: "audio/wav" };
    const { model } = await sample({ messages: [{ role: "user", content }], maxTokens: 10 });
    return model;
  });
  server.registerTool("ask-in-vain", {}, (ctx) =>
    cityOf(ctx).catch((error: Error) => `refused: ${error.message}`),
  );
  server.registerTool("ping", {}, async ({ request }) => {
    const ask = request as unknown as (method: string) => Promise<unknown>;
    return ask("ping").then(
      () => "answered",
      (error: Error) => error.name,
    );
  });
  server.registerTool("go", {}, async ({ elicitUrl }) => {
    const { action } = await elicitUrl({ message: "Go", url: "https://example.com/pay" });
    return action;
  });
}
