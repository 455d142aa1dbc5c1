import { describe, expect, it } from "vitest";
import { CheckedTools, type CheckedToolsOptions } from "../../runtime/features/index.js";
import { InvalidMessageError, RpcError } from "../../runtime/wire/errors.js";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { connected, type Connected, handshakes } from "./support/revisions.js";

const schemas = jsonSchemas({ trust: "foreign" });
const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
const text = [{ type: "text", text: "" }];
const structured = handshakes.filter(([id]) => id >= "2025-06-18");

interface Listed {
  readonly name: string;
  readonly outputSchema?: object;
}

/** Connects to a server that sends whatever it likes, because nothing on its side checks schemas. */
async function serverOf(
  revision: (typeof handshakes)[number][1],
  listed: () => { tools: readonly Listed[]; nextCursor?: string },
  result: () => object,
): Promise<Connected & { checked: (options?: Partial<CheckedToolsOptions>) => Checked }> {
  const handlers = {
    "tools/list": () => {
      const { tools, ...rest } = listed();
      return {
        ...rest,
        tools: tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool })),
      };
    },
    "tools/call": result,
  };
  const open = await connected(revision, { handlers });
  const client = open.client as unknown as ConstructorParameters<typeof Checked>[0];
  return { ...open, checked: (options) => new Checked(client, { schemas, ...options }) };
}

class Checked extends CheckedTools<{ name: string }, object> {}

describe.each(structured)("a client that checks at %s (TOOL-19)", (_, revision) => {
  const tool = { name: "sum", outputSchema: sum };

  it("accepts a result that matches the schema", async () => {
    const good = { content: text, structuredContent: { sum: 3 } };
    const { checked, traffic } = await serverOf(
      revision,
      () => ({ tools: [tool] }),
      () => good,
    );
    const tools = checked();
    expect(await tools.call({ name: "sum" })).toEqual(good);
    expect(await tools.call({ name: "sum" })).toEqual(good);
    const lists = traffic.sent.filter(({ message }) => message.method === "tools/list");
    expect(lists).toHaveLength(1);
  });

  it.each([
    ["wrong", { content: text, structuredContent: { sum: "3" } }],
    ["missing", { content: text }],
  ])("rejects a result that is %s", async (_what, bad) => {
    const { checked } = await serverOf(
      revision,
      () => ({ tools: [tool] }),
      () => bad,
    );
    await expect(checked().call({ name: "sum" })).rejects.toThrow(InvalidMessageError);
    await expect(checked().call({ name: "sum" })).rejects.toThrow(/the tool "sum"|"sum"/);
  });

  it.each([
    ["error results", "sum", { content: text, isError: true }],
    ["tools without an outputSchema", "free", { content: text, structuredContent: { a: 1 } }],
    ["tools that are not listed", "hidden", { content: text }],
  ])("does not check %s (S06)", async (_what, name, result) => {
    const tools = [tool, { name: "free" }];
    const { checked } = await serverOf(
      revision,
      () => ({ tools }),
      () => result,
    );
    expect(await checked().call({ name })).toEqual(result);
  });

  it.each([
    ["a pattern with back references", { pattern: "^(a+)\\1$" }],
    ["an external reference", { $ref: "http://127.0.0.1:9/schema" }],
    ["an unknown dialect", { $schema: "urn:x" }],
  ])(
    "rejects with %s unless an option allows it (S01, S02, SCH-07, SCH-04)",
    async (_what, more) => {
      const outputSchema = { ...sum, ...more };
      const listed = () => ({ tools: [{ name: "sum", outputSchema }] });
      const result = { content: text, structuredContent: { sum: 3 } };
      const { checked } = await serverOf(revision, listed, () => result);
      await expect(checked().call({ name: "sum" })).rejects.toThrow(/cannot be checked/);
      expect(await checked({ unusable: "pass" }).call({ name: "sum" })).toEqual(result);
    },
  );

  it("reads the schemas again after they were invalidated", async () => {
    let outputSchema: object = sum;
    const listed = () => ({ tools: [{ name: "sum", outputSchema }] });
    const result = { content: text, structuredContent: { total: 3 } };
    const { checked } = await serverOf(revision, listed, () => result);
    const tools = checked();
    await expect(tools.call({ name: "sum" })).rejects.toThrow(InvalidMessageError);
    outputSchema = { type: "object", required: ["total"] };
    tools.forget();
    expect(await tools.call({ name: "sum" })).toEqual(result);
  });

  it("requests the list again after a failed attempt", async () => {
    let fails = true;
    const listed = () => {
      if (fails) throw new RpcError(-1, "Not now");
      return { tools: [tool] };
    };
    const result = { content: text, structuredContent: { sum: 3 } };
    const { checked } = await serverOf(revision, listed, () => result);
    const tools = checked();
    await expect(tools.call({ name: "sum" })).rejects.toThrow("Not now");
    fails = false;
    expect(await tools.call({ name: "sum" })).toEqual(result);
  });

  it("does not follow a repeated cursor (PAGE-07)", async () => {
    const page = { tools: [tool], nextCursor: "again" };
    const { checked } = await serverOf(
      revision,
      () => page,
      () => ({ content: text }),
    );
    await expect(checked().call({ name: "sum" })).rejects.toThrow(/same cursor twice/);
  });

  it("follows an empty cursor (PAGE-04)", async () => {
    let page = 0;
    const listed = () => (page++ === 0 ? { tools: [], nextCursor: "" } : { tools: [tool] });
    const { checked } = await serverOf(revision, listed, () => ({ content: text }));
    await expect(checked().call({ name: "sum" })).rejects.toThrow(InvalidMessageError);
    expect(page).toBe(2);
  });
});
