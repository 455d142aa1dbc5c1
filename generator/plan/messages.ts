import type { Method, Protocol } from "../link/protocol.js";
import type { MessageMap, MessageUnion, Side, SideMessages } from "./revision-plan.js";
import { isSentBy } from "./stubs.js";

export function planMaps(methods: readonly Method[]): MessageMap[] {
  const onWire = (kind: Method["kind"], side: Side): Method[] =>
    methods.filter((method) => method.kind === kind && isOnWire(method, side));
  const maps: MessageMap[] = [
    {
      name: "ClientRequests",
      description: "Requests from a client to a server, by method.",
      methods: onWire("request", "client"),
    },
    {
      name: "ServerRequests",
      description: "Requests from a server to a client, by method.",
      methods: onWire("request", "server"),
    },
    {
      name: "ClientNotifications",
      description: "Notifications from a client to a server, by method.",
      methods: onWire("notification", "client"),
    },
    {
      name: "ServerNotifications",
      description: "Notifications from a server to a client, by method.",
      methods: onWire("notification", "server"),
    },
  ];
  const embedded = methods.filter(({ channel }) => channel === "embedded");
  if (embedded.length === 0) return maps;
  const description = "Requests of a server that travel inside a result, by method.";
  return [...maps, { name: "EmbeddedRequests", description, methods: embedded }];
}

export function planMessages({ methods, declarations }: Protocol): SideMessages[] {
  const declared = new Set(declarations.map(({ name }) => name));
  return (["client", "server"] as const).map((side) => {
    const [prefix, other] = side === "client" ? ["Client", "Server"] : ["Server", "Client"];
    const union = (kind: Method["kind"]): MessageUnion => {
      const name = `${prefix}${kind === "request" ? "Request" : "Notification"}`;
      const own = methods.filter((method) => method.kind === kind && isOnWire(method, side));
      return { name, kind, declared: declared.has(name), methods: own };
    };
    return {
      side,
      unions: [union("request"), union("notification")],
      otherRequests: `${other}Requests`,
      names: { message: `${prefix}Message`, call: `${prefix}Call`, reply: `${prefix}Reply` },
    };
  });
}

function isOnWire(method: Method, side: Side): boolean {
  return method.channel === "wire" && isSentBy(method, side);
}
