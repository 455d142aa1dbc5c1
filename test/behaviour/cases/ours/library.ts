import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { until } from "../../support/until.js";

const uris = [1, 2, 3, 4, 5, 6, 7].map((index) => `note://${index}`);

/** Resources, templates, subscriptions, prompts, completion and pages. */
export const libraryCases: readonly Case<OursScene>[] = [
  {
    name: "resources are listed in pages, completely and in order (RES-02, PAGE-01, PAGE-05)",
    run: async ({ client }) => {
      const first = await client.listResources();
      expect(first.resources).toHaveLength(3);
      expect(first.nextCursor).toBeTypeOf("string");
      const all = await listed(client.allResources());
      expect(all.map(({ uri }) => uri)).toEqual([...uris, "blob://1"]);
    },
  },
  {
    name: "prompts and templates have iterators too (PAGE-01)",
    run: async ({ client }) => {
      const prompts = await listed(client.allPrompts());
      expect(prompts.map(({ name }) => name)).toEqual(["greet", "b", "c", "d", "e"]);
      const templates = await listed(client.allResourceTemplates());
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(["item://{shelf}/{id}"]);
    },
  },
  {
    name: "invalid, changed and foreign cursors are refused (PAGE-06, S08)",
    run: async ({ client }) => {
      const { nextCursor } = await client.listResources();
      const bad = ["made up", "", `${nextCursor}A`, nextCursor!.slice(2), "A".repeat(10_000)];
      for (const cursor of bad) {
        await expect(client.listResources({ cursor })).rejects.toMatchObject({ code: -32602 });
      }
      await expect(client.listPrompts({ cursor: nextCursor! })).rejects.toMatchObject({
        code: -32602,
      });
    },
  },
  {
    name: "text and blobs are read (RES-02, RES-03)",
    run: async ({ client }) => {
      const note = await client.readResource({ uri: "note://1" });
      expect(note.contents).toEqual([
        { uri: "note://1", mimeType: "text/plain", text: "remember" },
      ]);
      const blob = await client.readResource({ uri: "blob://1" });
      expect(blob.contents).toEqual([{ uri: "blob://1", mimeType: "image/png", blob: "aGk=" }]);
    },
  },
  {
    name: "a resource of a template is read, decoded once (RES-20, S07)",
    run: async ({ client }) => {
      const { contents } = await client.readResource({ uri: "item://a/b%2520c" });
      expect(contents).toMatchObject([{ text: '{"shelf":"a","id":"b%20c"}' }]);
    },
  },
  {
    name: "a missing resource is an error with its URI (RES-10, RES-12)",
    run: async ({ client, from }) => {
      const code = from.revision.errorCodes["RESOURCE_NOT_FOUND"];
      for (const uri of ["note://none", "item://none/1", "other:thing"]) {
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code, data: { uri } });
      }
    },
  },
  {
    name: "subscribers receive updates, also from below, until they unsubscribe (RES-07, RES-08)",
    needs: ["sessions"],
    run: async ({ client, call, received }) => {
      const updates = () =>
        received.filter(({ method }) => method.endsWith("updated")).map(({ params }) => params);
      await call("update", { uri: "note://1" });
      await client.subscribe({ uri: "note://1" });
      await client.subscribe({ uri: "item://shelf/1" });
      for (const uri of ["note://1", "note://2", "item://shelf/1/part"])
        await call("update", { uri });
      await until("two updates", () => updates().length >= 2, updates);
      await client.unsubscribe({ uri: "note://1" });
      await client.unsubscribe({ uri: "item://shelf/1" });
      await call("update", { uri: "note://1" });
      await client.ping();
      expect(updates()).toEqual([{ uri: "note://1" }, { uri: "item://shelf/1/part" }]);
    },
  },
  {
    name: "changes of resources and prompts lead to notifications (RES-06, PRM-04)",
    needs: ["sessions"],
    run: async ({ call, received }) => {
      for (const what of ["resources", "prompts"]) {
        await call("change", { what });
        const isReceived = () =>
          received.some(({ method }) => method.includes(`${what}/list_changed`));
        await until("the notification", isReceived);
      }
    },
  },
  {
    name: "a prompt is rendered (PRM-02)",
    run: async ({ client }) => {
      const { messages } = await client.getPrompt({ name: "greet", arguments: { name: "Ada" } });
      expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada" } }]);
    },
  },
  {
    name: "a prompt that is unknown or lacks an argument is refused (PRM-05)",
    run: async ({ client }) => {
      for (const name of ["none", "constructor", "greet"]) {
        await expect(client.getPrompt({ name })).rejects.toMatchObject({ code: -32602 });
      }
    },
  },
  {
    name: "at most a hundred values complete an argument or a variable (COMP-02, COMP-03)",
    run: async ({ client }) => {
      const greet = { type: "ref/prompt", name: "greet" } as const;
      const names = await client.complete({ ref: greet, argument: { name: "name", value: "Ad" } });
      expect(names.completion.values).toEqual(["Ada", "Adele"]);
      const item = { type: "ref/resource", uri: "item://{shelf}/{id}" } as const;
      const shelves = await client.complete({ ref: item, argument: { name: "shelf", value: "s" } });
      expect(shelves.completion).toMatchObject({ total: 150, hasMore: true });
      expect(shelves.completion.values).toHaveLength(100);
    },
  },
  {
    name: "completion uses earlier arguments (COMP-02)",
    needs: ["completionContext"],
    run: async ({ client }) => {
      const { completion } = await client.complete({
        ref: { type: "ref/prompt", name: "greet" },
        argument: { name: "city", value: "Pa" },
        context: { arguments: { country: "fr" } },
      });
      expect(completion.values).toEqual(["Paris", "Pau"]);
    },
  },
  {
    name: "unknown references are not completed (COMP-04)",
    run: async ({ client }) => {
      const argument = { name: "none", value: "" };
      for (const name of ["none", "greet"]) {
        const requested = client.complete({ ref: { type: "ref/prompt", name }, argument });
        await expect(requested).rejects.toMatchObject({ code: -32602 });
      }
    },
  },
];

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
