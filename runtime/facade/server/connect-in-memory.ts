import { type MemoryPairOptions, memoryPair } from "../../memory/index.js";
import type { Transport } from "../../wire/index.js";

/** A server, as far as connecting to it goes. */
export interface Connectable {
  fork(): { connect(transport: Transport): Promise<void> };
}

/**
 * Connects to a server in this process: through everything that a real connection has but the wire.
 * @returns the client's end, for `connect`
 */
export async function connectInMemory(
  server: Connectable,
  options?: MemoryPairOptions,
): Promise<Transport> {
  const [near, far] = memoryPair(options);
  await server.fork().connect(far);
  return near;
}
