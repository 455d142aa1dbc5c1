import { connect, connectInMemory, ResourceTemplate, revisions } from "@mcp-codegen/universal";
import { expect, it } from "vitest";
import { McpServer } from "./support/server.js";

const unsafe = [
  "javascript:alert(1)",
  "file:///etc/passwd",
  "ftp://example.com/a.png",
  "ws://example.com/a.png",
  "vscode://a",
  "data:text/html,<script>",
];
const safe = [
  "https://example.com/a.png",
  "http://localhost:3000/a.svg",
  "data:image/png;base64,AAAA",
];

type Server = InstanceType<typeof McpServer>;
type Icons = { readonly icons: { readonly src: string }[] };

const registrations: Readonly<Record<string, (server: Server, config: Icons) => unknown>> = {
  tool: (server, config) => server.registerTool("a", config, () => ""),
  prompt: (server, config) => server.registerPrompt("a", config, () => ""),
  resource: (server, config) => server.registerResource("a", "a://b", config, () => ""),
  template: (server, config) =>
    server.registerResource("a", new ResourceTemplate("a://{b}"), config, () => ""),
};

it.each(Object.keys(registrations))("unsafe icons of a %s are rejected (ICON-04)", (kind) => {
  for (const src of unsafe) {
    const register = () => registrations[kind]!(new McpServer(), { icons: [{ src }] });
    expect(register, src).toThrow("expected http: or https: URL, or data: URI of an image");
  }
  for (const src of safe) registrations[kind]!(new McpServer(), { icons: [{ src }] });
});

it("a client reports unsafe icons of a server (ICON-04)", async () => {
  for (const revision of revisions.filter(({ id }) => id >= "2025-11-25")) {
    const server = new McpServer({ checkContent: false });
    server.registerTool("a", { icons: [{ src: "javascript:alert(1)" }] }, () => "");
    const errors: Error[] = [];
    const client = await connect(await connectInMemory(server), {
      revisions: [revision],
      onerror: (error) => void errors.push(error),
    });
    await client.listTools();
    await client.close();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining("/tools/0/icons/0/src: expected http: or https: URL"),
    ]);
  }
});
