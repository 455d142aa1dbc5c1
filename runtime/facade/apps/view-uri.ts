import { isObject } from "../../wire/index.js";

/** MIME type of views, which hosts declare that they show (MCP Apps: UI resources). */
export const VIEW_MIME_TYPE = "text/html;profile=mcp-app";

/** Member of a tool's `_meta` that older hosts read. */
export const OLDER_MEMBER = "ui/resourceUri";

/** URI of the view that a tool opens; undefined for a tool without one. */
export function viewUriOf({ _meta: meta }: { readonly _meta?: unknown }): string | undefined {
  if (!isObject(meta)) return undefined;
  const { ui } = meta;
  const uri = (isObject(ui) ? ui["resourceUri"] : undefined) ?? meta[OLDER_MEMBER];
  return typeof uri === "string" ? uri : undefined;
}
