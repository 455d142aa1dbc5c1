import type { TypeExpression } from "../model/schema-model.js";
import type { LinkContext } from "./context.js";
import type { Role } from "./protocol.js";
import type { LinkedMessage } from "./traits.js";

/** Members that the engine supplies in the messages that it sends itself. */
const SUPPLIED: Readonly<Partial<Record<Role, Readonly<Record<Part, readonly string[]>>>>> = {
  initialize: {
    params: ["protocolVersion", "capabilities", "clientInfo"],
    result: ["protocolVersion", "capabilities", "serverInfo"],
  },
  initialized: { params: [], result: [] },
  discover: { params: [], result: ["supportedVersions", "capabilities"] },
  ping: { params: [], result: [] },
  cancelled: { params: ["requestId"], result: [] },
};

type Part = "params" | "result";

/** Members of a message's envelope, which the engine adds if the schema declares them. */
const ENVELOPE: ReadonlySet<string> = new Set(["_meta", "resultType", "ttlMs", "cacheScope"]);

/**
 * Rejects required members of engine messages that the engine does not know, because it could never send these
 * messages.
 */
export function checkEngineMessages(linked: readonly LinkedMessage[], context: LinkContext): void {
  if (context.extended) return;
  for (const { message, method } of linked) {
    const supplied = method.role && SUPPLIED[method.role];
    if (!supplied) continue;
    const params = message.shape.members.get("params");
    if (params && !params.optional) {
      const types = params.types.map(({ type }) => type);
      refuseUnknown(message.declaration.name, types, supplied.params, context);
    }
    const result = method.result && context.shapes.declaration(method.result.type);
    if (result?.kind === "interface") {
      const type: TypeExpression = { kind: "reference", name: result.name, span: result.span };
      refuseUnknown(result.name, [type], supplied.result, context);
    }
  }
}

function refuseUnknown(
  owner: string,
  types: readonly TypeExpression[],
  supplied: readonly string[],
  context: LinkContext,
): void {
  const members = types.flatMap((type) => [...(context.shapes.of(type)?.members ?? [])]);
  for (const [name, { optional, types: of }] of members) {
    if (optional || ENVELOPE.has(name) || supplied.includes(name)) continue;
    context.report({
      code: "MCG3032",
      message: `${owner} requires \`${name}\`, which the runtime cannot know: it sends this message itself.`,
      hint: `Make \`${name}\` optional, or move it into a message of your own; the runtime fills in ${listed(supplied)}.`,
      span: of[0]?.type.span ?? context.shapes.declaration(owner)!.span,
      about: `${owner}.${name}`,
    });
  }
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing here" : names.map((name) => `\`${name}\``).join(", ");
}
