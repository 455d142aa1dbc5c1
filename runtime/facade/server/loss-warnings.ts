import type { Loss, OnLoss } from "../../wire/index.js";

/** Kinds of losses that are told of; more would say that something is wrong with telling them apart. */
const MAX_KINDS = 1000;

/** A revision has no way to say something that the server wants to say. */
export class LossWarning extends Error {
  override readonly name: string = "LossWarning";
  readonly loss: Loss;

  constructor(loss: Loss) {
    const { revision, method, path, reason } = loss;
    const where = path === "" ? method : `${method} ${path}`;
    super(`Clients of ${revision} get less of ${where}: ${reason}`);
    this.loss = loss;
  }
}

/** Tells of each kind of loss once, and lets somebody else decide what takes its place. */
export function warnOfLosses(report: (error: Error) => void, onloss: OnLoss | undefined): OnLoss {
  const told = new Set<string>();
  return (loss) => {
    const kind = `${loss.revision} ${loss.method} ${loss.path.replace(/\d+/g, "0")} ${loss.reason}`;
    if (!told.has(kind) && told.size < MAX_KINDS) {
      told.add(kind);
      report(new LossWarning(loss));
    }
    return onloss?.(loss);
  };
}
