import { createClient, createCluster } from "@redis/client";
import { Cluster, Redis } from "ioredis";
import type { RedisClient } from "@mcp-codegen/redis";

/** A client for a test, and the function that closes it. */
export interface TestClient {
  readonly client: RedisClient;
  /** Deletes everything. */
  clear(): Promise<unknown>;
  close(): void;
}

/** Both libraries by name; each creates a client for one server or for a cluster. */
export const libraries: Readonly<
  Record<string, (ports: readonly number[]) => Promise<TestClient>>
> = {
  "@redis/client": async (ports) => {
    const [port] = ports;
    if (ports.length > 1) {
      const rootNodes = ports.map((one) => ({ url: `redis://127.0.0.1:${one}` }));
      const client = createCluster({ rootNodes });
      await client.connect();
      const clear = () =>
        Promise.all(
          client.masters.map(async (master) => (await client.nodeClient(master)).flushAll()),
        );
      return { client, clear, close: () => void client.destroy() };
    }
    const client = createClient({ url: `redis://127.0.0.1:${port}` });
    client.on("error", () => {});
    await client.connect();
    return { client, clear: () => client.flushAll(), close: () => void client.destroy() };
  },
  ioredis: async (ports) => {
    const [port] = ports;
    const client =
      ports.length > 1
        ? new Cluster(ports.map((one) => ({ host: "127.0.0.1", port: one })))
        : new Redis(port!);
    const clear = () =>
      client instanceof Cluster
        ? Promise.all(client.nodes("master").map((node) => node.flushall()))
        : client.flushall();
    return { client, clear, close: () => void client.disconnect() };
  },
};
