import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { revision as older } from "@mcp-codegen/universal/2025-06-18";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Sends invalid parameters at an older revision and returns the error. */
async function refusal(environment: string): Promise<unknown> {
  vi.stubEnv("NODE_ENV", environment);
  const server = new McpServer({ name: "s", version: "1" });
  server.registerPrompt("p", {}, () => "text");
  server.setHandler("completion/complete", () => ({ completion: { values: [] } }));
  const client = await connect(await connectInMemory(server), { revisions: [older] });
  onTestFinished(() => client.close());
  const argument = { name: 7 as never, value: "" };
  const completed = client.complete({ ref: { type: "ref/prompt", name: "p" }, argument });
  return completed.catch((error: unknown) => error);
}

test("translated parameters are validated before they are sent, in development", async () => {
  expect(await refusal("test")).toMatchObject({
    name: "TypeError",
    message: expect.stringMatching(
      /^completion\/complete was not sent: it is not valid in 2025-06-18: \/argument\/name: expected string/,
    ),
  });
});

test("they are not validated in production, where the server refuses them", async () => {
  expect(await refusal("production")).toMatchObject({ name: "RpcError", code: -32602 });
});
