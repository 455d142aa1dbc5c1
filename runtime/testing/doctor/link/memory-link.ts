import type { Frame } from "@mcp-codegen/runtime";
import { type Connectable, connectInMemory } from "@mcp-codegen/universal/server";
import type { Ending, Link, LinkEvents } from "./link.js";

export interface MemoryTarget {
  readonly server: Connectable;
}

/** Connects to a server in this process. */
export function openMemory({ server }: MemoryTarget, events: LinkEvents): Link {
  const opening = connectInMemory(server).then(async (transport) => {
    await transport.start({
      message: (value) => events.message(value, JSON.stringify(value)),
      malformed: ({ text = "" }) => events.text(text),
      failed() {},
      ended() {},
      closed() {},
    });
    return transport;
  });
  return {
    transport: "memory",
    ended: new Promise<Ending>(() => {}),
    async send(text) {
      await (await opening).send(JSON.parse(text) as Frame);
      return undefined;
    },
    async close() {
      await (await opening).close();
      return { by: "eof", stderr: "" };
    },
  };
}
