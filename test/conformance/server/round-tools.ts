import { acceptedContent, inputRequired, type McpServer } from "@mcp-codegen/universal";

const NAME = askFor("What is your name?", "name", "string");
const CONFIRM = askFor("Is that all right?", "ok", "boolean");
const CAPITAL = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});
const ROOTS = inputRequired.listRoots();

type Requests = Readonly<Record<string, typeof ROOTS>>;

/** Adds tools and a prompt that send input requests, in one round or several, under names that the suite knows. */
export function addRoundTools(server: McpServer): void {
  addOneRound(server, "elicitation", { user_name: NAME });
  addOneRound(server, "sampling", { capital_question: CAPITAL });
  addOneRound(server, "list_roots", { client_roots: ROOTS });
  addOneRound(server, "request_state", { confirm: CONFIRM }, { next: "state-ok" });
  addOneRound(server, "tampered_state", { confirm: CONFIRM }, { next: "state-ok" });
  addOneRound(
    server,
    "multiple_inputs",
    { user_name: NAME, greeting: CAPITAL, client_roots: ROOTS },
    { next: "done" },
  );
  addSteps(server);
  addWhatTheClientHas(server);
  addPrompt(server);
}

function addOneRound(server: McpServer, what: string, requests: Requests, state?: object): void {
  const description = `Asks for ${Object.keys(requests).join(" and ")}.`;
  server.registerTool(
    `test_input_required_result_${what}`,
    { description },
    ({ answers, state: kept }) =>
      isComplete(answers, requests)
        ? `Thank you for ${JSON.stringify(answers)} ${JSON.stringify(kept ?? "")}`
        : inputRequired(state === undefined ? { requests } : { requests, state }),
  );
}

function addSteps(server: McpServer): void {
  const description = "Asks twice, the second time about something else.";
  server.registerTool("test_input_required_result_multi_round", { description }, (ctx) => {
    const { first } = (ctx.state ?? {}) as { readonly first?: unknown };
    const given = acceptedContent(ctx.answers, first === undefined ? "step1" : "step2");
    if (first !== undefined && given !== undefined) {
      return `First ${JSON.stringify(first)}, then ${JSON.stringify(given)}`;
    }
    const known = first ?? given;
    return known === undefined
      ? inputRequired({ requests: { step1: NAME }, state: {} })
      : inputRequired({ requests: { step2: CONFIRM }, state: { first: known } });
  });
}

function addWhatTheClientHas(server: McpServer): void {
  const description = "Asks what this client can answer.";
  server.registerTool("test_input_required_result_capabilities", { description }, (ctx) => {
    const requests = {
      ...(ctx.can.elicit && { user_name: NAME }),
      ...(ctx.can.sample && { capital_question: CAPITAL }),
    };
    if (isComplete(ctx.answers, requests)) return "Nothing more to ask.";
    return inputRequired({ requests });
  });
}

function addPrompt(server: McpServer): void {
  const requests = { user_context: askFor("What is it about?", "context", "string") };
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks what it should be about." },
    ({ answers }) => {
      const given = acceptedContent(answers, "user_context");
      return given === undefined
        ? inputRequired({ requests })
        : `Write about ${JSON.stringify(given)}`;
    },
  );
}

function isComplete(answers: Readonly<Record<string, unknown>>, requests: Requests): boolean {
  return Object.keys(requests).every((name) => answers[name] !== undefined);
}

function askFor(message: string, name: string, type: "string" | "boolean"): typeof ROOTS {
  const properties = { [name]: { type } };
  const requestedSchema = { type: "object", properties, required: [name] } as const;
  return inputRequired.elicit({ message, requestedSchema });
}
