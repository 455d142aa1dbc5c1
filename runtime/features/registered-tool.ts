import type { AccessRule } from "./access-rule.js";
import type { Registration } from "./registry.js";
import type { ToolBehaviour } from "./tool-calls.js";
import type { ToolChecks, ToolHandler, ToolRegistration } from "./tool-types.js";

/** @throws TypeError when a tool cannot be as it is wanted */
type MakeBehaviour<Tool, Result, Context> = (
  tool: Tool,
  handler: ToolHandler<Result, Context>,
  checks: ToolChecks,
) => ToolBehaviour<Result, Context>;

/** A tool in a registry, together with what its checks are made of. */
export class RegisteredTool<Tool, Result, Context> implements ToolRegistration<
  Tool,
  Result,
  Context
> {
  readonly #registration: Registration<Tool, ToolBehaviour<Result, Context>>;
  readonly #makeBehaviour: MakeBehaviour<Tool, Result, Context>;
  #behaviour: ToolBehaviour<Result, Context>;

  constructor(
    registration: Registration<Tool, ToolBehaviour<Result, Context>>,
    behaviour: ToolBehaviour<Result, Context>,
    makeBehaviour: MakeBehaviour<Tool, Result, Context>,
  ) {
    this.#registration = registration;
    this.#behaviour = behaviour;
    this.#makeBehaviour = makeBehaviour;
  }

  get definition(): Tool {
    return this.#registration.definition;
  }

  get isEnabled(): boolean {
    return this.#registration.isEnabled;
  }

  update(
    changes: Partial<Tool>,
    handler: ToolHandler<Result, Context> = this.#behaviour.handler,
    checks: ToolChecks = this.#behaviour.checks,
  ): void {
    const behaviour = this.#makeBehaviour({ ...this.definition, ...changes }, handler, checks);
    this.#registration.update(changes, behaviour);
    this.#behaviour = behaviour;
  }

  enable(): void {
    this.#registration.enable();
  }

  disable(): void {
    this.#registration.disable();
  }

  restrict(rule: AccessRule): void {
    this.#registration.restrict(rule);
  }

  remove(): void {
    this.#registration.remove();
  }
}
