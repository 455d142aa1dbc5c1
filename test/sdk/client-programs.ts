/* Programs as people write them for the official client; `see` records what a program observes. */

/* eslint-disable @typescript-eslint/no-explicit-any -- one text for classes of four packages */

/** The exports of one generation of the client, official or ours. */
export interface Library {
  readonly Client: new (info: object, options?: object) => any;
  /** The class by which the protocol's errors are recognised. */
  readonly ErrorClass: new (code: number, message: string, data?: unknown) => Error;
  readonly [name: string]: any;
}

/** The ends of a connection to the official server. */
export interface Place {
  readonly transport: any;
  serve(): Promise<void>;
  end(): Promise<void>;
}

interface Stage {
  readonly library: Library;
  /** Creates a client that is closed at the end. */
  clientOf(options?: object): any;
  connected(options?: object): Promise<any>;
  see(what: string, seen: unknown): void;
  /** Records a call's result, or its error: class and code, and the text if the server wrote it. */
  look(what: string, call: () => unknown, withText?: boolean): Promise<void>;
  /** Returns the arguments for a call with options, in the positions that this version expects. */
  withOptions(params: object, options: object): unknown[];
  readonly place: Place;
}

/** A program that runs on a stage. */
export type Program = (stage: Stage) => Promise<void>;

