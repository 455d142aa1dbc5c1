import {
  LOG_LEVELS,
  type LogLevel,
  META,
  type Method,
  metaOf,
  severityOf,
} from "../../wire/index.js";
import type { AnySendMiddleware, Send, Sending, Session } from "../../api/index.js";

/** @throws TypeError for an unknown level */
export function assertIsLevel(level: LogLevel): void {
  if (severityOf(level) >= 0) return;
  throw new TypeError(`${String(level)} is no log level: ${LOG_LEVELS.join(", ")} are`);
}

function concerns({ kind }: Method, { revision }: Session): boolean {
  return kind === "request" && revision.traits.requestMeta === "required";
}

/** Puts into each request which log messages are wanted, under revisions where requests say that (MCP: logging). */
export function askForLog(levelOf: () => LogLevel | undefined): AnySendMiddleware {
  const ask = ({ params }: Sending, send: Send): unknown => {
    const level = levelOf();
    if (level === undefined) return send();
    const meta = { [META.logLevel]: level, ...metaOf(params) };
    return send({ params: { ...(params as object | undefined), _meta: meta } });
  };
  return Object.assign(ask, { concerns });
}
