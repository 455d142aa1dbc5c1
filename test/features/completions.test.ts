import { afterEach, describe, expect, it } from "vitest";
import {
  type Completers,
  type CompletionCall,
  Completions,
  Prompts,
  Resources,
} from "../../runtime/features/index.js";
import { connected, type Connected, handshakes } from "./support/revisions.js";

const prompt = (name: string) => ({ type: "ref/prompt", name });
const resource = (uri: string) => ({ type: "ref/resource", uri });

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

/** Creates features that have prompts with completers for their arguments. */
function prompting(byName: Readonly<Record<string, Completers>>): [Prompts, Completions] {
  const completions = new Completions();
  const prompts = new Prompts({ completions });
  for (const [name, complete] of Object.entries(byName)) {
    const definition = { name, arguments: Object.keys(complete).map((one) => ({ name: one })) };
    prompts.add(definition, () => ({ messages: [] }), { complete });
  }
  return [prompts, completions];
}

const complete = async (ref: object, name: string, value = "", context?: object) => {
  const params = { ref, argument: { name, value }, ...(context ? { context } : {}) };
  return (await pair!.client.request("completion/complete", params)).completion;
};

describe.each(handshakes)("completion under %s", (_id, pinned) => {
  const hasContext = pinned.revision.methods.get("completion/complete")!.params!({
    ref: prompt("a"),
    argument: { name: "a", value: "" },
    context: 7,
  });

  it("completes values for prompts and templates (COMP-01, COMP-02)", async () => {
    const all = ["Ada", "Alan", "Barbara"];
    const [prompts, completions] = prompting({
      greet: { name: (value) => all.filter((one) => one.startsWith(value)) },
    });
    const resources = new Resources({ completions });
    const template = { uriTemplate: "test://{id}/{part}", name: "parts" };
    resources.addTemplate(template, () => undefined, {
      complete: { id: async () => ["1", "2"], part: undefined },
    });
    pair = await connected(pinned, { features: [prompts, resources, completions] });
    const { capabilities } = pair.client.server!;
    const declares = pinned.revision.methods.get("completion/complete")!.declares;
    expect(capabilities).toMatchObject(declares ?? {});
    expect(await complete(prompt("greet"), "name", "A")).toEqual({
      values: ["Ada", "Alan"],
      total: 2,
      hasMore: false,
    });
    expect((await complete(resource("test://{id}/{part}"), "id")).values).toEqual(["1", "2"]);
    expect((await complete(resource("test://7/x"), "id")).values).toEqual(["1", "2"]);
    expect((await complete(resource("test://7/x"), "part")).values).toEqual([]);
  });

  it("sends at most 100 values, and states that there are more (COMP-03)", async () => {
    const many = Array.from({ length: 250 }, (_, index) => `${index}`);
    const features = prompting({
      many: {
        all: () => many,
        part: () => ({ values: many.slice(0, 3), total: 250, hasMore: true }),
        unknownTotal: () => ({ values: many }),
        hundred: () => many.slice(0, 100),
      },
    });
    pair = await connected(pinned, { features });
    const values = many.slice(0, 100);
    expect(await complete(prompt("many"), "all")).toEqual({ values, total: 250, hasMore: true });
    expect(await complete(prompt("many"), "unknownTotal")).toEqual({ values, hasMore: true });
    expect(await complete(prompt("many"), "hundred")).toEqual({
      values,
      total: 100,
      hasMore: false,
    });
    expect(await complete(prompt("many"), "part")).toEqual({
      values: ["0", "1", "2"],
      total: 250,
      hasMore: true,
    });
  });

  it("refuses unknown prompts, resources and arguments, whatever their names (COMP-04, I13)", async () => {
    const [prompts, completions] = prompting({
      greet: { name: () => [] },
      constructor: { toString: () => ["x"] },
    });
    const resources = new Resources({ completions });
    const template = { uriTemplate: "test://{id}", name: "one" };
    resources.addTemplate(template, () => undefined, { complete: { id: () => [] } });
    pair = await connected(pinned, { features: [prompts, resources, completions] });
    const refused = { code: -32602 };
    await expect(complete(prompt("other"), "name")).rejects.toMatchObject(refused);
    await expect(complete(prompt("__proto__"), "name")).rejects.toMatchObject(refused);
    await expect(complete(prompt("greet"), "constructor")).rejects.toMatchObject(refused);
    await expect(complete(resource("other://1"), "id")).rejects.toMatchObject(refused);
    await expect(complete(resource("test://1"), "other")).rejects.toMatchObject(refused);
    expect((await complete(prompt("constructor"), "toString")).values).toEqual(["x"]);
  });

  it("passes on earlier arguments if the revision has them (COMP-02)", async () => {
    let seen: CompletionCall<unknown> | undefined;
    const keep = (_value: string, call: CompletionCall<unknown>): string[] => {
      seen = call;
      return [];
    };
    pair = await connected(pinned, { features: prompting({ greet: { name: keep } }) });
    await complete(prompt("greet"), "name");
    expect(seen!.arguments).toBeUndefined();
    if (hasContext) return;
    await complete(prompt("greet"), "name", "", { arguments: { language: "fr" } });
    expect(seen!.arguments).toEqual({ language: "fr" });
  });

  it("completes the variables of a template if Resources has it (RES-20)", async () => {
    const completions = new Completions();
    const resources = new Resources({ completions });
    const family = resources.addTemplate(
      { uriTemplate: "test://{id}{?x}", name: "family" },
      () => undefined,
      { complete: { id: () => ["1"] } },
    );
    pair = await connected(pinned, { features: [completions, resources] });
    expect((await complete(resource("test://{id}{?x}"), "id")).values).toEqual(["1"]);
    expect((await complete(resource("test://7"), "x")).values).toEqual([]);
    await expect(complete(resource("test://7"), "y")).rejects.toMatchObject({ code: -32602 });
    family.disable();
    await expect(complete(resource("test://7"), "id")).rejects.toMatchObject({ code: -32602 });
  });

  it("uses the first source that knows a reference, until it is removed", async () => {
    const completions = new Completions();
    const [first, second] = ["first", "second"].map((value) =>
      completions.source((reference) =>
        reference.type === "ref/prompt" && reference.name === "greet"
          ? { name: () => [value] }
          : undefined,
      ),
    );
    pair = await connected(pinned, { features: [completions] });
    const declares = pinned.revision.methods.get("completion/complete")!.declares;
    expect(pair.client.server!.capabilities).toEqual(declares ?? {});
    expect((await complete(prompt("greet"), "name")).values).toEqual(["first"]);
    first!.remove();
    first!.remove();
    expect((await complete(prompt("greet"), "name")).values).toEqual(["second"]);
    second!.remove();
    await expect(complete(prompt("greet"), "name")).rejects.toMatchObject({ code: -32602 });
  });
});
