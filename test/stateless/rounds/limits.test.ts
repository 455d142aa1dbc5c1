import { expect, test } from "vitest";
import { responsesTo } from "./support/round-trips.js";
import { form } from "./support/questions.js";
import { serve } from "./support/serve.js";

test("the number of rounds is limited (MRTR-20, MRTR-24)", async () => {
  const { client, errors } = await serve(
    {
      endless: async (_context, ask) => {
        for (let round = 0; ; round++) await ask("elicitation/create", form(`Round ${round}?`));
      },
    },
    { rounds: { maxRounds: 3 } },
  );
  const { error } = await client.fulfil("tools/call", { name: "endless" });
  expect(client.interim).toHaveLength(3);
  expect(error.code).toBe(-32602);
  expect(errors).toHaveLength(1);
  expect(errors[0]!.message).toMatch(/3 rounds/);
});

test("rounds without input responses count too (MRTR-24)", async () => {
  const { client } = await serve(
    { ask: async (_context, ask) => ask("elicitation/create", form("Who?")) },
    { rounds: { maxRounds: 2 } },
  );
  const first = await client.tool("ask");
  const { requestState } = (
    await client.tool(
      "ask",
      responsesTo(first.result, () => undefined),
    )
  ).result;
  const last = await client.tool("ask", { requestState, inputResponses: {} });
  expect(last.error.code).toBe(-32602);
});

test("a state is limited in size, and the error names the option (MRTR-25)", async () => {
  const { client, errors } = await serve(
    {
      large: async ({ once }, ask, { arguments: { size } }) => {
        await once("large", () => "x".repeat(size));
        await ask("elicitation/create", form("Who?"));
        return "done";
      },
    },
    { rounds: { maxStateLength: 2000 } },
  );
  expect(await client.text("large", { size: 500 })).toBe("done");
  const { error } = await client.tool("large", { arguments: { size: 5000 } });
  expect(error).toEqual({ code: -32603, message: "Internal error" });
  expect(errors[0]!.message).toMatch(/maxStateLength.*store large values elsewhere/);
});

test("a state that is too long is refused unread (MRTR-25)", async () => {
  const { client, errors } = await serve(
    { ask: async (_context, ask) => ask("elicitation/create", form("Who?")) },
    { rounds: { maxStateLength: 1000 } },
  );
  const { error } = await client.tool("ask", { requestState: `1.A.${"A".repeat(1000)}` });
  expect(error.code).toBe(-32602);
  expect(errors[0]!.message).toMatch(/too long/);
});

test("many input requests are allowed at once", async () => {
  const { client } = await serve({
    many: async (_context, ask) => {
      const asking = Array.from({ length: 200 }, (_, at) =>
        ask("elicitation/create", form(`Number ${at % 150}?`)),
      );
      return (await Promise.all(asking)).map(({ content }) => content.name).join();
    },
  });
  let count = 0;
  const answer = (): object => ({ action: "accept", content: { name: `${count++}` } });
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  expect(await client.text("many", {}, answer)).toBe(numbers.join());
  expect(client.interim).toHaveLength(1);
});
