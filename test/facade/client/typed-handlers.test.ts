import { expect, expectTypeOf, test } from "vitest";
import type { HandlerTypes } from "../../../generated/universal/handler-types.js";
import type { LoggingLevel } from "../../../generated/universal/types.js";
import type { ConnectOptions } from "../../../runtime/facade/client/index.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { scriptedSession } from "./support/connecting.js";

test("handlers have the types of their messages, also of older revisions", async () => {
  const levels: string[] = [];
  const { handlers }: ConnectOptions<HandlerTypes> = {
    handlers: {
      "notifications/message": ({ level }, context) => {
        expectTypeOf(level).toEqualTypeOf<LoggingLevel>();
        expectTypeOf(context).toEqualTypeOf<HandlerContext>();
        levels.push(level);
      },
      "notifications/tasks/status": () => {},
    },
  };
  const { server } = await scriptedSession({ handlers });
  server.tell("notifications/message", { level: "info", data: 1 });
  expect(levels).toEqual(["info"]);
});
