import type { HandlerContext } from "../../../../runtime/api/handlers.js";
import type { Wire } from "./round-trips.js";
import { form, SAMPLE } from "./questions.js";

type Ask = (method: string, params?: object) => Promise<Wire>;

/** The number of times that each piece of work was done, in this process only. */
const done: Record<string, number> = {};

/** Starts counting again: other tests in this process may have done work before. */
export function forgetWork(): void {
  for (const work of Object.keys(done)) delete done[work];
}

/** Tools that send the user every kind of request, at any revision. */
export const ASKING_TOOLS: Readonly<
  Record<string, (context: HandlerContext, ask: Ask) => Promise<string>>
> = {
  sequence: async ({ once }, ask) => {
    const order = await once("order", () => count("order"));
    const who = await ask("elicitation/create", form("Who?"));
    const sampled = await ask("sampling/createMessage", SAMPLE);
    const paid = await once("pay", () => count("pay"));
    const { roots } = await ask("roots/list");
    return [order, who.content.name, sampled.content.text, paid, roots[0].uri].join(" ");
  },
  parallel: async ({ once }, ask) => {
    const [order, who, sampled, { roots }] = await Promise.all([
      once("order", () => count("order")),
      ask("elicitation/create", form("Who?")),
      ask("sampling/createMessage", SAMPLE),
      ask("roots/list"),
    ]);
    const sure = await ask("elicitation/create", form(`Sure, ${who.content.name}?`));
    return [order, who.content.name, sampled.content.text, roots[0].uri, sure.action].join(" ");
  },
};

/** Handlers for a server at any revision. */
export const ASKING_HANDLERS = {
  "tools/list": (): object => ({
    tools: Object.keys(ASKING_TOOLS).map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  "tools/call": async ({ name }: { name: string }, context: HandlerContext): Promise<object> => {
    const ask = context.request as unknown as Ask;
    const text = await ASKING_TOOLS[name]!(context, ask);
    return { content: [{ type: "text", text }] };
  },
};

function count(work: string): number {
  done[work] = (done[work] ?? 0) + 1;
  return done[work];
}
