import { describe, expect, it, onTestFinished } from "vitest";
import { bridge, type Policy } from "@mcp-codegen/bridge";
import { connectInMemory, McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { eventually } from "../support/eventually.js";
import { clientAt, IDS, only } from "./support/stage.js";

async function stage(
  policy: Policy,
  id = "2026-07-28",
  options: Parameters<typeof clientAt>[2] = {},
) {
  const calls: string[] = [];
  const behind = new McpServer({ name: "files", version: "1.0.0" });
  const add = (name: string, annotations: object) =>
    behind.registerTool(name, { annotations }, () => {
      calls.push(name);
      return name;
    });
  const reading = add("read_file", { readOnlyHint: true });
  add("write_file", { destructiveHint: false });
  add("delete_file", {});
  behind.registerPrompt("read_all", {}, () => "Read all");
  behind.registerResource("motd", "notes://motd", {}, () => "Be kind");
  const template = new ResourceTemplate("notes://users/{id}", { complete: { id: () => ["7"] } });
  behind.registerResource("user", template, {}, () => "Ada");
  const decisions: string[] = [];
  const errors: string[] = [];
  const server = await bridge(
    { files: () => connectInMemory(behind) },
    {
      policy,
      ondecision: ({ server: name, name: item }, verdict) =>
        decisions.push(`${name} ${item} ${verdict}`),
      onerror: ({ message }) => errors.push(message),
    },
  );
  onTestFinished(() => server.close());
  const { client, requested } = await clientAt(id, server, options);
  const listed = async () => (await client.listTools()).tools.map(({ name }) => name);
  return { client, requested, calls, decisions, errors, listed, reading };
}

describe("a policy", () => {
  it("allows and denies by name: what is denied does not exist", async () => {
    const rules = { files: { allow: ["read_*", "*_file"], deny: ["delete*"] } };
    const { client, listed, calls, decisions } = await stage(rules);
    expect(await listed()).toEqual(["files_read_file", "files_write_file"]);
    await client.callTool("files_read_file");
    await expect(client.callTool("files_delete_file")).rejects.toThrow(
      'unknown tool "files_delete_file": tools/list returns those that exist',
    );
    const missing = client.callTool("files_read_none");
    await expect(missing).rejects.toThrow(
      'unknown tool "files_read_none": tools/list returns those that exist',
    );
    expect((await client.getPrompt("files_read_all")).messages).toHaveLength(1);
    expect(calls).toEqual(["read_file"]);
    expect(decisions).toEqual([
      "files read_file allow",
      "files delete_file deny",
      "files read_none allow",
      "files read_all allow",
    ]);
  });

  it("permits tools that only read, also before the client has listed them", async () => {
    const { client, listed, calls } = await stage({ "*": { readOnly: true } });
    await client.callTool("files_read_file");
    await expect(client.callTool("files_write_file")).rejects.toMatchObject({ code: -32_602 });
    expect(await listed()).toEqual(["files_read_file"]);
    expect(calls).toEqual(["read_file"]);
  });

  it.each(IDS.filter((id) => id >= "2025-06-18"))("lets the user confirm, at %s", async (id) => {
    const { client, requested, calls } = await stage({ files: { confirm: "destructive" } }, id);
    await client.callTool("files_write_file");
    expect(requested).toEqual([]);
    await client.callTool("files_delete_file");
    expect(requested).toEqual([expect.stringContaining('Call the tool "files_delete_file"?')]);
    expect(calls).toEqual(["write_file", "delete_file"]);
    await expect(client.callTool("files_none")).rejects.toThrow('unknown tool "files_none"');
    expect(requested).toHaveLength(1);
  });

  it("refuses a call that the user declines, and callers without forms", async () => {
    const rules = { files: { confirm: "destructive" } } as const;
    const declining = { onElicit: () => ({ action: "decline" }) as const };
    const first = await stage(rules, "2025-11-25", declining);
    expect(await first.client.callTool("files_delete_file")).toMatchObject({ isError: true });
    const second = await stage(rules, "2025-11-25", { onElicit: undefined });
    const { content, isError } = await second.client.callTool("files_delete_file");
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain("elicitation");
    const third = await stage(rules, "2026-07-28", { onElicit: undefined });
    await expect(third.client.callTool("files_delete_file")).rejects.toMatchObject({
      code: -32_021,
    });
    expect([first, second, third].flatMap(({ calls }) => calls)).toEqual([]);
  });

  it("limits calls in a minute", async () => {
    const { client, calls, decisions } = await stage({ files: { maxCallsPerMinute: 2 } });
    for (let count = 0; count < 3; count += 1) await client.callTool("files_read_file");
    expect(await client.callTool("files_read_file")).toMatchObject({ isError: true });
    expect(calls).toHaveLength(2);
    const allowed = Array.from({ length: 2 }, () => "files read_file allow");
    expect(decisions.slice(0, 2)).toEqual(allowed);
    expect(new Set(decisions.slice(2))).toEqual(new Set(["files read_file deny"]));
  });

  it.each(["files", "*"])("reports names that match nothing, by %s", async (owner) => {
    const rules = { allow: ["*_file", "files_read*"], deny: ["wip", "read_all"] };
    const { errors } = await stage({ [owner]: rules });
    await eventually(() => expect(errors).toHaveLength(2));
    expect(errors).toEqual([
      `The policy for ${owner}: "files_read*" matches no tool or prompt; leave out the prefix files_`,
      `The policy for ${owner}: "wip" matches no tool or prompt`,
    ]);
  });

  it("can be a function, whose lists are private", async () => {
    const { client, listed } = await stage(({ name }) => (name === "read_file" ? "allow" : "deny"));
    expect(await listed()).toEqual(["files_read_file"]);
    expect(await client.request("tools/list", {})).toMatchObject({ cacheScope: "private" });
  });

  it.each<[string, () => unknown, string]>([
    ["returns another word", () => "block", 'it returned "block"'],
    ["returns nothing", () => undefined, "it returned undefined"],
    ["returns a promise of another word", async () => "block", 'it returned "block"'],
    ["throws", () => Promise.reject(new Error("no database")), "no database"],
  ])("that %s denies, and is reported", async (_, decide, problem) => {
    const { client, calls, decisions, errors, listed } = await stage(decide as Policy);
    expect(await listed()).toEqual([]);
    await expect(client.callTool("files_read_file")).rejects.toThrow("unknown tool");
    await expect(client.readResource("notes://motd")).rejects.toMatchObject({ code: -32_602 });
    expect(calls).toEqual([]);
    expect(decisions).toContain("files read_file deny");
    const text = `The policy failed, so the tool "read_file" is denied: ${problem}`;
    expect(errors.filter((one) => one === text)).toHaveLength(1);
  });

  it("may need time to decide", async () => {
    const { client, calls, listed } = await stage(async ({ name }) =>
      name === "read_file" ? "allow" : "deny",
    );
    expect(await listed()).toEqual(["files_read_file"]);
    await client.callTool("files_read_file");
    await expect(client.callTool("files_write_file")).rejects.toThrow("unknown tool");
    expect(calls).toEqual(["read_file"]);
  });

  it.each(["2025-11-25", "2026-07-28"])("decides about resources, at %s", async (id) => {
    const { client } = await stage(
      ({ kind }) => (kind.startsWith("resource") ? "deny" : "allow"),
      id,
    );
    await expect(client.readResource("notes://motd")).rejects.toMatchObject({ code: -32_602 });
    const ref = { type: "ref/resource", uri: "notes://users/{id}" } as const;
    const completed = client.complete({ ref, argument: { name: "id", value: "" } });
    await expect(completed).rejects.toMatchObject({ code: -32_602 });
    if (id === "2025-11-25")
      await expect(client.subscribe("notes://motd", () => {})).rejects.toMatchObject({
        code: -32_602,
      });
  });

  it.each(["2025-11-25", "2026-07-28"])("may let the user confirm a read, at %s", async (id) => {
    let action: "accept" | "decline" = "accept";
    const asked: string[] = [];
    const { client } = await stage(() => "confirm", id, {
      onElicit: ({ message }) => {
        asked.push(message);
        return { action };
      },
    });
    const read = () => client.readResource("notes://motd");
    expect((await read()).contents).toMatchObject([{ text: "Be kind" }]);
    action = "decline";
    await expect(read()).rejects.toThrow("The user did not confirm");
    expect(asked).toEqual(Array(2).fill('Use the resource "notes://motd"?'));
    const ref = { type: "ref/resource", uri: "notes://users/{id}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "id", value: "" } });
    expect(completion.values).toEqual([]);
  });

  it.each(["2025-11-25", "2026-07-28"])("follows hints that change, at %s", async (up) => {
    const rules = { files: { readOnly: true } };
    const { client, calls, decisions, listed, reading } = await stage(rules, up);
    expect(await listed()).toEqual(["files_read_file"]);
    await client.callTool("files_read_file");
    let changed = false;
    await client.on("toolsChanged", () => (changed = true)).ready;
    reading.update({ annotations: {} });
    await eventually(() => expect(changed).toBe(true));
    await expect(client.callTool("files_read_file")).rejects.toThrow("unknown tool");
    expect(calls).toEqual(["read_file"]);
    expect(decisions).toEqual(["files read_file allow", "files read_file deny"]);
  });

  it.each(IDS.flatMap((id) => [true, false].map((isReading) => [id, isReading] as const)))(
    "believes the conversation that serves a call, at %s: that only reads: %s",
    async (id, isReading) => {
      const calls: string[] = [];
      let connections = 0;
      const open = () => {
        const behind = new McpServer(
          { name: "files", version: "1.0.0" },
          { revisions: only("2025-11-25") },
        );
        // Only the second process serves calls.
        const readOnlyHint = connections++ === 0 ? !isReading : isReading;
        for (const name of ["read", "drop"])
          behind.registerTool(name, { annotations: { readOnlyHint } }, () => {
            calls.push(name);
            return name;
          });
        return connectInMemory(behind);
      };
      const policy = { "*": { readOnly: true, deny: ["drop"] } };
      const server = await bridge(open, { policy, onerror: () => {} });
      onTestFinished(() => server.close());
      const { client } = await clientAt(id, server);
      const call = client.callTool("read");
      if (isReading) await call;
      else await expect(call).rejects.toThrow("unknown tool");
      await expect(client.callTool("drop")).rejects.toThrow("unknown tool");
      expect([connections, calls]).toEqual([2, isReading ? ["read"] : []]);
    },
  );

  it("lists tools once for many calls, also of names that do not exist", async () => {
    let lists = 0;
    const behind = new McpServer(
      { name: "files", version: "1.0.0" },
      {
        middleware: [
          ({ method }, next) => {
            if (method === "tools/list") lists += 1;
            return next();
          },
        ],
      },
    );
    behind.registerTool("look", { annotations: { readOnlyHint: true } }, () => "seen");
    const policy = { "*": { readOnly: true } };
    const server = await bridge(() => connectInMemory(behind), { policy });
    onTestFinished(() => server.close());
    const { client } = await clientAt("2026-07-28", server);
    for (const name of ["none", "none", "constructor", "look", "look"])
      await client.callTool(name).catch(() => {});
    expect(lists).toBe(1);
  });

  it.each(["constructor", "__proto__"])("is that of * for a server named %s", async (name) => {
    const behind = new McpServer({ name, version: "1.0.0" });
    behind.registerTool("delete", {}, () => "deleted");
    const servers = Object.fromEntries([[name, () => connectInMemory(behind)]]);
    const server = await bridge(servers, { policy: { "*": { readOnly: true } } });
    onTestFinished(() => server.close());
    const { client } = await clientAt("2026-07-28", server);
    expect((await client.listTools()).tools).toEqual([]);
    await expect(client.callTool(`${name}_delete`)).rejects.toThrow("unknown tool");
  });

  it.each([
    [{ file: {} }, 'names a server "file": use *, files'],
    [{ files: { alow: ["x"] } }, '"alow" is not a rule'],
    [{ files: { allow: "x" } }, '"allow" must be a list of names'],
    [{ files: { maxCallsPerMinute: 0 } }, '"maxCallsPerMinute" must be a whole number above 0'],
    [{ files: true }, "is not a rule"],
    ["files", "A policy is an object"],
  ])("with a typing error is refused: %j", async (policy, problem) => {
    await expect(stage(policy as never)).rejects.toThrow(problem);
  });

  it("compares long names with many stars in no time", async () => {
    const { listed } = await stage({ files: { deny: [`${"*a".repeat(200)}b`] } });
    expect(await listed()).toHaveLength(3);
  });
});
