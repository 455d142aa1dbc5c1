import type { HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import { type EventReader, type RawClient, type Reach, serve } from "./serve.js";
import { ToyServer } from "./toy-server.js";

/** Returns an initialized client, and a function that sends it a notification outside any request. */
export async function opened(
  reach: Reach,
  revision = "2025-11-25",
  options: HttpHandlerOptions = {},
): Promise<{ toy: ToyServer; client: RawClient; announce: (data: unknown) => Promise<void> }> {
  const toy = new ToyServer();
  const client = await serve(toy.server, options, reach);
  await client.initialize(revision);
  const notify = toy.server.notify.bind(toy.server) as unknown as (
    method: string,
    params: object,
  ) => Promise<void>;
  const announce = (data: unknown) => notify("notifications/message", { level: "info", data });
  return { toy, client, announce };
}

/** Returns the data of the next log message in a stream. */
export const dataOf = async (reader: EventReader) => (await reader.message())?.params?.data;
