import { expect, test } from "vitest";
import { form } from "./support/questions.js";
import { serve, type Tool } from "./support/serve.js";

const INTERNAL = { code: -32603, message: "Internal error" };

async function outcome(
  tool: Tool,
): Promise<{ error: unknown; result: unknown; reports: string[] }> {
  const { client, errors } = await serve({ tool });
  const { error, result } = await client.fulfil("tools/call", { name: "tool" });
  return { error, result, reports: errors.map(({ message }) => message) };
}

test("a response never counts for another input request (T2, A12)", async () => {
  let calls = 0;
  const got: unknown[] = [];
  const { error, reports } = await outcome(async (_context, ask) => {
    got.push(await ask("elicitation/create", form(calls++ === 0 ? "Delete a?" : "Delete b?")));
    return "deleted";
  });
  expect(error).toEqual(INTERNAL);
  expect(got).toEqual([]);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatch(/elicitation\/create \(ask-1\) was sent before.*once\(\)/);
});

test("a response of another kind never counts (T2)", async () => {
  let calls = 0;
  const { error } = await outcome(async (_context, ask) => {
    if (calls++ === 0) await ask("elicitation/create", form("Who?"));
    else await ask("roots/list", form("Who?"));
    return "done";
  });
  expect(error).toEqual(INTERNAL);
});

test("another input request with the same name is rejected at once (T2)", async () => {
  let calls = 0;
  const { error, reports } = await outcome(async (_context, ask) => {
    await ask("elicitation/create", form(`Delete ${calls++}?`), { key: "sure" });
    return "deleted";
  });
  expect(error).toEqual(INTERNAL);
  expect(reports[0]).toMatch(/elicitation\/create \(sure\) was sent with other parameters/);
});

test("a handler that omits an earlier input request has no result (T2)", async () => {
  let calls = 0;
  const { error, reports } = await outcome(async (_context, ask) => {
    if (calls++ === 0) await ask("elicitation/create", form("Who?"));
    return "done";
  });
  expect(error).toEqual(INTERNAL);
  expect(reports[0]).toMatch(/not when the handler ran again/);
});

test("a handler that catches everything has no result (T2)", async () => {
  let calls = 0;
  const { error } = await outcome(async (_context, ask) => {
    try {
      await ask("elicitation/create", form(`Delete ${calls++}?`), { key: "sure" });
    } catch {
      return "caught";
    }
    return "done";
  });
  expect(error).toEqual(INTERNAL);
});

test("other errors of a handler are thrown unchanged (T2)", async () => {
  let calls = 0;
  const { error, reports } = await outcome(async (_context, ask) => {
    if (calls++ > 0) throw new Error("no database");
    await ask("elicitation/create", form("Who?"));
    return "done";
  });
  expect(error).toEqual(INTERNAL);
  expect(reports[0]).toMatch(/no database/);
});

test("changing values inside once() are safe (T2)", async () => {
  let calls = 0;
  const { result } = await outcome(async ({ once }, ask) => {
    const number = await once("number", () => calls++);
    const { content } = await ask("elicitation/create", form(`Delete ${number}?`));
    return `${number} ${content.name}`;
  });
  expect(result).toMatchObject({ content: [{ text: "0 Ada" }] });
});

test("an input request with a name may change before its response (T2)", async () => {
  let calls = 0;
  const { client, errors } = await serve({
    patient: async (_context, ask) => {
      const params = form(`Round ${calls++}?`);
      return (await ask("elicitation/create", params, { key: "round" })).content.name;
    },
  });
  const first = await client.tool("patient");
  const { requestState } = first.result;
  const second = await client.tool("patient", { requestState, inputResponses: {} });
  expect(second.result.inputRequests.round.params.message).toBe("Round 1?");
  expect(errors).toEqual([]);
});
