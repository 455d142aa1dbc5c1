import type { KeptSession, SessionRecord, SharedStores } from "@mcp-codegen/runtime/http/sharing";
import {
  type SharedCaseOptions,
  type StoreCase,
  becomes,
  casesOf,
  equal,
  newId,
  numbers,
  pause,
} from "./store-case.js";

const RECORD: SessionRecord = {
  revision: "some-revision",
  opening: '{"text":"a \\"quote\\" 😀"}',
  principal: "ada",
};

/** The cases that the `sessions` of {@link SharedStores} must pass. */
export const sessionCases: readonly StoreCase<SharedStores, SharedCaseOptions>[] = casesOf({
  "has a session for all instances, until it is ended": async (make) => {
    const [{ sessions }, { sessions: others }] = [await make(), await make()];
    const id = newId();
    equal(await others.use(id), undefined, "a session that never existed");
    await sessions.create(id, RECORD);
    const kept = { record: RECORD, lasting: [], version: 0 };
    equal(ageless(await others.use(id)), kept, "the session");
    equal(await others.use(id, 0), "known", "what the caller knows");
    equal(await others.end(id), true, "its end");
    equal(await sessions.use(id), undefined, "a session that is over");
    equal(await sessions.end(id), false, "its second end");
  },

  "reports the age of a session": async (make) => {
    const [{ sessions }, { sessions: others }] = [await make(), await make()];
    const id = newId();
    await sessions.create(id, RECORD);
    await pause(30);
    const kept = await others.use(id);
    const age = typeof kept === "object" ? kept.age : Number.NaN;
    equal(age >= 25 && age < 60_000, true, `an age of ${age} ms after 30`);
    await sessions.end(id);
  },

  "stores a session without a principal": async (make) => {
    const { sessions } = await make();
    const id = newId();
    const { revision, opening } = RECORD;
    await sessions.create(id, { revision, opening });
    const kept = await sessions.use(id);
    equal(typeof kept === "object" && kept.record, { revision, opening }, "the record");
    await sessions.end(id);
  },

  "keeps lasting messages in order, each once and at its latest place": async (make) => {
    const [{ sessions }, { sessions: others }] = [await make(), await make()];
    const id = newId();
    equal(await sessions.remember(id, "a", 3), undefined, "without a session");
    equal(await sessions.forget(id, "a"), undefined, "without a session");
    await sessions.create(id, RECORD);
    equal(await sessions.remember(id, "a", 3), 1, "version");
    equal(await others.remember(id, "b", 3), 2, "version");
    equal(await sessions.remember(id, "a", 3), 3, "version");
    equal(await others.use(id, 3), "known", "the newest version");
    const kept = { record: RECORD, lasting: ["b", "a"], version: 3 };
    equal(ageless(await others.use(id, 2)), kept, "session");
    equal(await others.remember(id, "c", 2), "full", "one more than there may be");
    equal(await others.remember(id, "b", 2), 4, "one that is there");
    equal(await others.forget(id, "x"), 4, "one that is not there");
    equal(await others.forget(id, "a"), 5, "one that is there");
    const left = { record: RECORD, lasting: ["b"], version: 5 };
    equal(ageless(await sessions.use(id)), left, "the session");
    await sessions.end(id);
  },

  "counts concurrent changes": async (make) => {
    const instances = [await make(), await make()];
    const id = newId();
    await instances[0]!.sessions.create(id, RECORD);
    const changes = Array.from({ length: 20 }, (_, index) =>
      instances[index % 2]!.sessions.remember(id, `${index}`, 100),
    );
    equal(await sorted(changes), numbers(1, 20), "versions");
    await instances[0]!.sessions.end(id);
  },

  "counts, each number once": async (make) => {
    const instances = [await make(), await make()];
    const id = newId();
    equal(await instances[0]!.sessions.count(id), undefined, "without a session");
    await instances[0]!.sessions.create(id, RECORD);
    const counts = Array.from({ length: 20 }, (_, index) =>
      instances[index % 2]!.sessions.count(id),
    );
    equal(await sorted(counts), numbers(1, 20), "numbers");
    equal(await instances[1]!.sessions.use(id, 0), "known", "the version, which does not change");
    await instances[0]!.sessions.end(id);
  },

  "deletes an unused session; each use and touch restarts its lifetime": async (make) => {
    const { sessions } = await make({ sessionTtl: 600 });
    equal(sessions.ttl, 600, "time to live");
    const [used, touched, unused] = [newId(), newId(), newId()];
    for (const id of [used, touched, unused]) await sessions.create(id, RECORD);
    await sessions.remember(used, "a", 10);
    for (let round = 0; round < 4; round++) {
      await pause(200);
      const kept = await sessions.use(used);
      equal(typeof kept === "object" && kept.lasting, ["a"], "a session in use");
      equal(await sessions.touch([touched]), [], "sessions that are gone");
    }
    equal(await sessions.use(unused), undefined, "an unused session");
    equal(await sessions.touch([unused, used]), [unused], "sessions that are gone");
    await becomes(() => sessions.touch([]), [], "no sessions");
    await sessions.end(used);
    await sessions.end(touched);
  },
});

async function sorted(results: readonly Promise<unknown>[]): Promise<number[]> {
  const all = (await Promise.all(results)) as number[];
  return all.toSorted((one, other) => one - other);
}

/** Returns a session without its age, which a case cannot predict. */
function ageless(kept: KeptSession | "known" | undefined): unknown {
  if (typeof kept !== "object") return kept;
  const { record, lasting, version } = kept;
  return { record, lasting, version };
}
