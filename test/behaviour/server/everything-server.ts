import type { Server } from "@mcp-codegen/2025-11-25";
import { Completions, Logging, Prompts, Resources, Tools } from "@mcp-codegen/runtime/features";
import { Tasks } from "@mcp-codegen/runtime/tasks";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { knowledgeOf } from "../support/knows.js";
import type { Package } from "../support/packages.js";
import { addBasicTools } from "./basic-tools.js";
import type { Kit } from "./kit.js";
import { addLibrary } from "./library.js";
import { addTalkingTools } from "./talking-tools.js";
import { addTaskTools } from "./task-tools.js";
import { Witness } from "./witness.js";

export const INSTRUCTIONS = "Try them all.";

/**
 * Creates a server with everything that its revision has, for any number of sessions.
 *
 * @param addMore - adds tools that only some programs need
 */
export function everythingServer(
  from: Package,
  onerror: (error: Error) => void,
  addMore?: (tools: Kit["tools"]) => void,
): Server {
  const kit = makeKit(from);
  addBasicTools(kit);
  addTalkingTools(kit);
  addLibrary(kit);
  addTaskTools(kit);
  addMore?.(kit.tools);
  const { tools, prompts, resources, completions, logging, witness } = kit;
  const tasks = new Tasks({ pollInterval: 20, list: true });
  const rootsChanged = "notifications/roots/list_changed";
  return new from.Server(
    { name: "everything", version: "1.0.0" },
    {
      [rootsChanged]: async (_params, { session }) => {
        const { roots } = (await session.request("roots/list")) as { roots: { uri: string }[] };
        witness.note(rootsChanged, roots.map(({ uri }) => uri).join(" "));
      },
    },
    {
      instructions: INSTRUCTIONS,
      features: [tools, prompts, resources, completions, logging, tasks],
      limits: { batch: 20 },
      onerror,
    },
  );
}

/** Creates a server without features. */
export function bareServer(from: Package, onerror: (error: Error) => void): Server {
  return new from.Server({ name: "bare", version: "1.0.0" }, {}, { onerror });
}

function makeKit(from: Package): Kit {
  const completions: Kit["completions"] = new Completions();
  return {
    tools: new Tools({ schemas: jsonSchemas() }),
    prompts: new Prompts({ pageSize: 2, completions }),
    resources: new Resources({ pageSize: 3, subscriptions: {}, completions }),
    completions,
    logging: new Logging(),
    witness: new Witness(),
    knows: knowledgeOf(from),
  };
}
