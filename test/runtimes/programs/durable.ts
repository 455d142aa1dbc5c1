import behaviour from "./behaviour.js";

interface Environment {
  readonly SESSIONS: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/* A Worker that keeps all sessions in one Durable Object, as the page on Cloudflare recommends. */

export class Sessions {
  fetch(request: Request): Promise<Response> {
    return behaviour.fetch(request);
  }
}

export default {
  fetch(request: Request, { SESSIONS }: Environment): Promise<Response> {
    return SESSIONS.get(SESSIONS.idFromName("all")).fetch(request);
  },
};
