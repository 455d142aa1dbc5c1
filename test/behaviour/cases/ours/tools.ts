import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { until } from "../../support/until.js";

/** Tools, their results and their errors. */
export const toolCases: readonly Case<OursScene>[] = [
  {
    name: "tools are listed and called (TOOL-01, TOOL-02)",
    run: async ({ client, text }) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "sum"]));
      expect(await text("echo", { value: "hi" })).toBe("hi");
    },
  },
  {
    name: "all kinds of content are transferred (TOOL-12, TOOL-13)",
    run: async ({ call, knows }) => {
      const { content } = await call("content");
      const audio = knows.audio ? ["audio"] : [];
      const links = knows.resourceLinks ? ["resource_link"] : [];
      expect(content.map(({ type }) => type)).toEqual([
        "text",
        "image",
        "resource",
        ...audio,
        ...links,
      ]);
      expect(content[0]).toEqual({ type: "text", text: "héllo ✓ \u2028 😀" });
    },
  },
  {
    name: "a failing tool has an error result (TOOL-23)",
    run: async ({ call }) => {
      const failed = await call("fail");
      expect(failed).toMatchObject({ isError: true, content: [{ text: "as asked" }] });
    },
  },
  {
    name: "a tool that throws exposes no details (TOOL-23, ERR-08)",
    run: async ({ call }) => {
      const crashed = await call("crash");
      expect(crashed.isError).toBe(true);
      expect(JSON.stringify(crashed)).not.toMatch(/secret|\.ts/);
    },
  },
  {
    name: "an unknown tool is an error of the request (TOOL-20)",
    run: async ({ call }) => {
      await expect(call("none")).rejects.toMatchObject({ name: "RpcError", code: -32602 });
      await expect(call("__proto__")).rejects.toMatchObject({ code: -32602 });
    },
  },
  {
    name: "invalid arguments are reported as the revision requires (TOOL-21, TOOL-22)",
    run: async ({ call, from }) => {
      const calling = call("sum", { a: 1, b: "two" });
      if (from.revision.conventions.toolInputErrors === "error") {
        await expect(calling).rejects.toMatchObject({ code: -32602 });
        await expect(calling).rejects.toThrow(/\/b/);
      } else {
        const result = await calling;
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining("/b") }],
        });
      }
    },
  },
  {
    name: "structured output comes with its text (TOOL-15, TOOL-17, TOOL-18)",
    needs: ["structuredOutput"],
    run: async ({ call }) => {
      const result = await call("sum", { a: 1, b: 2 });
      expect(result.structuredContent).toEqual({ sum: 3 });
      expect(result.content).toEqual([{ type: "text", text: '{"sum":3}' }]);
    },
  },
  {
    name: "only text is sent if the revision has no structured output (TOOL-17)",
    run: async ({ call, knows }) => {
      const result = await call("sum", { a: 1, b: 2 });
      expect("structuredContent" in result).toBe(knows.structuredOutput);
      expect(result.content).toEqual([{ type: "text", text: '{"sum":3}' }]);
    },
  },
  {
    name: "output that violates its schema is never sent (TOOL-18)",
    needs: ["structuredOutput"],
    run: async ({ call }) => {
      const failed = await call("misfit").catch((error: unknown) => error);
      expect(JSON.stringify(failed)).not.toContain("none");
      expect(failed).toMatchObject({ code: -32603 });
    },
  },
  {
    name: "a change of the tools leads to a notification (TOOL-03)",
    needs: ["sessions"],
    run: async ({ call, received }) => {
      const count = () =>
        received.filter(({ method }) => method.includes("tools/list_changed")).length;
      const before = count();
      await call("change", { what: "tools" });
      await until("the notification", () => count() > before);
    },
  },
];
