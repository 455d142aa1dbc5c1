import { createClient } from "@redis/client";
import { redis, type RedisStores } from "@mcp-codegen/redis";

const PREFIX = "everything-server:";

/** The stores and secrets that several instances of the everything-server share. */
export interface Shared {
  readonly stores: RedisStores;
  /** Secrets of 32 bytes each, for rounds and for the cursors between pages. */
  readonly keys: { readonly rounds: Uint8Array; readonly pages: Uint8Array };
  close(): Promise<void>;
}

/** @param url - the URL of a Redis server, such as `redis://localhost:6379` */
export async function connectShared(url: string): Promise<Shared> {
  const client = createClient({ url });
  client.on("error", (error: Error) => console.error(`Redis: ${error.message}`));
  await client.connect();
  const stores = redis(client, { prefix: PREFIX });
  const secret = async (name: string): Promise<Uint8Array> => {
    const key = `${PREFIX}secret:${name}`;
    const own = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    await client.set(key, own, { condition: "NX", expiration: { type: "EX", value: 86_400 } });
    return Buffer.from((await client.get(key))!, "base64");
  };
  return {
    stores,
    keys: { rounds: await secret("rounds"), pages: await secret("pages") },
    close: async () => {
      stores.close();
      await client.close();
    },
  };
}
