import { describe, expect, it } from "vitest";
import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { APPS, useApps, VIEW_MIME_TYPE, viewUriOf } from "@mcp-codegen/universal/apps";
import { validators } from "@mcp-codegen/universal/extensions/apps";
import { revision as previous } from "@mcp-codegen/universal/2025-11-25";

const CART = "ui://shop/cart";
const html = "<!doctype html><h1>Cart</h1>";

function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const apps = useApps(server);
  apps.view(
    "cart",
    CART,
    {
      title: "Cart",
      csp: { connectDomains: ["https://api.example.com"] },
      permissions: { clipboardWrite: {} },
      prefersBorder: true,
      cacheHint: { ttlMs: 1000 },
    },
    () => html,
  );
  apps.view("raw", "ui://shop/raw", {}, () => new TextEncoder().encode(html));
  const meta = apps.toolMeta({ resourceUri: CART, visibility: ["model", "app"] });
  server.registerTool("show_cart", { _meta: meta }, (ctx) =>
    apps.isShown(ctx) ? "The cart is shown" : "The cart has 2 books",
  );
  server.registerTool("empty", { _meta: apps.toolMeta({ visibility: ["app"] }) }, () => "Emptied");
  return server;
}

const host = { capabilities: { extensions: { [APPS]: { mimeTypes: [VIEW_MIME_TYPE] } } } };

describe("views of tools", () => {
  it("are shown by clients whose settings name the content type of views (APP-01)", () => {
    expect(VIEW_MIME_TYPE).toBe("text/html;profile=mcp-app");
    const { McpUiClientCapabilities } = validators;
    expect(McpUiClientCapabilities({ mimeTypes: [VIEW_MIME_TYPE] })).toBe(true);
    expect(McpUiClientCapabilities({ mimeTypes: VIEW_MIME_TYPE })).toBe(false);
  });

  it.each(["newest", "session"])(
    "are resources with metadata, linked by tools, for a %s client (APP-02, APP-03, APP-04, APP-06, META-19)",
    async (kind) => {
      const options = kind === "session" ? { ...host, revisions: [previous] } : host;
      const client = await connect(await connectInMemory(shop()), options);
      const ui = {
        csp: { connectDomains: ["https://api.example.com"] },
        permissions: { clipboardWrite: {} },
        prefersBorder: true,
      };
      const { contents } = await client.readResource(CART);
      expect(contents).toEqual([
        { uri: CART, mimeType: VIEW_MIME_TYPE, text: html, _meta: { ui } },
      ]);
      expect(validators.McpUiResourceMeta(ui)).toBe(true);
      const raw = await client.readResource("ui://shop/raw");
      expect(raw.contents).toEqual([
        {
          uri: "ui://shop/raw",
          mimeType: VIEW_MIME_TYPE,
          blob: Buffer.from(html).toString("base64"),
        },
      ]);
      const { resources } = await client.listResources();
      expect(resources[0]).toMatchObject({ uri: CART, mimeType: VIEW_MIME_TYPE, _meta: { ui } });
      const { tools } = await client.listTools();
      const metas = tools.map(({ _meta: meta }) => meta);
      expect(tools.map((tool, index) => [tool.name, metas[index], viewUriOf(tool)])).toEqual([
        [
          "show_cart",
          { ui: { resourceUri: CART, visibility: ["model", "app"] }, "ui/resourceUri": CART },
          CART,
        ],
        ["empty", { ui: { visibility: ["app"] } }, undefined],
      ]);
      expect(validators.McpUiToolMeta(metas[0]!["ui"])).toBe(true);
      await client.close();
    },
  );

  it("come with a result that makes sense without them (APP-07)", async () => {
    const server = shop();
    const text = async (options: object): Promise<unknown> => {
      const client = await connect(await connectInMemory(server), options);
      const { content } = await client.callTool("show_cart");
      await client.close();
      return content[0];
    };
    expect(await text(host)).toMatchObject({ text: "The cart is shown" });
    expect(await text({})).toMatchObject({ text: "The cart has 2 books" });
    const other = { capabilities: { extensions: { [APPS]: { mimeTypes: ["text/plain"] } } } };
    expect(await text(other)).toMatchObject({ text: "The cart has 2 books" });
    const odd = { capabilities: { extensions: { [APPS]: {} } } };
    expect(await text(odd)).toMatchObject({ text: "The cart has 2 books" });
  });

  it("are found in the tools of older servers, too", () => {
    expect(viewUriOf({ _meta: { "ui/resourceUri": CART } })).toBe(CART);
    expect(
      viewUriOf({ _meta: { ui: { resourceUri: CART }, "ui/resourceUri": "ui://older" } }),
    ).toBe(CART);
    for (const meta of [undefined, null, {}, { ui: null }, { ui: { resourceUri: 1 } }])
      expect(viewUriOf({ _meta: meta })).toBeUndefined();
  });

  it("have the form that the schema of the extension requires", () => {
    const apps = useApps(new McpServer({ name: "shop", version: "1.0.0" }));
    expect(() => apps.view("cart", "https://example.com/", {}, () => html)).toThrow("ui://");
    expect(() => apps.toolMeta({ resourceUri: "https://example.com/" })).toThrow("ui://");
    // @ts-expect-error -- no such side
    expect(() => apps.toolMeta({ visibility: ["user"] })).toThrow("/visibility/0");
    // @ts-expect-error -- belongs to the resource
    expect(() => apps.toolMeta({ csp: {} })).toThrow("/csp");
    // @ts-expect-error -- origins are texts
    expect(() => apps.view("a", CART, { csp: { frameDomains: [1] } }, () => html)).toThrow(
      "/csp/frameDomains/0",
    );
  });

  it("are created once", () => {
    const server = shop();
    expect(() => useApps(server)).toThrow("is already registered");
  });
});

it.each([
  "https://a; script-src *",
  "*",
  "https://a\n",
  "https://a,https://b",
  "https://'unsafe-inline'",
  "javascript:x",
  "",
])("a domain that would change the policy of a view is rejected: %j", (domain) => {
  const apps = useApps(new McpServer({ name: "shop", version: "1.0.0" }));
  for (const list of ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"]) {
    const view = () => apps.view("cart", CART, { csp: { [list]: [domain] } }, () => html);
    expect(view).toThrow(`in ${list} of the view "cart" is not an origin`);
  }
});

it.each(["https://*.example.com", "wss://live.example.com:8443", "http://localhost:*"])(
  "a domain of a view may be %s",
  (domain) => {
    const apps = useApps(new McpServer({ name: "shop", version: "1.0.0" }));
    apps.view("cart", CART, { csp: { resourceDomains: [domain] } }, () => html);
  },
);

it("a view needs a path after ui://", () => {
  const apps = useApps(new McpServer({ name: "shop", version: "1.0.0" }));
  expect(() => apps.view("cart", "ui://", {}, () => html)).toThrow("must begin with ui://");
});
