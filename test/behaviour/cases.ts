import type { Case, OursScene, RawClientScene, RawServerScene } from "./case.js";
import { askingCases } from "./cases/ours/asking.js";
import { conversationCases } from "./cases/ours/conversation.js";
import { libraryCases } from "./cases/ours/library.js";
import { requestCases } from "./cases/ours/requests.js";
import { taskCases } from "./cases/ours/tasks.js";
import { toolCases } from "./cases/ours/tools.js";
import { batchCases } from "./cases/raw-client/batches.js";
import { handshakeCases as rawClientHandshakeCases } from "./cases/raw-client/handshake.js";
import { messageCases } from "./cases/raw-client/messages.js";
import { requestCases as rawClientRequestCases } from "./cases/raw-client/requests.js";
import { handshakeCases as rawServerHandshakeCases } from "./cases/raw-server/handshake.js";
import { requestCases as rawServerRequestCases } from "./cases/raw-server/requests.js";

/** The cases between our client and our server. */
export const ourCases: readonly Case<OursScene>[] = [
  ...conversationCases,
  ...requestCases,
  ...toolCases,
  ...libraryCases,
  ...askingCases,
  ...taskCases,
];

/** The cases between a client played by the test and our server. */
export const rawClientCases: readonly Case<RawClientScene>[] = [
  ...rawClientHandshakeCases,
  ...messageCases,
  ...rawClientRequestCases,
  ...batchCases,
];

/** The cases between our client and a server played by the test. */
export const rawServerCases: readonly Case<RawServerScene>[] = [
  ...rawServerHandshakeCases,
  ...rawServerRequestCases,
];
