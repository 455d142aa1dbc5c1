import { createHttpHandler, type HttpHandler } from "@mcp-codegen/runtime/http/server";
import * as first from "@mcp-codegen/2024-11-05";
import * as second from "@mcp-codegen/2025-03-26";
import * as third from "@mcp-codegen/2025-06-18";
import * as fourth from "@mcp-codegen/2025-11-25";
import type { Package } from "../../behaviour/support/packages.js";
import { Serving } from "../../behaviour/wires/serving.js";
import type { ServerKind } from "../../behaviour/wires/wire.js";

/* Servers for the behavioural cases: /<number>/<revision>/<kind>/<trusts>/<sessions>/mcp, and /report/<number>. */

const packages = [first, second, third, fourth] as unknown as readonly Package[];

interface Service {
  readonly serving: Serving;
  readonly handler: HttpHandler;
}

const services = new Map<string, Service>();

function serviceAt([number = "", id, kind, trusts, sessions]: readonly string[]): Service {
  const known = services.get(number);
  if (known !== undefined) return known;
  const from = packages.find(({ revision }) => revision.id === id)!;
  const serving = new Serving(from, kind as ServerKind, trusts === "trusts");
  const isSession = sessions === "sessions";
  const handler = createHttpHandler(serving, {
    onerror: serving.report,
    ...(isSession ? { responses: "auto", upgradeAfter: 1 } : { sessions: false }),
  });
  const service = { serving, handler };
  services.set(number, service);
  return service;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const [number = "", ...rest] = new URL(request.url).pathname.slice(1).split("/");
    if (number === "") return new Response("ready");
    if (number !== "report") return serviceAt([number, ...rest]).handler(request);
    const { violations = [], errors = [] } = services.get(rest[0] ?? "")?.serving ?? {};
    return Response.json({ violations, errors });
  },
};
