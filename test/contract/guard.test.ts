import {
  ContractDriftError,
  contractGuard,
  type DriftChange,
  type ServerContract as Contract,
} from "@mcp-codegen/contract";
import {
  connect,
  connectInMemory,
  type ConnectOptions,
  type McpClient,
  McpServer,
  ResourceTemplate,
  revisions,
} from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";

interface Entry {
  update(changes: { readonly description: string }): void;
}

function shop(): {
  server: McpServer;
  buy: ReturnType<McpServer["registerTool"]>;
  entries: Record<"tools" | "prompts" | "resources" | "resourceTemplates", Entry>;
  calls: string[];
} {
  const calls: string[] = [];
  const server = new McpServer({ name: "shop", version: "1" }, { instructions: "Be frugal" });
  const answer = (name: string) => (): string => `${calls.push(name)}`;
  const buy = server.registerTool("buy", { description: "Buys" }, () => void calls.push("buy"));
  const complete = { id: () => [answer("complete")()] };
  const template = new ResourceTemplate("shop://items/{id}", { complete });
  const entries = {
    tools: buy as Entry,
    prompts: server.registerPrompt("advice", { description: "Advises" }, answer("advice")),
    resources: server.registerResource("stock", "shop://stock", { size: 3 }, answer("stock")),
    resourceTemplates: server.registerResource("item", template, {}, answer("item")),
  };
  return { server, buy: buy as never, entries, calls };
}

async function all(
  items: AsyncIterable<object>,
): Promise<{ definition: Record<string, unknown> }[]> {
  const found = [];
  for await (const definition of items)
    found.push({ definition: definition as Record<string, unknown> });
  return found;
}

async function contractOf(client: McpClient): Promise<Contract> {
  return {
    instructions: "Be frugal",
    tools: await all(client.tools()),
    prompts: await all(client.prompts()),
    resources: await all(client.resources()),
    resourceTemplates: await all(client.resourceTemplates()),
  };
}

const ids = revisions.map((revision) => [revision.id, revision] as const);

it("rejects an unknown class", () => {
  expect(() => contractGuard({} as never, { failOn: "bad" as never })).toThrow(/failOn/);
});

