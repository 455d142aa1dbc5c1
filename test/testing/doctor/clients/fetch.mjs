// `fetch` by `node:http`. The one of Node.js compiles its parser first, which costs more than all else that a client does.
import { request } from "node:http";

/** Sends a request, and resolves to the response once its headers have been received. */
export function fetch(url, { method = "GET", headers = {}, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, signal }, (response) => {
      const { statusCode: status, headers: received } = response;
      response.setEncoding("utf8");
      const text = async () => (await response.toArray()).join("");
      resolve({
        status,
        ok: status >= 200 && status < 300,
        headers: { get: (name) => received[name] ?? null },
        body: response,
        text,
        json: async () => JSON.parse(await text()),
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
