import type { LifecycleStrategy } from "./lifecycle.js";

/**
 * Servers whose revisions are of one kind and bring the way in which they open conversations.
 * @throws TypeError for revisions of both kinds
 */
export const serverOfOneKind: LifecycleStrategy = (opening) => {
  const { revisions } = opening;
  const { lifecycle } = revisions[0]!;
  if (revisions.some((other) => other.lifecycle !== lifecycle))
    throw new TypeError("These revisions open conversations in two ways: use McpServer for both");
  return (lifecycle as LifecycleStrategy)(opening);
};
