import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Transport } from "../../../runtime/wire/messages/transport.js";

/** Returns two connected transports in this process: one for an endpoint of ours, and one for the official SDK. */
export function sdkPair(): [Transport, InMemoryTransport] {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const ours: Transport = {
    start(receiver) {
      Object.assign(near, {
        onmessage: (message: JSONRPCMessage) => receiver.message(message),
        onclose: () => receiver.closed(),
      });
      return near.start();
    },
    send(frame) {
      const message = JSON.parse(JSON.stringify(frame)) as JSONRPCMessage;
      void near.send(message);
      return undefined;
    },
    close: () => near.close(),
  };
  return [ours, far];
}
