import { Program } from "../../core/program.js";
import type { Era } from "./conversation.js";
import { type Extents, extentOf } from "./extents.js";

export interface Client {
  readonly name: string;
  /** Below `programs/client`. */
  readonly file: string;
}

export interface ClientFigures {
  /** In microseconds, for one call. */
  readonly cpu: number;
  readonly perSecond: number;
}

/** One process, which has the bare server as its child. */
export async function measureClient(
  { name, file }: Client,
  era: Era,
  { warmUp, measured }: Extents,
): Promise<ClientFigures> {
  const env = { ERA: era, WARM_UP: JSON.stringify(extentOf(warmUp)), MEASURED: String(measured) };
  const program = new Program(`programs/client/${file}`, env);
  try {
    return await program.said<ClientFigures>();
  } catch (cause) {
    throw new Error(`The client ${name}, ${era}: ${(cause as Error).message}`, { cause });
  } finally {
    await program.end();
  }
}
