import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { until } from "../../support/until.js";

const sample = (text: string, more: object = {}) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 5, ...more },
});
const properties = {
  name: { type: "string", minLength: 1 },
  age: { type: "integer", default: 30 },
  member: { type: "boolean", default: true },
};
const requestedSchema = { type: "object", properties, required: ["name"] };

/** A server's requests and notifications: sampling, roots, elicitation and the log. */
export const askingCases: readonly Case<OursScene>[] = [
  {
    name: "the client samples its model (SAMP-02, SAMP-03, SAMP-04)",
    needs: ["asks"],
    run: async ({ json }) => {
      const { result } = await json(
        "ask",
        sample("hi", { temperature: 0.5, stopSequences: ["."] }),
      );
      expect(result).toMatchObject({ model: "adder", content: { text: "sampled by client" } });
    },
  },
  {
    name: "the client sends progress (PROG-01)",
    needs: ["asks"],
    run: async ({ json }) => {
      const { result, notifications } = await json("ask", { ...sample("slowly"), follows: true });
      expect(result.model).toBe("adder");
      expect(notifications).toEqual([{ progress: 0.5, total: 1 }]);
    },
  },
  {
    name: "the user may decline sampling (SAMP-14)",
    needs: ["asks"],
    run: async ({ json, from }) => {
      const { error } = await json("ask", sample("reject"));
      const code = from.revision.errorCodes["USER_REJECTED"];
      expect(error).toMatchObject({ name: "RpcError", code, message: "not this time" });
    },
  },
  {
    name: "the model receives tools (SAMP-07, SAMP-10)",
    needs: ["asks", "samplingTools"],
    run: async ({ json, received }) => {
      const tools = [{ name: "add", inputSchema: { type: "object" } }];
      const { result } = await json("ask", sample("hi", { tools, toolChoice: { mode: "auto" } }));
      expect(result.model).toBe("adder");
      expect(received.at(-1)?.params).toMatchObject({ tools });
    },
  },
  {
    name: "messages with unmatched tool uses and results are not sent (SAMP-11, SAMP-12)",
    needs: ["asks", "samplingTools"],
    run: async ({ json }) => {
      const content = { type: "tool_use", id: "1", name: "add", input: {} };
      const messages = [{ role: "assistant", content }];
      const { error } = await json("ask", sample("", { messages }));
      expect(JSON.stringify(error)).toContain("was not sent: /messages/0");
    },
  },
  {
    name: "the client lists its roots and sends notifications of their changes (ROOT-01, ROOT-02, ROOT-04)",
    needs: ["sessions", "asks"],
    run: async ({ json, roots }) => {
      const { result } = await json("ask", { method: "roots/list" });
      expect(result).toEqual({ roots: [{ uri: "file:///client" }] });
      roots.set([{ uri: "file:///elsewhere", name: "else" }]);
      await until("the notification", async () =>
        (await json("roots-heard")).includes("file:///elsewhere"),
      );
    },
  },
  {
    name: "the user fills in a form, with defaults (ELIC-08, ELIC-16, ELIC-18)",
    needs: ["asks", "elicitation"],
    run: async ({ json, knows }) => {
      const { result } = await json("form", { message: "Who?", requestedSchema: plain(knows) });
      expect(result.action).toBe("accept");
      expect(result.content.name).toBe("Ada");
      if (knows.urlElicitation) expect(result.content).toMatchObject({ age: 30, member: true });
    },
  },
  {
    name: "the user declines (ELIC-18)",
    needs: ["asks", "elicitation"],
    run: async ({ json, knows }) => {
      const requested = await json("form", { message: "decline?", requestedSchema: plain(knows) });
      expect(requested.result).toEqual({ action: "decline" });
    },
  },
  {
    name: "an answer that violates the form is not sent (ELIC-20)",
    needs: ["asks", "elicitation"],
    run: async ({ json, knows }) => {
      const { error } = await json("form", { message: "wrong?", requestedSchema: plain(knows) });
      expect(error).toMatchObject({ code: -32603 });
    },
  },
  {
    name: "nothing is sent if the revision has no elicitation (ELIC-01)",
    needs: ["asks"],
    run: async ({ json, knows }) => {
      const params = { message: "Who?", requestedSchema: plain(knows) };
      const { error } = await json("ask", { method: "elicitation/create", params });
      expect(error?.code).toBe(knows.elicitation ? undefined : "CAPABILITY");
    },
  },
  {
    name: "the user visits a page, and the server sends a notification of its completion (ELIC-08, ELIC-19, ELIC-22)",
    needs: ["asks", "urlElicitation"],
    run: async ({ json, received }) => {
      const { result } = await json("page");
      expect(result).toEqual({ action: "accept", elicitationId: expect.any(String) });
      await until("the completion", () => received.some(({ method }) => method === "complete"));
      const done = received.find(({ method }) => method === "complete");
      expect(done?.params).toBe(result.elicitationId);
    },
  },
  {
    name: "a call that needs a visit to a page names the page if the revision has an error for it (ELIC-24)",
    run: async ({ call, knows }) => {
      const gated = await call("gated").catch((error: unknown) => error);
      if (knows.urlElicitation) {
        const elicitation = { mode: "url", url: "https://example.com/sign-in" };
        expect(gated).toMatchObject({ code: -32042, data: { elicitations: [elicitation] } });
      } else {
        expect(JSON.stringify(gated)).not.toContain("example.com");
      }
    },
  },
  {
    name: "a request to the user outside of any call is answered too (HTTP-25)",
    needs: ["asks", "sessions"],
    run: async ({ json }) => {
      const { result } = await json("ask", { ...sample("hi"), unrelated: true });
      expect(result.model).toBe("adder");
    },
  },
  {
    name: "log messages follow the level of the client (LOG-02, LOG-03, LOG-04)",
    needs: ["sessions"],
    run: async ({ client, call, received }) => {
      const logged = () =>
        received
          .filter(({ method }) => method === "notifications/message")
          .map(({ params }) => (params as { level: string }).level);
      const levels = ["debug", "info", "warning", "emergency"];
      await call("log", { levels, related: true });
      await until("three messages", () => logged().length >= 3, logged);
      await client.setLevel({ level: "warning" });
      await call("log", { levels, related: true });
      await until("two more", () => logged().length >= 5, logged);
      await client.setLevel({ level: "debug" });
      await call("log", { levels });
      await until("all of them", () => logged().length >= 9, logged);
      expect(logged()).toEqual(["info", "warning", "emergency", "warning", "emergency", ...levels]);
    },
  },
  {
    name: "log messages of a request are sent to its client without a session (HTTP-14)",
    run: async ({ call, received }) => {
      const count = () =>
        received.filter(({ method }) => method === "notifications/message").length;
      const before = count();
      await call("log", { levels: ["error"], related: true });
      await until("the message", () => count() > before);
    },
  },
];

/**
 * Returns the full schema only if the revision supports URLs, because defaults of all kinds came with that revision.
 */
function plain({ urlElicitation }: { urlElicitation: boolean }): object {
  if (urlElicitation) return requestedSchema;
  const { name } = properties;
  return { type: "object", properties: { name, age: { type: "integer" } }, required: ["name"] };
}
