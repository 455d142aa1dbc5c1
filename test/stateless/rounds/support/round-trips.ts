/** Any received value. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Wire = any;

/** Carries a request to a server and its answer back. Each request may go to a different server. */
export interface Carrier {
  request(method: string, params: object): Promise<Wire>;
}

export const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

/** The answers of a client that agrees to everything. */
export const GIVEN: Readonly<Record<string, Wire>> = {
  "elicitation/create": { action: "accept", content: { name: "Ada", ok: true } },
  "sampling/createMessage": {
    role: "assistant",
    content: { type: "text", text: "Paris" },
    model: "test",
    stopReason: "endTurn",
  },
  "roots/list": { roots: [{ uri: "file:///work", name: "work" }] },
};

export type Answer = (request: Wire, key: string) => Wire;

/** Calls a server as a client of a stateless revision does. */
export abstract class RoundTrips implements Carrier {
  capabilities: object = EVERYTHING;
  /** The interim results of the last `fulfil`. */
  interim: Wire[] = [];

  abstract request(method: string, params: object): Promise<Wire>;

  get envelope(): object {
    return {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": this.capabilities,
    };
  }

  /** Sends one request and returns the whole response. */
  ask(method: string, params: object = {}): Promise<Wire> {
    return this.request(method, { ...params, _meta: this.envelope });
  }

  tool(name: string, more: object = {}): Promise<Wire> {
    return this.ask("tools/call", { name, ...more });
  }

  /** Repeats the request with the responses to a result's input requests. */
  again(name: string, { result }: Wire, more: object = {}, answer: Answer = agree): Promise<Wire> {
    return this.tool(name, { ...more, ...responsesTo(result, answer) });
  }

  /** Repeats a request until it receives the final answer. */
  async fulfil(
    method: string,
    params: object = {},
    answer: Answer = agree,
    maxRounds = 10,
  ): Promise<Wire> {
    this.interim = [];
    let message = await this.ask(method, params);
    for (let round = 0; message.result?.resultType === "input_required"; round++) {
      if (round === maxRounds) throw new Error(`No end after ${maxRounds} rounds`);
      this.interim.push(message.result);
      message = await this.ask(method, { ...params, ...responsesTo(message.result, answer) });
    }
    return message;
  }

  /** Returns the text that a tool returns in the end. */
  async text(name: string, args?: object, answer: Answer = agree): Promise<string> {
    const params = args === undefined ? { name } : { name, arguments: args };
    const { result, error } = await this.fulfil("tools/call", params, answer);
    if (error) throw new Error(`${error.code}: ${error.message}`);
    return result.content[0].text;
  }
}

export function agree({ method }: Wire): Wire {
  return GIVEN[method];
}

/** Returns the parameters of a client's reply to an interim result. */
export function responsesTo(result: Wire, answer: Answer = agree): object {
  const { inputRequests, requestState } = result;
  const responses = Object.entries<Wire>(inputRequests ?? {}).map(([key, request]) => [
    key,
    answer(request, key),
  ]);
  return {
    ...(inputRequests && { inputResponses: Object.fromEntries(responses) }),
    ...(requestState !== undefined && { requestState }),
  };
}
