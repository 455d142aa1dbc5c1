import { LOG_LEVELS, type LogLevel, severityOf } from "../../features/log-levels.js";
import { META } from "../../lifecycle/meta-keys.js";
import { metaOf } from "../../lifecycle/stands-alone.js";
import type { AnySendMiddleware } from "../../send-middleware.js";

/** @throws TypeError for an unknown level */
export function assertIsLevel(level: LogLevel): void {
  if (severityOf(level) >= 0) return;
  throw new TypeError(`${String(level)} is no log level: ${LOG_LEVELS.join(", ")} are`);
}

/** Puts into each request which log messages are wanted, under revisions where requests say that (MCP: logging). */
export function askForLog(levelOf: () => LogLevel | undefined): AnySendMiddleware {
  return ({ kind, params, session }, send) => {
    const level = levelOf();
    const { requestMeta } = session.revision.traits;
    if (kind !== "request" || requestMeta !== "required" || level === undefined) return send();
    const meta = { [META.logLevel]: level, ...metaOf(params) };
    return send({ params: { ...(params as object | undefined), _meta: meta } });
  };
}
