import type {
  Completer,
  Completers,
  CompletionSource,
  PromptDefinition,
} from "../../features/index.js";
import type { HandlerContext } from "../../api/index.js";
import { quote } from "../../wire/index.js";
import type { ServerContext } from "./context-types.js";
import type { MakeContext } from "./facade-context.js";
import type { FeatureEntry } from "./registration-handle.js";
import type { AnyTypes } from "./neutral-types.js";

export type SomeCompleters = Completers<ServerContext<AnyTypes>>;

/** Suggestions for the arguments of the prompts of a server. */
export class PromptCompleters {
  readonly #contextOf: MakeContext;
  readonly #isVisible: (name: string, context: HandlerContext) => boolean;
  readonly #entries = new Map<FeatureEntry<PromptDefinition>, Completers<HandlerContext>>();

  /** @param isVisible - true when a request sees the prompt of that name */
  constructor(
    contextOf: MakeContext,
    isVisible: (name: string, context: HandlerContext) => boolean,
  ) {
    this.#contextOf = contextOf;
    this.#isVisible = isVisible;
  }

  /** @throws TypeError for completers of arguments that a prompt does not have */
  check({ name, arguments: known = [] }: PromptDefinition, completers: SomeCompleters): void {
    const names = known.map((argument) => argument.name);
    const strange = Object.keys(completers).find((one) => !names.includes(one));
    if (strange === undefined) return;
    const text = `The prompt ${quote(name)} has no argument ${quote(strange)} to complete`;
    throw new TypeError(`${text}: it has ${names.join(", ") || "none"}`);
  }

  set(prompt: FeatureEntry<PromptDefinition>, completers: SomeCompleters): void {
    this.#entries.set(prompt, adaptCompleters(completers, this.#contextOf));
  }

  delete(prompt: FeatureEntry<PromptDefinition>): void {
    this.#entries.delete(prompt);
  }

  /** All arguments of a prompt are known, whether there is something to suggest or not. */
  readonly source: CompletionSource = (reference, context) => {
    if (reference.type !== "ref/prompt" || !this.#isVisible(reference.name, context)) {
      return undefined;
    }
    for (const [{ definition, isEnabled }, completers] of this.#entries) {
      if (!isEnabled || definition.name !== reference.name) continue;
      const names = (definition.arguments ?? []).map(({ name }) => name);
      return Object.fromEntries(
        names.map((name) => [name, Object.hasOwn(completers, name) ? completers[name] : undefined]),
      );
    }
    return undefined;
  };
}

/** Completers that get the context of the facade. */
export function adaptCompleters(
  completers: SomeCompleters,
  contextOf: MakeContext,
): Completers<HandlerContext> {
  const adapted = Object.entries(completers).map(([name, complete]) => [
    name,
    complete && adaptCompleter(complete, contextOf),
  ]);
  return Object.fromEntries(adapted) as Completers<HandlerContext>;
}

function adaptCompleter(
  complete: Completer<ServerContext<AnyTypes>>,
  contextOf: MakeContext,
): Completer<HandlerContext> {
  return (value, call) =>
    complete(value, { arguments: call.arguments, context: contextOf(call.context) });
}
