import type { ToolDefinition, Tools } from "../../features/index.js";
import { type AdaptOptions, adaptTool, type ToolSpec } from "./adapt-tool.js";
import { RegistrationHandle, replacementOf } from "./registration-handle.js";
import type { AnyTypes } from "./neutral-types.js";
import type { ToolHandle } from "./tool-types.js";

type AnyTools = Tools<ToolDefinition, unknown>;

/** Alternative names that changes of a tool can have. */
const ALIASES = { paramsSchema: "inputSchema", callback: "handler" };

/** @throws TypeError as `Tools.add` does */
export function registerTool(
  tools: AnyTools,
  given: ToolSpec,
  options: AdaptOptions,
): ToolHandle<AnyTypes> {
  const { definition, handler, checks } = adaptTool(given, options);
  const added = tools.add(definition, handler as never, checks);
  const handle = new RegistrationHandle<ToolSpec, ToolDefinition>({
    given,
    added,
    access: options,
    aliases: ALIASES,
    remake: (changed) => {
      const tool = adaptTool(changed, options);
      added.update(replacementOf(added.definition, tool.definition), tool.handler, tool.checks);
    },
  });
  return handle as unknown as ToolHandle<AnyTypes>;
}
