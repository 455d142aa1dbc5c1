import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";

function asking(): McpServer {
  const server = new McpServer({ name: "asking", version: "1.0.0" });
  server.registerTool("greet", {}, async (ctx) => {
    const { content } = await ctx.elicit({
      message: "Who are you?",
      requestedSchema: z.object({ name: z.string() }),
    });
    return `Hello, ${content?.name}`;
  });
  return server;
}

test("the caller receives the input requests and answers them", async () => {
  let requested = 0;
  const onElicit = () => {
    requested += 1;
    return { action: "decline" as const };
  };
  const client = await connect(await connectInMemory(asking()), { onElicit });
  onTestFinished(() => client.close());
  const call = { name: "greet" };
  const first = (await client.callTool(call, { rounds: "manual" })) as unknown as {
    resultType: string;
    requestState: string;
    inputRequests: Record<string, { method: string }>;
  };
  expect(first.resultType).toBe("input_required");
  const [[key, request] = []] = Object.entries(first.inputRequests);
  expect(request?.method).toBe("elicitation/create");
  const inputResponses = { [key!]: { action: "accept" as const, content: { name: "Ada" } } };
  const answered = { ...call, inputResponses, requestState: first.requestState };
  const { content } = await client.callTool(answered, { rounds: "manual" });
  expect(content).toEqual([{ type: "text", text: "Hello, Ada" }]);
  expect(requested).toBe(0);
});

test("without the option the handlers of the client answer", async () => {
  const client = await connect(await connectInMemory(asking()), {
    onElicit: () => ({ action: "accept", content: { name: "Bob" } }),
  });
  onTestFinished(() => client.close());
  const { content } = await client.callTool("greet");
  expect(content).toEqual([{ type: "text", text: "Hello, Bob" }]);
});
