import type { LifecycleStrategy } from "../engine/index.js";
import { messageRules } from "../rules/index.js";
import { StatelessClient } from "./stateless-client.js";
import { StatelessServer } from "./stateless-server.js";

/** Clients of stateless revisions (MCP: statelessness). */
export const clientStateless: LifecycleStrategy = (opening) => {
  const rules = messageRules(opening.definition);
  return { begin: (start) => new StatelessClient(opening, rules, start) };
};

/** Servers of stateless revisions. */
export const serverStateless: LifecycleStrategy = (opening) => new StatelessServer(opening);
