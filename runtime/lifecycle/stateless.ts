import type { Binding } from "../binding.js";
import { LifecycleError } from "../errors.js";
import type { Admitted, Lifecycle, Opening, Session } from "./lifecycle.js";

/** The place of conversations without a handshake, where each request says all about itself. */
export class Stateless implements Lifecycle {
  readonly binding: Binding;
  readonly session: Session | undefined = undefined;

  constructor({ revisions, bind }: Opening) {
    this.binding = bind(revisions[0]!);
  }

  async open(): Promise<void> {
    throw this.#unsupported();
  }

  control(): unknown {
    throw this.#unsupported();
  }

  admit(): Admitted {
    throw this.#unsupported();
  }

  #unsupported(): LifecycleError {
    const id = this.binding.revision?.id;
    return new LifecycleError(
      `Connections without a handshake, as ${id} has them, are not supported yet; its types and validators are`,
    );
  }
}
