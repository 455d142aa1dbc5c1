import type { RedisClient } from "./redis-client.js";

/** Listens to the errors of a client. @returns what stops it */
export function clientErrors(
  client: Pick<RedisClient, "on" | "off">,
  listener: (error: Error) => void,
): () => void {
  const heard = (error: unknown): void => listener(error as Error);
  client.on("error", heard);
  return () => void client.off("error", heard);
}