describe.each(ids)("a contract at %s", (_, revision) => {
  const open = async (
    server: McpServer,
    options: Partial<ConnectOptions> = {},
  ): Promise<McpClient> =>
    connect(await connectInMemory(server), { revisions: [revision], ...options });
  const locked = async (): Promise<Contract> => {
    const { server } = shop();
    const client = await open(server);
    const contract = await contractOf(client);
    await client.close();
    return contract;
  };

  it("accepts a server that keeps it, even if the size of its resources has changed", async () => {
    const contract = await locked();
    const { server, calls } = shop();
    const client = await open(server, { plugins: [contractGuard(contract)] });
    await client.callTool("buy");
    expect(calls).toEqual(["buy"]);
    await client.close();
  });

  it("rejects a server that violates it, before any call", async () => {
    const contract = await locked();
    const { server, buy, calls } = shop();
    buy.update({ description: "Buys, and sends your address along" });
    server.registerTool("steal", {}, () => "!");
    await expect(open(server, { plugins: [contractGuard(contract)] })).rejects.toMatchObject({
      name: "ContractDriftError",
      message:
        'The server no longer matches its contract: tools "buy" changed (prose); tools "steal" added',
      changes: [
        { list: "tools", name: "buy", change: "changed", class: "prose", parts: ["prose"] },
        { list: "tools", name: "steal", change: "added", class: "additive" },
      ],
    });
    expect(calls).toEqual([]);
  });

  it("accepts an additive change, unless failOn is any", async () => {
    const contract = await locked();
    const { server, calls } = shop();
    server.registerTool("sell", {}, () => "!");
    const client = await open(server, { plugins: [contractGuard(contract)] });
    await client.callTool("buy");
    expect(calls).toEqual(["buy"]);
    await client.close();
    const strict = contractGuard(contract, { failOn: "any" });
    await expect(open(server, { plugins: [strict] })).rejects.toMatchObject({
      changes: [{ list: "tools", name: "sell", change: "added", class: "additive" }],
    });
  });

  it("accepts other texts, but no dangerous change, if failOn is dangerous", async () => {
    const contract = await locked();
    const { server, buy } = shop();
    const plugins = [contractGuard(contract, { failOn: "dangerous" })];
    buy.update({ description: "Buys more" });
    await (await open(server, { plugins })).close();
    buy.update({ description: "Buys\u{e0041}" });
    await expect(open(server, { plugins })).rejects.toMatchObject({
      changes: [{ name: "buy", class: "dangerous" }],
    });
  });

  it("does not compare lists and members that the contract omits", async () => {
    const contract = await locked();
    const { server, buy, entries } = shop();
    buy.update({ description: "Buys more" });
    entries.prompts.update({ description: "Advises well" });
    const scope = { only: ["tools"], ignore: ["/description"] } as const;
    const client = await open(server, { plugins: [contractGuard({ ...contract, scope })] });
    await client.close();
  });

  it("reports removed definitions, other instructions, prompts, resources and templates", async () => {
    const contract = await locked();
    const other = new McpServer({ name: "shop", version: "1" }, { instructions: "Be generous" });
    other.registerTool(
      "buy",
      { description: "Buys", annotations: { destructiveHint: false } },
      () => "x",
    );
    const error = await open(other, { plugins: [contractGuard(contract)] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ContractDriftError);
    const changes = (error as ContractDriftError).changes.map(
      ({ list, name, change, parts }) =>
        `${list} ${name} ${change} ${parts.length === 3 ? "" : parts.join()}`,
    );
    const hints = revision.id === "2024-11-05" ? [] : ["tools buy changed safety"];
    expect(changes.map((text) => text.trim())).toEqual([
      "instructions  changed prose",
      ...hints,
      "prompts advice removed",
      "resources shop://stock removed",
      "resourceTemplates shop://items/{id} removed",
    ]);
  });

  it("is checked again after change notifications, and a call waits for that", async () => {
    const contract = await locked();
    const { server, buy, calls } = shop();
    const reported: Error[] = [];
    const client = await open(server, {
      plugins: [contractGuard(contract)],
      onerror: (error) => void reported.push(error),
    });
    await client.callTool("buy");
    const changed = new Promise<void>((resolve) => client.on("toolsChanged", resolve));
    buy.update({ description: "Buys everything" });
    await changed;
    await expect(client.callTool("buy")).rejects.toBeInstanceOf(ContractDriftError);
    expect(calls).toEqual(["buy"]);
    expect(reported).toMatchObject([{ name: "ContractDriftError" }]);
    const again = new Promise<void>((resolve) => client.on("toolsChanged", resolve));
    buy.update({ description: "Buys" });
    await again;
    await client.callTool("buy");
    expect(calls).toEqual(["buy", "buy"]);
    await client.close();
  });

  it.each(["tools", "prompts", "resources", "resourceTemplates"] as const)(
    "sends no request after change notifications whose %s differ",
    async (part) => {
      const contract = await locked();
      const { server, entries, calls } = shop();
      const client = await open(server, { plugins: [contractGuard(contract)], onerror: () => {} });
      const event = part === "resourceTemplates" ? "resources" : part;
      const changed = new Promise<void>((resolve) =>
        client.on(`${event}Changed` as "toolsChanged", resolve),
      );
      entries[part].update({ description: "Something else" });
      await changed;
      const results = await Promise.allSettled([
        client.callTool("buy"),
        client.getPrompt("advice"),
        client.readResource("shop://stock"),
        client.readResource("shop://items/1"),
        client.request("completion/complete", {
          ref: { type: "ref/resource", uri: "shop://items/{id}" },
          argument: { name: "id", value: "secret" },
        }),
      ]);
      for (const result of results) {
        const changes = [{ list: part, change: "changed", parts: ["prose"] }];
        expect(result).toMatchObject({ status: "rejected", reason: { changes } });
      }
      expect(calls).toEqual([]);
      await client.close();
    },
  );

  it.each([
    ["tools", "buy"],
    ["prompts", "advice"],
    ["resources", "shop://stock"],
    ["resourceTemplates", "shop://items/{id}"],
  ] as const)("hides entries that differ, if it should: %s", async (list, hidden) => {
    const contract = await locked();
    const { server, entries, calls } = shop();
    const reported: Error[] = [];
    const client = await open(server, {
      plugins: [contractGuard(contract, { onDrift: "hide" })],
      onerror: (error) => void reported.push(error),
    });
    const ref = { type: "ref/resource", uri: "shop://items/{id}" } as const;
    const use = {
      tools: async () => client.callTool("buy"),
      prompts: async () => client.getPrompt("advice"),
      resources: async () => client.readResource("shop://stock"),
      resourceTemplates: async () =>
        client.request("completion/complete", { ref, argument: { name: "id", value: "" } }),
    };
    const listed = async () => {
      const items = await all(client[list]());
      return items.map(({ definition }) => Object.values(definition).includes(hidden));
    };
    const others = Object.entries(use).filter(([name]) => name !== list);
    const change = async (description: string) => {
      const event = list === "resourceTemplates" ? "resources" : list;
      const changed = new Promise<void>((resolve) =>
        client.on(`${event}Changed` as "toolsChanged", resolve),
      );
      entries[list].update({ description });
      await changed;
    };
    expect(await listed()).toContain(true);
    await change("Something else");
    expect(await listed()).not.toContain(true);
    await expect(use[list]()).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(/^Unknown .*"$/),
    });
    expect(calls).toEqual([]);
    await Promise.all(others.map(async ([, call]) => call()));
    expect(reported).toMatchObject([{ name: "ContractDriftError", changes: [{ name: hidden }] }]);
    const original = { tools: "Buys", prompts: "Advises", resources: "", resourceTemplates: "" };
    if (original[list] !== "") {
      await change(original[list]);
      expect(await listed()).toContain(true);
      await use[list]();
    }
    await client.close();
  });

  it("warns, or calls onDrift once for each change", async () => {
    const contract = await locked();
    const { server, buy, calls } = shop();
    buy.update({ description: "Buys more" });
    const reported: Error[] = [];
    const warned = await open(server, {
      plugins: [contractGuard(contract, { onDrift: "warn" })],
      onerror: (error) => void reported.push(error),
    });
    await warned.callTool("buy");
    await warned.close();
    expect(reported).toMatchObject([{ name: "ContractDriftError" }]);
    const questions: (readonly DriftChange[])[] = [];
    let answer = true;
    const onDrift = (changes: readonly DriftChange[]): boolean => {
      questions.push(changes);
      return answer;
    };
    const requested = await open(server, { plugins: [contractGuard(contract, { onDrift })] });
    await requested.callTool("buy");
    await requested.callTool("buy");
    expect(questions).toMatchObject([[{ name: "buy", definition: { description: "Buys more" } }]]);
    await requested.close();
    answer = false;
    await expect(
      open(server, { plugins: [contractGuard(contract, { onDrift })] }),
    ).rejects.toBeInstanceOf(ContractDriftError);
    expect(calls).toHaveLength(3);
  });
});
