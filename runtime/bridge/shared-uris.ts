import { isRecord } from "./callers.js";

type Item = Readonly<Record<string, unknown>>;
type Share = (uri: string) => string;

/**
 * The `_meta` members that hold the URI of the page that shows a tool's results: one from the MCP Apps extension, and
 * an older one.
 */
const PAGE = "resourceUri";
const OLDER_PAGE = "ui/resourceUri";

export function withSharedUris(result: Item, share: Share): Record<string, unknown> {
  const { content, messages, contents, result: inner } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: content.map((one) => sharedBlock(one, share)) }),
    ...(Array.isArray(contents) && { contents: contents.map((one) => sharedItem(one, share)) }),
    ...(Array.isArray(messages) && {
      messages: messages.map((one: unknown) =>
        isRecord(one) ? { ...one, content: sharedBlock(one["content"], share) } : one,
      ),
    }),
    // The result of a task.
    ...(isRecord(inner) && { result: withSharedUris(inner, share) }),
  };
}

function sharedBlock(block: unknown, share: Share): unknown {
  if (!isRecord(block)) return block;
  const { type, resource } = block;
  if (type === "resource_link") return sharedItem(block, share);
  return type === "resource" ? { ...block, resource: sharedItem(resource, share) } : block;
}

function sharedItem(item: unknown, share: Share): unknown {
  const uri = isRecord(item) ? item["uri"] : undefined;
  return typeof uri === "string" ? { ...(item as Item), uri: share(uri) } : item;
}

/** Returns a tool's definition with the results page's URI replaced by the one that clients know. */
export function withSharedUi(tool: Item, share: Share): Item {
  const { _meta: meta } = tool;
  if (!isRecord(meta)) return tool;
  const { ui, [OLDER_PAGE]: older } = meta;
  const page = isRecord(ui) ? ui[PAGE] : undefined;
  return {
    ...tool,
    _meta: {
      ...meta,
      ...(typeof page === "string" && { ui: { ...(ui as Item), [PAGE]: share(page) } }),
      ...(typeof older === "string" && { [OLDER_PAGE]: share(older) }),
    },
  };
}
