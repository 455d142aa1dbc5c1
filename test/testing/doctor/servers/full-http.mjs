// The full server over Streamable HTTP: sessions up to 2025-11-25, and stateless requests.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const isOwn = (name) => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(name);

export async function serveHttp({ fault, handle, createSession, STATELESS, KEY }) {
  const options = fault.http ?? {};
  const { isLocal = isOwn } = options;
  const sessions = new Map();
  const streams = new Map();
  const resumed = new Map();
  const deleted = new Set();
  let events = 0;

  const json = (response, status, body, headers = {}) => {
    response.writeHead(status, {
      "content-type": options.jsonType ?? "application/json",
      ...headers,
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const refuse = (response, status, error, id) =>
    json(response, status, error && { jsonrpc: "2.0", ...(id !== undefined && { id }), error });
  const statusOf = ({ error }, isStateless) => {
    if (!isStateless || error === undefined || options.always200) return 200;
    return { [-32601]: 404, [-32020]: 400, [-32021]: 400, [-32022]: 400 }[error.code] ?? 200;
  };

  const server = createServer(async (request, response) => {
    const { headers, method, url } = request;
    if (options.intercept?.(request, response, { port: server.address().port, json })) return;
    if (options.resumesPosts && headers["last-event-id"] !== undefined)
      return void response.writeHead(400).end();
    const path = options.anyQuery ? url.replace(/\?.*/, "") : url;
    if (path !== "/mcp") return void response.writeHead(404).end();
    const { origin, host } = headers;
    if (
      origin !== undefined &&
      !isLocal(origin.replace(/^https?:\/\//, "")) &&
      !options.anyOrigin &&
      !(options.getAnyOrigin && request.method === "GET") &&
      !(options.deleteAnyOrigin && request.method === "DELETE") &&
      !(options.originOfOpening && headers["mcp-session-id"] !== undefined)
    ) {
      return void response.writeHead(options.originStatus ?? 403).end();
    }
    if (!isOwn(host) && !options.anyHost) return void response.writeHead(403).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = options.chunksAsText ? chunks.join("") : Buffer.concat(chunks).toString();
    const { "mcp-session-id": given, "mcp-protocol-version": version } = headers;
    if (method === "GET" || method === "DELETE") {
      if (version === STATELESS || (given === undefined && version === undefined)) {
        return void response.writeHead(options.statelessGet ?? 405).end();
      }
      const session = sessions.get(given);
      if (session === undefined) return void response.writeHead(404).end();
      const isOther = version !== undefined && version !== session.version;
      const isAny = options.anyVersion || options.anyVersionOf?.includes(method);
      if (isOther && session.version >= "2025-06" && !isAny)
        return void response.writeHead(400).end();
      if (method === "DELETE") {
        if (options.deleteStatus) return void response.writeHead(options.deleteStatus).end();
        if (options.deletesAll) sessions.clear();
        if (!options.keepsSessions) sessions.delete(given);
        deleted.add(given);
        return void response.writeHead(200).end();
      }
      if (options.getStatus)
        return void response
          .writeHead(options.getStatus, { "content-type": "text/plain" })
          .end("no");
      const last = headers["last-event-id"];
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      if (last !== undefined && !options.newStreams) {
        const [stream] = last.split("/");
        const missed = options.replaysAll
          ? [...streams.values()].flat()
          : (streams.get(stream) ?? []);
        const from = missed.findIndex(({ id }) => id === last);
        for (const { id, data } of missed.slice(from + 1))
          response.write(`id: ${id}\ndata: ${data}\n\n`);
        resumed.set(options.resumesAll ? "all" : stream, response);
        return;
      }
      session.get = response;
      session.gets = [...(session.gets ?? []), response];
      if (options.getEndsSession) response.on("close", () => sessions.delete(given));
      if (options.getPolls) setTimeout(() => response.end(), 100);
      if (options.getPolls?.retry) response.write(`retry: ${options.getPolls.retry}\n\n`);
      if (options.getPolls) response.write("id: 1\ndata:\n\n");
      options.onGet?.({
        session,
        write: (message) => response.write(`data: ${JSON.stringify(message)}\n\n`),
      });
      return;
    }
    if (method !== "POST") return void response.writeHead(405).end();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return refuse(response, options.badBody ?? 400, { code: -32700, message: "Parse error" });
    }
    if (Object.keys(message).length === 0)
      return void response.writeHead(options.acceptsAnything ? 202 : 400).end();
    if (!/json/.test(headers["content-type"] ?? "")) return refuse(response, 415);
    if (!/json|\*\/\*/.test(headers.accept ?? "")) return refuse(response, 406);
    const meta = message.params?.["_meta"] ?? {};
    const isStateless = meta[`${KEY}protocolVersion`] !== undefined || version === STATELESS;
    const isOpening = message.method === "initialize";
    let session;
    if (isStateless) {
      session = createSession();
      session.isStateless = true;
      const fault20 = mismatch(message, headers, meta);
      if (fault20 !== undefined && !options.anyHeaders) {
        return refuse(
          response,
          options.mismatchStatus ?? 400,
          { code: -32020, message: fault20 },
          options.withoutId ? null : message.id,
        );
      }
    } else if (isOpening) {
      session = createSession();
      if (options.oneSession) sessions.clear();
      session.id = options.sessionId ?? randomUUID();
      sessions.set(session.id, session);
    } else {
      if (given === undefined) {
        if (!options.anySession && !options.noSession)
          return refuse(response, options.missingSession ?? 400);
        session = [...sessions.values()].at(-1);
      } else
        session =
          sessions.get(given) ?? (options.anySession ? [...sessions.values()].at(-1) : undefined);
      const isIgnored = options.deadNotifications && message.id === undefined;
      if (isIgnored && deleted.has(given)) return void response.writeHead(202).end();
      if (session === undefined) return refuse(response, options.unknownSession ?? 404);
      const isKnown =
        version === undefined || version === session.version || session.version < "2025-06";
      if (!isKnown && !options.anyVersion) return refuse(response, options.versionStatus ?? 400);
    }
    const isNamed = isOpening || options.alwaysSession || options.newSessionIds;
    const assigned = isNamed && {
      "mcp-session-id": isOpening || !options.newSessionIds ? (session.id ?? "abc") : randomUUID(),
    };
    const stream = randomUUID();
    let isStream = options.streams === true || message.method === "subscriptions/listen";
    const writeEvent = (one) => {
      const id = options.eventIds ? (options.sameIds ? "1" : `${stream}/${++events}`) : undefined;
      const data = JSON.stringify(one);
      if (options.dropsClosed && response.destroyed) return;
      if (id) streams.set(stream, [...(streams.get(stream) ?? []), { id, data }]);
      for (const key of [stream, "all"]) resumed.get(key)?.write(`id: ${id}\ndata: ${data}\n\n`);
      const type = options.eventType ? `event: ${options.eventType}\n` : "";
      response.write(`${type}${id ? `id: ${id}\n` : ""}data: ${data}\n\n`);
    };
    const head = () => {
      if (response.headersSent) return;
      response.writeHead(200, {
        "content-type": options.streamType ?? "text/event-stream",
        ...(!options.buffered && { "x-accel-buffering": "no" }),
        ...assigned,
      });
      if (options.eventIds) {
        const id = options.sameIds ? "1" : `${stream}/${++events}`;
        streams.set(stream, [{ id, data: "" }]);
        if (!options.unprimed) response.write(`id: ${id}\ndata: ${options.priming ?? ""}\n\n`);
      }
    };
    const send = (one) => {
      head();
      isStream = true;
      writeEvent(one);
    };
    const messages = Array.isArray(message) ? message : [message];
    if (Array.isArray(message) && session.version !== "2025-03-26" && !fault.batches)
      return refuse(response, 400, { code: -32600, message: "No batches" });
    const responses = (await Promise.all(messages.map((one) => handle(one, session, send)))).filter(
      Boolean,
    );
    if (message.method === "subscriptions/listen" && responses.length === 0) {
      fault.after?.(message, { session, send, write: send });
      return;
    }
    if (responses.length === 0) {
      if (response.headersSent) return void response.end();
      if (options.acceptedBody)
        return void response
          .writeHead(options.acceptedStatus ?? 202, {
            "content-type": options.acceptedType ?? "text/plain",
          })
          .end(options.acceptedBody);
      const ofResponse = message.method === undefined && options.responseStatus;
      return void response.writeHead(ofResponse || (options.acceptedStatus ?? 202)).end();
    }
    const body = Array.isArray(message) ? responses : responses[0];
    if (options.onResponse?.({ response, body, message, session, send })) return;
    if (options.polls && message.method === "tools/call" && !isStateless) {
      head();
      const { retry } = options.polls;
      response.end(retry && `retry: ${retry}\n\n`);
      streams.get(stream).push({ id: `${stream}/${++events}`, data: JSON.stringify(body) });
    } else if (isStream && (response.headersSent || statusOf(responses[0], isStateless) === 200)) {
      send(body);
      if (!options.neverEnds) response.end();
    } else {
      const isBare =
        isStateless &&
        ["clientCapabilities", "protocolVersion"].some((name) => meta[KEY + name] === undefined);
      const isRefused = isBare && responses[0].error?.code === -32602;
      json(response, isRefused ? 400 : statusOf(responses[0], isStateless), body, assigned || {});
    }
    await fault.after?.(message, {
      session,
      send: (one) => {
        for (const get of options.getsOf?.(session.gets ?? []) ?? [session.get])
          get?.write(`data: ${JSON.stringify(one)}\n\n`);
      },
    });
  });

  function mismatch({ method, params = {} }, headers, meta) {
    const field = headers["mcp-protocol-version"];
    const isAbsent = options.versionOptional && field === undefined;
    const isOther = options.sessionVersion && field?.startsWith("2025");
    if (!isAbsent && !isOther && headers["mcp-protocol-version"] !== meta[`${KEY}protocolVersion`])
      return meta[`${KEY}protocolVersion`] === undefined ? undefined : "version";
    const lower = (text) => (options.anyCase ? String(text).toLowerCase() : text);
    if (
      lower(headers["mcp-method"]) !== lower(method) &&
      !(options.noMethodHeader && headers["mcp-method"] === undefined)
    )
      return "method";
    const names = {
      "tools/call": params.name,
      "prompts/get": params.name,
      "resources/read": params.uri,
      "tasks/get": params.taskId,
    };
    const named = Object.hasOwn(names, method) ? names[method] : undefined;
    const isAny = options.anyName === true || options.anyName?.includes(method);
    const same = (text) => (options.nameAnyCase ? text?.toLowerCase() : text);
    if (named !== undefined && !isAny && same(decode(headers["mcp-name"])) !== same(named))
      return "name";
    const region = method === "tools/call" ? params.arguments?.region : undefined;
    const param = headers["mcp-param-region"];
    const given = options.paramsUndecoded ? param : decode(param);
    if (region !== undefined && !options.anyParams && given !== region) return "param";
    const zone = method === "tools/call" ? params.arguments?.zone : undefined;
    const number = options.zonesAsText
      ? headers["mcp-param-zone"]
      : Number(headers["mcp-param-zone"]);
    if (
      zone !== undefined &&
      !options.anyParams &&
      !options.anyZone &&
      String(number) !== String(zone)
    )
      return "param";
    return undefined;
  }
  function decode(value) {
    if (/[^\t\x20-\x7e]/.test(value ?? "") && !options.rawNames) return undefined;
    const marked = options.anyMarker ? /^=\?base64\?(.*)\?=$/i : /^=\?base64\?(.*)\?=$/;
    const [, encoded] = marked.exec(value ?? "") ?? [];
    if (encoded === undefined || options.noDecoding) return value;
    const { lenientBase64: lenient } = options;
    const isBase64 = lenient === "letters" || !/[^\w+/=-]/.test(encoded);
    if ((encoded.length % 4 !== 0 || !isBase64) && lenient !== true) return undefined;
    return Buffer.from(encoded, "base64").toString(options.namesLatin1 ? "latin1" : "utf8");
  }

  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
  process.stdin.on("end", () => process.exit(0)).resume();
}
