import { transcripts } from "./client-cases.js";

/* A module of Workers, Deno and Bun: /run?<url of the server> runs the client there. */

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname !== "/run") return new Response("ready");
    try {
      return Response.json(await transcripts(decodeURIComponent(search.slice(1))));
    } catch (error) {
      return Response.json({ error: String(error), stack: (error as Error).stack });
    }
  },
};
