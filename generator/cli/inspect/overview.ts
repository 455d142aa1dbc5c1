import { valueText } from "../../diff/value-text.js";
import type { Method, Protocol } from "../../link/protocol.js";
import type { Outcome } from "../outcome.js";
import { alignRows } from "../table.js";
import { paint, type Text } from "../text.js";
import { count } from "../units.js";
import { methodToJson, paramsText, resultText } from "./method.js";

const SENDERS = {
  client: "from the client",
  server: "from the server",
  both: "from both sides",
} as const;

/** All methods of a revision by kind and sender, and what sets the revision apart. */
export function overview(protocol: Protocol): Outcome {
  const { revision, source, traits, conventions, methods, declarations } = protocol;
  const requests = methods.filter(({ kind }) => kind === "request").length;
  const counts = {
    requests,
    notifications: methods.length - requests,
    declarations: declarations.length,
  };
  return {
    data: { revision, source, traits, conventions, counts, methods: methods.map(methodToJson) },
    lines: [
      [paint("bold", revision), `  ${source.file}, sha256 ${source.sha256.slice(0, 16)}…`],
      `${count(requests, "request")}, ${count(counts.notifications, "notification")}, ${count(declarations.length, "declaration")}`,
      paint("dim", listed(traits)),
      paint("dim", listed(conventions)),
      ...sections(methods),
    ],
  };
}

function listed(values: object): string {
  const members = Object.entries(values).map(([name, value]) => `${name}: ${valueText(value)}`);
  return members.join(" · ");
}

function sections(methods: readonly Method[]): Text[] {
  return (["request", "notification"] as const).flatMap((kind) =>
    (["client", "server", "both"] as const).flatMap((from) => {
      const own = methods.filter((method) => method.kind === kind && method.from === from);
      if (own.length === 0) return [];
      const isRequest = kind === "request";
      const head = ["Method", "Parameters", ...(isRequest ? ["Result"] : []), "Capability"];
      const [header, ...rows] = alignRows([head, ...own.map((method) => row(method, isRequest))]);
      const title = `${isRequest ? "Requests" : "Notifications"} ${SENDERS[from]}`;
      return ["", paint("bold", title), paint("dim", header ?? ""), ...rows];
    }),
  );
}

function row(method: Method, isRequest: boolean): string[] {
  const { capability = "", channel, deprecated } = method;
  const notes = [
    ...(channel === "embedded" ? ["inside results"] : []),
    ...(deprecated ? ["deprecated"] : []),
  ];
  const name = notes.length === 0 ? method.method : `${method.method} (${notes.join(", ")})`;
  return [name, paramsText(method), ...(isRequest ? [resultText(method)] : []), capability];
}
