import type { Command } from "../command.js";
import { bridge } from "./bridge.js";
import { completionOf } from "./completion.js";
import {
  contractClient,
  contractDiff,
  contractDocs,
  contractMock,
  contractServer,
  contractTree,
} from "./contract.js";
import { diff } from "./diff.js";
import { docs } from "./docs.js";
import { doctor, torture } from "./doctor.js";
import { extension } from "./extension.js";
import { fingerprint } from "./fingerprint.js";
import { generate } from "./generate.js";
import { inspect } from "./inspect.js";
import { list } from "./list.js";
import { lock } from "./lock.js";
import { login, logout } from "./login.js";
import { migrate } from "./migrate.js";
import { newProject } from "./new.js";
import { pull } from "./pull.js";
import { call, tools } from "./server.js";
import { checkTape, record, replay, show } from "./tape.js";

/** All commands, in the order of the help text. The first is the default. */
export const commands: readonly Command[] = [
  generate,
  extension,
  list,
  inspect,
  diff,
  docs,
  fingerprint,
  pull,
  newProject,
  migrate,
  tools,
  call,
  doctor,
  torture,
  bridge,
  lock,
  contractDiff,
  contractClient,
  contractServer,
  contractMock,
  contractTree,
  contractDocs,
  record,
  checkTape,
  replay,
  show,
  login,
  logout,
  completionOf(() => commands),
];
