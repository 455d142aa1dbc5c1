import type { Binding } from "../binding.js";
import { LifecycleError } from "../errors.js";
import type { Admitted, Agreement, Lifecycle, Opening } from "./lifecycle.js";

/** The place of conversations without a handshake, where each request says all about itself. */
export class Stateless implements Lifecycle {
  readonly binding: Binding;
  readonly agreement: Agreement | undefined = undefined;

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
      `Revision ${id} has no handshake, and this runtime cannot connect without one yet; types and validators work`,
    );
  }
}