/** Runs a program and returns what it has observed. */
export async function transcriptOf(library: Library, program: Program, place: Place) {
  const seen: unknown[] = [];
  const clients: any[] = [];
  const see = (what: string, value: unknown) =>
    void seen.push([what, JSON.parse(JSON.stringify(value ?? null))]);
  const clientOf = (options?: object) => {
    const client = new library.Client({ name: "program", version: "1.0.0" }, options);
    clients.push(client);
    return client;
  };
  const connected = async (options?: object) => {
    const client = clientOf(options);
    await place.serve();
    await client.connect(place.transport);
    return client;
  };
  const look = async (what: string, call: () => unknown, withText = false) => {
    try {
      see(what, await call());
    } catch (error) {
      const { message, code, data } = error as Error & { code?: unknown; data?: unknown };
      const isProtocolError = error instanceof library.ErrorClass;
      seen.push({ what, isProtocolError, code, ...(withText ? { message, data } : {}) });
    }
  };
  try {
    const withOptions = (params: object, options: object) =>
      library.isVersion1 ? [params, undefined, options] : [params, options];
    await program({ library, clientOf, connected, see, look, withOptions, place });
  } finally {
    for (const client of clients) await client.close();
    await place.end();
  }
  return seen;
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** The programs by subject; `versions` is set if only one generation has that shape. */
export const CLIENT_PROGRAMS: Readonly<
  Record<string, { program: Program; versions?: readonly string[] }>
> = {
  "the server's introduction": {
    program: async ({ connected, see }) => {
      const client = await connected();
      see("capabilities", client.getServerCapabilities());
      see("version", client.getServerVersion());
      see("instructions", client.getInstructions());
    },
  },
  "lists and calls": {
    program: async ({ connected, look }) => {
      const client = await connected();
      await look("ping", () => client.ping());
      await look("tools", async () =>
        (await client.listTools()).tools.map(({ name }: any) => name),
      );
      await look("resources", () => client.listResources());
      await look("templates", () => client.listResourceTemplates());
      await look("read", () => client.readResource({ uri: "note://1" }));
      await look("add", () => client.callTool({ name: "add", arguments: { a: 1 } }));
      await look("level", () => client.setLoggingLevel("error"));
    },
  },
  "errors of the server": {
    program: async ({ connected, look }) => {
      const client = await connected();
      await look("fail", () => client.callTool({ name: "fail" }), true);
      await look("unknown tool", () => client.callTool({ name: "none" }), true);
      await look("arguments", () => client.callTool({ name: "add", arguments: { a: "x" } }), true);
      await look("link", () => client.callTool({ name: "link" }), true);
      await look("resource", () => client.readResource({ uri: "note://none" }), true);
    },
  },
  "capabilities that the server has not": {
    program: async ({ connected, look }) => {
      const client = await connected();
      await look("list", () => client.listPrompts());
      await look("prompt", () => client.getPrompt({ name: "none" }));
      await look("complete", () =>
        client.complete({
          ref: { type: "ref/prompt", name: "none" },
          argument: { name: "a", value: "" },
        }),
      );
    },
  },
  "capabilities that the server has not, strictly": {
    program: async ({ connected, look }) => {
      const client = await connected({ enforceStrictCapabilities: true });
      await look("list", () => client.listPrompts());
      await look("prompt", () => client.getPrompt({ name: "none" }));
      await look("subscribe", () => client.subscribeResource({ uri: "note://1" }));
    },
  },
  "time-outs and aborts": {
    program: async ({ connected, look, withOptions }) => {
      const client = await connected();
      const slow = { name: "slow", arguments: {} };
      await look("timeout", () => client.callTool(...withOptions(slow, { timeout: 50 })));
      await look("aborted before", () =>
        client.callTool(...withOptions(slow, { signal: AbortSignal.abort(new Error("enough")) })),
      );
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("enough")), 50);
      const { signal } = controller;
      await look("aborted", () => client.callTool(...withOptions(slow, { signal })));
      await look("afterwards", () => client.ping());
    },
  },
  "ends of the connection": {
    program: async ({ clientOf, connected, look, see, place }) => {
      await look("before", () => clientOf().ping());
      const client = await connected();
      let closes = 0;
      client.onclose = () => (closes += 1);
      const pending = look("pending", () => client.callTool({ name: "slow" }));
      await pause(30);
      await place.end();
      await pending;
      see("closes", closes);
      see("transport", client.transport === undefined);
      await look("after", () => client.ping());
    },
  },
  progress: {
    program: async ({ connected, look, see, withOptions }) => {
      const client = await connected();
      const received: unknown[] = [];
      const onprogress = (progress: unknown) => received.push(progress);
      await look("call", () =>
        client.callTool(...withOptions({ name: "steps", arguments: {} }, { onprogress })),
      );
      see("progress", received);
    },
  },
  "notifications of version 1": {
    versions: ["version 1"],
    program: async ({ connected, look, see, library }) => {
      const client = await connected();
      const received: unknown[] = [];
      const other: unknown[] = [];
      client.fallbackNotificationHandler = async (notification: unknown) =>
        void other.push(notification);
      client.setNotificationHandler(
        library.LoggingMessageNotificationSchema,
        ({ method, params }: any) => void received.push([method, params]),
      );
      await look("call", () => client.callTool({ name: "news" }));
      await pause(30);
      see("heard", received);
      see("other", other);
    },
  },
  "notifications of version 2": {
    versions: ["version 2"],
    program: async ({ connected, look, see }) => {
      const client = await connected();
      const received: unknown[] = [];
      const other: unknown[] = [];
      client.fallbackNotificationHandler = async (notification: unknown) =>
        void other.push(notification);
      client.setNotificationHandler("notifications/message", ({ method, params }: any) => {
        received.push([method, params]);
      });
      await look("call", () => client.callTool({ name: "news" }));
      await pause(30);
      see("heard", received);
      see("other", other);
    },
  },
  "questions of the server, version 1": {
    versions: ["version 1"],
    program: async ({ connected, look, library }) => {
      const client = await connected({
        capabilities: { elicitation: {}, roots: {}, sampling: {} },
      });
      client.setRequestHandler(library.ElicitRequestSchema, ({ params }: any) => ({
        action: "accept",
        content: { name: params.message },
      }));
      client.setRequestHandler(library.ListRootsRequestSchema, () => ({
        roots: [{ uri: "file:///a", name: "a" }],
      }));
      client.setRequestHandler(library.CreateMessageRequestSchema, () => {
        throw new library.ErrorClass(-32603, "no model");
      });
      for (const name of ["ask", "roots", "sample"])
        await look(name, () => client.callTool({ name }));
    },
  },
  "questions of the server, version 2": {
    versions: ["version 2"],
    program: async ({ connected, look, library }) => {
      const client = await connected({
        capabilities: { elicitation: {}, roots: {}, sampling: {} },
      });
      client.setRequestHandler("elicitation/create", ({ params }: any) => ({
        action: "accept",
        content: { name: params.message },
      }));
      client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///a", name: "a" }] }));
      client.setRequestHandler("sampling/createMessage", () => {
        throw new library.ErrorClass(-32603, "no model");
      });
      for (const name of ["ask", "roots", "sample"])
        await look(name, () => client.callTool({ name }));
    },
  },
  "questions that the client does not take": {
    program: async ({ connected, look }) => {
      const client = await connected();
      for (const name of ["ask", "roots", "sample"]) {
        await look(name, async () => (await client.callTool({ name })).isError);
      }
    },
  },
  "requests in general, version 1": {
    versions: ["version 1"],
    program: async ({ connected, look, library }) => {
      const client = await connected();
      const call = { method: "tools/call", params: { name: "add", arguments: { a: 2 } } };
      await look("call", () => client.request(call, library.CallToolResultSchema));
      await look("foreign", () =>
        client.request({ method: "acme/none" }, library.EmptyResultSchema),
      );
    },
  },
  "requests in general, version 2": {
    versions: ["version 2"],
    program: async ({ connected, look }) => {
      const client = await connected();
      const call = { method: "tools/call", params: { name: "add", arguments: { a: 2 } } };
      await look("call", () => client.request(call));
    },
  },
  "mistakes of the program": {
    program: async ({ clientOf, connected, look }) => {
      const client = await connected();
      await look("capabilities late", async () => {
        try {
          client.registerCapabilities({ sampling: {} });
        } catch {
          return "refused";
        }
      });
      await look("roots without the capability", async () => {
        try {
          await clientOf().sendRootsListChanged();
        } catch {
          return "refused";
        }
      });
      await look("roots without the capability, connected", async () => {
        try {
          await client.sendRootsListChanged();
        } catch {
          return "refused";
        }
      });
    },
  },
};
