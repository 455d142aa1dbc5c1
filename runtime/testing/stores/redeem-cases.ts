import { type StoreCase, casesOf, equal, newId } from "./store-case.js";

/** A function for the option `rounds.redeem`. */
export type Redeem = (id: string, expires: number) => boolean | Promise<boolean>;

const MINUTE = 60_000;

/** The cases that every function for `rounds.redeem` must pass. */
export const redeemCases: readonly StoreCase<Redeem>[] = casesOf({
  "accepts an id once, at any instance": async (make) => {
    const [one, other] = [await make(), await make()];
    const id = newId();
    const expires = Date.now() + MINUTE;
    equal(await one(id, expires), true, "the first time");
    equal(await one(id, expires), false, "the second time");
    equal(await other(id, expires), false, "at another instance");
    equal(await other(newId(), expires), true, "another id");
  },

  "accepts one of a hundred concurrent calls": async (make) => {
    const instances = [await make(), await make(), await make()];
    const id = newId();
    const expires = Date.now() + MINUTE;
    const calls = Array.from({ length: 100 }, (_, index) => instances[index % 3]!(id, expires));
    const answers = await Promise.all(calls);
    equal(answers.filter(Boolean).length, 1, "accepted calls");
  },

  "accepts an id once even if the clock of the store is ahead": async (make) => {
    const redeem = await make();
    const id = newId();
    equal(await redeem(id, Date.now() - 1000), true, "the first time");
    equal(await redeem(id, Date.now() - 1000), false, "the second time");
  },
});
