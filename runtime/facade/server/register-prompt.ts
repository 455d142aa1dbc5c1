import type { PromptDefinition, Prompts, Schemas } from "../../features/index.js";
import type { AccessOptions } from "./access-rule.js";
import { adaptPrompt, type PromptSpec } from "./adapt-prompt.js";
import { completersIn } from "./completable.js";
import { RegistrationHandle, replacementOf } from "./registration-handle.js";
import type { AnyTypes } from "./neutral-types.js";
import type { PromptCompleters, SomeCompleters } from "./prompt-completers.js";
import type { PromptHandle } from "./prompt-types.js";

export interface PromptRegistry extends AccessOptions {
  /** Makes suggestions a part of the server. */
  use<Added>(offer: "completions", add: () => Added): Added;
  readonly prompts: Prompts<PromptDefinition, unknown>;
  readonly completers: PromptCompleters;
  readonly schemas: Schemas;
}

/** A prompt as it is registered, suggestions included. */
export interface CompletablePromptSpec extends PromptSpec {
  readonly complete?: SomeCompleters | undefined;
}

/** Alternative names that changes of a prompt can have. */
const ALIASES = { callback: "handler" };

/** @throws TypeError as `Prompts.add` does, and for suggestions for arguments that there are not */
export function registerPrompt(
  registry: PromptRegistry,
  given: CompletablePromptSpec,
): PromptHandle<AnyTypes> {
  const { prompts, completers } = registry;
  const prompt = adapted(given, registry);
  const added = withSuggestions(prompt, registry, () =>
    prompts.add(prompt.definition as never, prompt.handler),
  );
  completers.set(added, prompt.completers);
  const handle = new RegistrationHandle<CompletablePromptSpec, PromptDefinition>({
    given,
    added,
    access: registry,
    aliases: ALIASES,
    remake: (changes) => {
      const changed = adapted(changes, registry);
      withSuggestions(changed, registry, () => {
        added.update(replacementOf(added.definition, changed.definition), changed.handler);
      });
      completers.set(added, changed.completers);
    },
    removed: () => completers.delete(added),
  });
  return handle as unknown as PromptHandle<AnyTypes>;
}

interface AdaptedPrompt {
  readonly definition: PromptDefinition;
  readonly handler: never;
  readonly completers: SomeCompleters;
}

function adapted(
  { complete, ...prompt }: CompletablePromptSpec,
  { contextOf, schemas, completers }: PromptRegistry,
): AdaptedPrompt {
  const { definition, handler } = adaptPrompt(prompt, contextOf, schemas);
  const all = { ...completersIn(prompt.argsSchema), ...complete };
  completers.check(definition, all);
  return { definition, handler: handler as never, completers: all };
}

/** Registers completers, which declares the capability for completions. */
function withSuggestions<Added>(
  { completers }: AdaptedPrompt,
  registry: PromptRegistry,
  add: () => Added,
): Added {
  return Object.keys(completers).length === 0 ? add() : registry.use("completions", add);
}
