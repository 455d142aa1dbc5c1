import { describe, expect, it } from "vitest";
import type { Feature } from "../../runtime/api/feature.js";
import {
  Completions,
  Elicitation,
  Logging,
  Prompts,
  Resources,
  Roots,
  Sampling,
  Tools,
} from "../../runtime/features/index.js";
import { handshakes } from "./support/revisions.js";

const ofServers: (() => Feature)[] = [
  () => new Tools(),
  () => new Prompts(),
  () => new Resources({ subscriptions: {} }),
  () => new Completions(),
  () => new Logging(),
];
const ofClients: (() => Feature)[] = [
  () => new Roots(),
  () => new Sampling(() => ({})),
  () => new Elicitation({ form: () => ({ action: "cancel" }) }),
];
const info = { name: "test", version: "1" };

describe.each(handshakes)("features under %s", (_id, { Client, Server, revision }) => {
  const serve = (handlers: object, features: Feature[]) => new Server(info, handlers, { features });
  const isKnown = ({ handlers }: Feature): boolean =>
    Object.keys(handlers).some((method) => revision.methods.has(method));

  it.each(ofServers)("reject %s on a client", (make) => {
    expect(() => new Server(info, {}, { features: [make()] })).not.toThrow();
    expect(() => new Client(info, {}, { features: [make()] })).toThrow(
      /not a message that a client/,
    );
  });

  it.each(ofClients)("reject %s on a server, if the revision has it at all", (make) => {
    const feature = make();
    expect(() => new Client(info, {}, { features: [feature] })).not.toThrow();
    if (isKnown(feature)) expect(() => serve({}, [make()])).toThrow(/not a message that a server/);
    else expect(() => serve({}, [make()])).not.toThrow();
  });

  it("have the only handler of a method", () => {
    expect(() => serve({}, [new Tools(), new Tools()])).toThrow("tools/list has two handlers");
    const handlers = { "tools/call": () => ({}) };
    expect(() => serve(handlers, [new Tools()])).toThrow("tools/call has two handlers");
  });
});
