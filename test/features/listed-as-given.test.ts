import { afterEach, describe, expect, it } from "vitest";
import { Prompts, Resources, Tools } from "../../runtime/features/index.js";
import { connected, type Connected, handshakes } from "./support/revisions.js";

let pair: Connected | undefined;

afterEach(async () => {
  expect(pair?.traffic.problems ?? []).toEqual([]);
  await pair?.client.close();
  pair = undefined;
});

const icons = [{ src: "https://example.org/a.png", sizes: ["48x48"], theme: "dark" }];
const meta = { "io.modelcontextprotocol/anything": 1, "com.example/own": [null] };
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" };
const common = { title: "Title", description: "Text", icons, _meta: meta };

describe.each(handshakes)("definitions under %s", (_id, pinned) => {
  it("arrive unchanged (ICON-01, RES-18, META-02, BASE-16)", async () => {
    const tool = { name: "t", inputSchema: { type: "object" }, ...common };
    const prompt = { name: "p", arguments: [{ name: "a", required: true }], ...common };
    const resource = { uri: "test://r", name: "r", size: 3, annotations, ...common };
    const template = { uriTemplate: "test://{x}", name: "x", annotations, ...common };
    const [tools, prompts, resources] = [new Tools(), new Prompts(), new Resources()];
    tools.add(tool, () => ({ content: [] }));
    prompts.add(prompt, () => ({ messages: [] }));
    resources.add(resource, () => undefined);
    resources.addTemplate(template, () => undefined);
    pair = await connected(pinned, { features: [tools, prompts, resources] });
    const { client } = pair;
    expect(await client.request("tools/list")).toEqual({ tools: [tool] });
    expect(await client.request("prompts/list")).toEqual({ prompts: [prompt] });
    expect(await client.request("resources/list")).toEqual({ resources: [resource] });
    expect(await client.request("resources/templates/list")).toEqual({
      resourceTemplates: [template],
    });
  });

  it("have contents that arrive unchanged (META-02, RES-18, TOOL-12)", async () => {
    const content = [
      { type: "text", text: "a", annotations, _meta: meta },
      { type: "image", data: "AAAA", mimeType: "image/png", annotations },
      { type: "resource", resource: { uri: "test://r", blob: "AAAA", _meta: meta }, annotations },
    ];
    const tools = new Tools();
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content, _meta: meta }));
    pair = await connected(pinned, { features: [tools] });
    const result = await pair.client.request("tools/call", { name: "t" });
    expect(result).toEqual({ content, _meta: meta });
  });
});
