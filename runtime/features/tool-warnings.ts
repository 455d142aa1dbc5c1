import type { FeatureHost } from "../api/index.js";
import { quote } from "../wire/index.js";
import type { ToolDefinition } from "./tool-types.js";

/** Names that all clients and models can be expected to cope with. */
const GOOD_NAME = /^[\w.-]{1,128}$/;

/** Warnings about a tool that is usable all the same. */
export function warningsOf(
  { name, execution }: ToolDefinition,
  { features, revisions }: FeatureHost,
): Error[] {
  const warnings: Error[] = [];
  if (!GOOD_NAME.test(name)) {
    const advice = "use 1 to 128 letters, digits, underscores, dots or hyphens";
    warnings.push(new Error(`Not all clients may accept the tool name ${quote(name)}: ${advice}`));
  }
  const hasTasks = features.some(({ handlers }) => "tasks/get" in handlers);
  if (
    execution?.taskSupport === "required" &&
    !hasTasks &&
    revisions.some(({ traits }) => traits.tasks)
  ) {
    const advice = "add Tasks to the features, or make its taskSupport optional";
    warnings.push(
      new Error(`Nobody can call the tool ${quote(name)}, which runs as a task only: ${advice}`),
    );
  }
  return warnings;
}
