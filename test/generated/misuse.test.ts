import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageFolder } from "../../generator/bundled/bundled.js";
import { Workspace } from "./workspace.js";

/** The compiler's messages for some of the lines, by how those lines begin. */
const REASONS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  "misuse.ts": {
    'client.request("tools/cal"': /"tools\/cal"' is not assignable to parameter of type .*"tools\/call"/,
    'client.request("roots/list")': /"roots\/list"' is not assignable to parameter of type/,
    "server.callTool(": /Property 'callTool' does not exist on type 'Server'/,
    "client.sendToolListChanged(": /Did you mean/,
    "client.callTool({});": /Property 'name' is missing in type '{}'/,
    'client.callTool({ name: "x", argument': /Did you mean to write 'arguments'/,
    '"prompts/get": ': /Property .messages. is missing in type .* but required in type .GetPromptResult./,
    '"prompts/list": ': /Property 'cursor' does not exist on type/,
    'new Server(info, { "roots/list"': /does not exist in type 'Handlers'/,
    'new Client(info, { "tools/list"': /does not exist in type 'ClientHandlers'/,
    'new Client(info, { "sampling/createMessage"': /is missing the following properties from type .CreateMessageResult./,
  },
  "misuse-features.ts": {
    "tools.add({ inputSchema }": /Property 'name' is missing in type/,
    "prompts.add({ name: \"x\", arguments: [{ title": /Property 'name' is missing in type/,
    "tools.add({ name: \"x\", inputSchema }, async () =>":
      /Property 'text' is missing in type '{ type: "text"; }' but required in type 'TextContent'/,
    'tools.add({ name: "x", inputSchema }, () => ({ content: [{ type: "video"':
      /'"video"' is not assignable to type '.*"text"/,
    'new NewestServer(info, { "tools/call": () => ({ content': /Property 'text' is missing/,
    'new NewestServer(info, { "tools/call": async () => ({ content': /Property 'text' is missing/,
    'new NewestServer(info, { "tools/call": () => ({ task': /createdAt|lastUpdatedAt/,
    "tools.add({ name: \"x\", inputSchema: object }, ({ b })": /'b' does not exist on type .*a: number/,
    "tools.add({ name: \"x\", inputSchema, outputSchema: object }, () => ({ structuredContent: { a":
      /'string' is not assignable to type 'number'/,
    "prompts.add(written, ({ b })": /'b' is possibly 'undefined'/,
    "answer.content.a": /possibly 'undefined'/,
    "answer.content.b": /'b' does not exist on type .*a: number/,
  },
  "misuse-stateless.ts": {
    "client.callTool({});": /Property 'name' is missing in type '{}'/,
    '"resources/list": ': /'string' is not assignable to type 'number'/,
    'new Server(info, { "tools/call": () => ({ content': /Property 'text' is missing/,
    "new Tools().add(tool, () => ({ content: [{ type": /Property 'text' is missing/,
  },
  "misuse-extensions.ts": {
    'if (method === "tools/cal"': /have no overlap/,
    "return kind ===": /Did you mean to write 'params'/,
    "new Server(info, {}, { middleware: [seen]": /ClientMiddleware/,
    "client.request(search, { query: 1": /Type 'number' is not assignable to type 'string'/,
    "client.request(find": /Type '"ref\/tool"' is not assignable to type '"ref\/prompt"'/,
    "server.notify(search": /"request"' is not assignable to type '"notification"'/,
    'new Server(info, { "acme/search"': /'"acme\/search"' does not exist in type 'Handlers'/,
  },
};

const workspace = new Workspace();
afterAll(() => workspace.remove());

it.each([
  ["misuse.ts", "members that a revision lacks"],
  ["misuse-features.ts", "members that the features of a revision lack"],
  ["misuse-stateless.ts", "requests that only the engine sends if requests stand alone"],
  ["misuse-extensions.ts", "members that middleware and custom messages lack"],
])("%s: %s does not compile and names the mistake", async (name) => {
  const text = readFileSync(join(packageFolder(), "test/fixtures/generated", name), "utf8");
  const lines = text.split("\n");
  const expected = lines.flatMap((line, index) => {
    const [, code] = /; \/\/ (TS\d+)$|, \/\/ (TS\d+)$/.exec(line)?.filter(Boolean) ?? [];
    return code ? [`${index + 1} ${code}: ${line.trim()}`] : [];
  });
  const folder = name.replace(".ts", "");
  workspace.add(folder, [{ path: name, text }]);
  const errors = await workspace.compile("typescript", "nodenext", [`${folder}/*.ts`]);
  const found = errors.map(({ file, line, code, message }) =>
    file === `${folder}/${name}`
      ? `${line} ${code}: ${lines[line - 1]!.trim()}`
      : `${file} ${line} ${code} ${message}`,
  );
  expect(expected.length).toBeGreaterThan(10);
  expect(found).toEqual(expected);
  for (const [start, why] of Object.entries(REASONS[name] ?? {})) {
    const error = errors.find(({ line }) => lines[line - 1]!.trim().startsWith(start));
    expect(error?.message, start).toMatch(why);
  }
});
