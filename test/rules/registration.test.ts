import { ResourceTemplate, revisions as all } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { Prompts, Resources, Tools } from "../../runtime/features/index.js";
import { McpServer } from "../facade/server/support/server.js";
import { Talk } from "../facade/server/support/talk.js";
import { info, revisions } from "./support.js";
import type { Part } from "./wrong-values.js";

// oxlint-disable-next-line typescript/no-explicit-any
type Any = any;

interface Handle {
  readonly definition: object;
  update(changes: object): void;
}

/** Kinds of definitions, with the method that lists them and the member of its result that contains them. */
const KINDS: readonly {
  readonly method: string;
  readonly member: string;
  register(server: McpServer, definition: Any): Handle;
  /** Creates the feature, and adds the definition to it. */
  feature(): readonly [feature: object, add: (definition: Any) => Handle];
}[] = [
  {
    method: "tools/list",
    member: "tools",
    register: (server, { name, ...config }) => server.registerTool(name, config, () => ""),
    feature: () => {
      const tools = new Tools<Any>({ schemas: "unchecked" });
      return [tools, (one) => tools.add(one, () => ({}))];
    },
  },
  {
    method: "prompts/list",
    member: "prompts",
    register: (server, { name, ...config }) => server.registerPrompt(name, config, () => ""),
    feature: () => {
      const prompts = new Prompts<Any>();
      return [prompts, (one) => prompts.add(one, () => ({}))];
    },
  },
  {
    method: "resources/list",
    member: "resources",
    register: (server, { name, uri, ...config }) =>
      server.registerResource(name, uri, config, () => ""),
    feature: () => {
      const resources = new Resources<Any, Any, Any>();
      return [resources, (one) => resources.add(one, () => ({}))];
    },
  },
  {
    method: "resources/templates/list",
    member: "resourceTemplates",
    register: (server, { name, uriTemplate, ...config }) =>
      server.registerResource(name, new ResourceTemplate(uriTemplate), config, () => ""),
    feature: () => {
      const resources = new Resources<Any, Any, Any>();
      return [resources, (one) => resources.addTemplate(one, () => ({}))];
    },
  },
];

/** Returns a kind's invalid definitions and the place of each error, as found in the generated tables. */
function wrongOnes(parts: readonly Part[], method: string, member: string) {
  const part = parts.find((one) => one.row.method === method && one.part === "result");
  const prefix = `/${member}/0`;
  return (part?.wrong ?? [])
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map(({ path, value }) => ({ path: path.slice(prefix.length), definition: value[member][0] }));
}

/** Returns a definition of a kind with nothing wrong in it. */
function rightOne(wrong: Any): Any {
  const { name, uri, uriTemplate, inputSchema } = wrong;
  const at = uri === undefined ? {} : { uri: "test:///a" };
  const family = uriTemplate === undefined ? {} : { uriTemplate: "test:///{a}" };
  return { name, ...at, ...family, ...(inputSchema && { inputSchema }) };
}

/** Returns the expected text of an error. Members that name the definition have their own errors. */
const textFor = (path: string): string | RegExp =>
  path === "/uri" || path === "/uriTemplate"
    ? /URI|expression|brace|template/i
    : `${path}: expected `;

const [newest] = revisions.filter(([id]) => id === all[0]!.id);

describe.each(KINDS)("a definition in $method", ({ method, member, register, feature }) => {
  it("with invalid content is rejected when it is registered, by a server of all revisions", async () => {
    const wrong = wrongOnes(newest![2], method, member);
    expect(wrong.length).toBeGreaterThan(2);
    for (const { path, definition } of wrong) {
      const server = new McpServer();
      expect(() => register(server, definition), path).toThrow(TypeError);
      expect(() => register(server, definition), path).toThrow(textFor(path));
      const handle = register(server, rightOne(definition));
      const before = handle.definition;
      const { name: _name, uri: _uri, uriTemplate: _template, ...changes } = definition;
      if (Object.keys(changes).length > ("inputSchema" in changes ? 1 : 0)) {
        expect(() => handle.update(changes), path).toThrow(textFor(path));
        expect(handle.definition).toEqual(before);
      }
      for (const { id } of all) {
        const talk = await Talk.with(server, id);
        const { result } = await talk.call(method, {});
        expect(result[member], `${id} ${path}`).toHaveLength(1);
      }
    }
  });

  it("with an invalid structure is rejected, too", () => {
    const right = rightOne(wrongOnes(newest![2], method, member)[0]!.definition);
    for (const changes of [{ description: 5 }, { icons: [{}] }, { title: {} }]) {
      const server = new McpServer();
      const add = (): Handle => register(server, { ...right, ...changes });
      expect(add, JSON.stringify(changes)).toThrow(TypeError);
      expect(add).toThrow(/cannot be listed: \/.*: expected /);
      expect(() => register(server, right).update(changes)).toThrow("cannot be listed: /");
    }
  });

  it("is accepted unchanged if the check is switched off", () => {
    for (const { path, definition } of wrongOnes(newest![2], method, member)) {
      if (path === "/uri" || path === "/uriTemplate") continue;
      const server = new McpServer({ checkContent: false });
      expect(register(server, definition).definition, path).toMatchObject(definition);
    }
  });

  it.each(revisions)(
    "is rejected by a feature at %s, before the server is created and after",
    (_id, pinned, parts) => {
      const serverWith = (part: object, options: object = {}): unknown =>
        new pinned.Server(info, {}, { features: [part], ...options } as Any);
      for (const { path, definition } of wrongOnes(parts, method, member)) {
        const [late, addLate] = feature();
        serverWith(late);
        expect(() => addLate(definition), path).toThrow(textFor(path));
        if (path === "/uri" || path === "/uriTemplate") continue;
        const [early, addEarly] = feature();
        addEarly(definition);
        const make = (): unknown => serverWith(early);
        expect(make, path).toThrow(textFor(path));
        const [unchecked, add] = feature();
        add(definition);
        serverWith(unchecked, { checkContent: false });
      }
    },
  );
});
