import { type McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { PNG } from "./media.js";

/** Adds the resources that the suite's scenarios read by their URIs. */
export function addResources(server: McpServer): void {
  addText(server, "static-text", "A note that never changes.");
  const bytes = Uint8Array.from(atob(PNG), (one) => one.charCodeAt(0));
  const image = { mimeType: "image/png" };
  server.registerResource("static-binary", "test://static-binary", image, () => bytes);
  addText(server, "watched-resource", "A note to subscribe to.");
  server.registerResource(
    "data",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "The data of an id.", mimeType: "application/json" },
    (_uri, { id }) => JSON.stringify({ id, data: `What belongs to ${String(id)}` }),
  );
}

function addText(server: McpServer, name: string, text: string): void {
  server.registerResource(name, `test://${name}`, { mimeType: "text/plain" }, () => text);
}
