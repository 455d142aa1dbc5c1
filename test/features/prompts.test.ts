import { afterEach, describe, expect, it } from "vitest";
import { Prompts } from "../../runtime/features/index.js";
import { RpcError } from "../../runtime/wire/errors.js";
import { connected, type Connected, handshakes, settled } from "./support/revisions.js";
import { failure } from "./support/tools.js";

const says = (text: string) => ({ messages: [{ role: "user", content: { type: "text", text } }] });
const review = {
  name: "review",
  arguments: [
    { name: "code", required: true },
    { name: "style" },
    { name: "tone", required: false },
  ],
};

describe.each(handshakes)("prompts at %s", (_, revision) => {
  let open: Connected | undefined;

  async function serve(prompts: Prompts): Promise<Connected> {
    open = await connected(revision, { features: [prompts] });
    return open;
  }

  afterEach(async () => {
    expect(open?.traffic.problems).toEqual([]);
    await open?.client.close();
    open = undefined;
  });

  const get = (name: string, args?: unknown) =>
    open!.client.request("prompts/get", args === undefined ? { name } : { name, arguments: args });

  it("are declared, listed and rendered (PRM-01, PRM-02, PRM-03)", async () => {
    const prompts = new Prompts();
    const seen: unknown[] = [];
    prompts.add(review, async ({ code, style }, context, params) => {
      seen.push(context.session.revision.id, params.name);
      return says(`${code} ${style}`);
    });
    const { client } = await serve(prompts);
    expect(client.server?.capabilities).toMatchObject({ prompts: { listChanged: true } });
    expect(await client.request("prompts/list")).toEqual({ prompts: [review] });
    expect(await get("review", { code: "x = 1" })).toEqual(says("x = 1 undefined"));
    expect(await get("review", { code: "", style: "loose" })).toEqual(says(" loose"));
    expect(seen.slice(0, 2)).toEqual([revision.revision.id, "review"]);
  });

  it.each([[undefined], [{}], [{ style: "loose" }]])(
    "refuse arguments %j without a required one with -32602 (PRM-05)",
    async (args) => {
      const prompts = new Prompts();
      prompts.add(review, () => says("never"));
      await serve(prompts);
      const error = await failure(get("review", args));
      expect(error.code).toBe(-32602);
      expect(error.message).toContain('"review" needs the argument "code"');
    },
  );

  it("accept no inherited name as an argument (SEC-23)", async () => {
    const prompts = new Prompts();
    const names = ["toString", "__proto__"];
    prompts.add(
      { name: "odd", arguments: names.map((name) => ({ name, required: true })) },
      (args) => says(names.map((name) => args[name]).join()),
    );
    await serve(prompts);
    expect((await failure(get("odd"))).code).toBe(-32602);
    const given = JSON.parse('{"toString":"a","__proto__":"b"}') as object;
    expect(await get("odd", given)).toEqual(says("a,b"));
  });

  it.each(["nothing", "constructor", "__proto__", "toString"])(
    "refuse the unknown prompt %s with -32602 until it is added (PRM-05, I13)",
    async (name) => {
      const prompts = new Prompts();
      await serve(prompts);
      const error = await failure(get(name));
      expect(error).toMatchObject({ code: -32602 });
      expect(error.message).toContain(`unknown prompt "${name}"`);
      prompts.add({ name }, () => says("here"));
      expect(await get(name)).toEqual(says("here"));
    },
  );

  it.each([["a string"], [[1]], [null], [{ code: 1 }]])(
    "refuse arguments %j with -32602 (I14)",
    async (args) => {
      const prompts = new Prompts();
      prompts.add(review, () => says(""));
      const { traffic } = await serve(prompts);
      expect((await failure(get("review", args))).code).toBe(-32602);
      expect(traffic.problems).toHaveLength(1);
      traffic.problems.length = 0;
      expect(await get("review", { code: "" })).toEqual(says(""));
    },
  );

  it("answer with -32603 without details if they throw (PRM-05, I15)", async () => {
    const prompts = new Prompts();
    prompts.add({ name: "bad" }, () => {
      throw new Error("secret");
    });
    prompts.add({ name: "wrong" }, () => ({ messages: "none" }));
    prompts.add({ name: "refuses" }, () => Promise.reject(new RpcError(-7, "Not today")));
    const { errors } = await serve(prompts);
    expect(await failure(get("bad"))).toMatchObject({ code: -32603, message: "Internal error" });
    expect(await failure(get("wrong"))).toMatchObject({ code: -32603, message: "Internal error" });
    expect(await failure(get("refuses"))).toMatchObject({ code: -7, message: "Not today" });
    expect(errors).toHaveLength(2);
    expect(errors[0]?.message).toContain("secret");
  });

  it("send one change notification per turn (PRM-04)", async () => {
    const prompts = new Prompts();
    const { client, traffic } = await serve(prompts);
    const changes = () => traffic.notified("notifications/prompts/list_changed").length;
    const one = prompts.add({ name: "one" }, () => says("1"));
    prompts.add({ name: "two" }, () => says("2"));
    await settled();
    expect(changes()).toBe(1);
    one.update({ name: "uno", arguments: [] }, () => says("uno"));
    await settled();
    expect(changes()).toBe(2);
    expect(await get("uno")).toEqual(says("uno"));
    one.disable();
    await settled();
    expect(changes()).toBe(3);
    expect(await client.request("prompts/list")).toEqual({ prompts: [{ name: "two" }] });
    expect((await failure(get("uno"))).code).toBe(-32602);
  });

  it("are listed page by page (PAGE-01, PAGE-06)", async () => {
    const prompts = new Prompts({ pageSize: 1 });
    for (const name of ["a", "b"]) prompts.add({ name }, () => says(name));
    const { client } = await serve(prompts);
    const { nextCursor, ...first } = await client.request("prompts/list");
    expect(first).toEqual({ prompts: [{ name: "a" }] });
    const second = await client.request("prompts/list", { cursor: nextCursor });
    expect(second).toEqual({ prompts: [{ name: "b" }] });
    const forged = client.request("prompts/list", { cursor: `${nextCursor}x` });
    expect((await failure(forged)).code).toBe(-32602);
  });
});

it("a second prompt of the same name is a TypeError", () => {
  const prompts = new Prompts();
  prompts.add({ name: "a" }, () => says(""));
  expect(() => prompts.add({ name: "a" }, () => says(""))).toThrow(/already a prompt "a"/);
});
