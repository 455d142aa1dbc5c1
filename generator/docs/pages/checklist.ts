import type { ProtocolChange, Side } from "../../diff/impact/protocol-change.js";
import { featuresOf } from "../collect/features.js";
import type { Step } from "../collect/reference.js";
import { meaningOf } from "../collect/value-texts.js";
import { code, type Inline, line, type Line, nameToken, type View, withCode } from "../page.js";
import { NAME_HEADER, PARAM_HEADERS } from "../../link/headers.js";
import { conditionText } from "../../diff/type-text.js";
import { joined, senderText, type Site } from "./site.js";
import { summaryOf } from "./members-part.js";

/** Advice for one side that results from a change. */
interface Advice {
  /** A key that is the same for all pieces of advice that one sentence can state together. */
  readonly key: string;
  readonly name: string;
  /** The member's path; empty if the advice concerns the whole method or type. */
  readonly place: string;
  readonly isDemand: boolean;
  /** Writes a sentence about subjects, such as `a` and `b` of `Tool`. */
  readonly write: (subjects: readonly Inline[]) => readonly Inline[];
}

/** Advice for several names and places, stated in one sentence. */
interface Item extends Omit<Advice, "name" | "place"> {
  readonly names: readonly string[];
  readonly places: readonly string[];
}

/**
 * The maximum number of features under which a change can be listed. A change that concerns more features is listed for
 * everyone.
 */
const FEW = 2;

/**
 * Returns the advice for one side, grouped into advice for everyone, advice for users of each feature, and optional
 * advice.
 */
export function checklist(step: Step, side: Side, site: Site): View {
  const items = merged(step.changes.flatMap((change) => adviceOf(change, side, step, site) ?? []));
  const demands = new Map<string, Item[]>();
  for (const item of items.filter(({ isDemand }) => isDemand)) {
    const sets = item.names.map((name) => featuresOf(name, step));
    const all = sets.some(({ size }) => size === 0) ? [] : sets.flatMap((set) => [...set]);
    const features = [...new Set(all)];
    const title = features.length === 0 || features.length > FEW ? MUST : onlyIf(features);
    demands.set(title, [...(demands.get(title) ?? []), item]);
  }
  const offers = items.filter(({ isDemand }) => !isDemand);
  const groups = [...demands].toSorted(([one], [other]) => {
    return Number(other === MUST) - Number(one === MUST);
  });
  const views = (own: readonly Item[]): View => own.map((item) => ({ text: textOf(item, site) }));
  return {
    isEmpty: demands.size === 0,
    groups: [
      ...groups.map(([title, own]) => ({ title, tone: "checklist", items: views(own) })),
      ...(offers.length > 0 ? [{ title: "You may", tone: "offers", items: views(offers) }] : []),
    ],
  };
}

const MUST = "You must";

function onlyIf(features: readonly string[]): string {
  return `Only if you use ${features.join(" or ")}`;
}

/** Combines pieces of advice that differ only in their names, and then those that differ only in their places. */
function merged(all: readonly Advice[]): readonly Item[] {
  const byPlace = new Map<string, Item>();
  for (const { name, place, ...advice } of all) {
    const key = JSON.stringify([advice.key, advice.isDemand, place]);
    const names = byPlace.get(key)?.names ?? [];
    byPlace.set(key, { ...advice, names: [...names, name], places: place === "" ? [] : [place] });
  }
  const byNames = new Map<string, Item>();
  for (const item of byPlace.values()) {
    const { key, isDemand, names, places } = item;
    const at = JSON.stringify([key, isDemand, names, places.length > 0]);
    byNames.set(at, { ...item, places: [...(byNames.get(at)?.places ?? []), ...places] });
  }
  return [...byNames.values()];
}

function textOf({ names, places, write }: Item, site: Site): Line {
  const owners = ownersOf(names, site);
  if (places.length === 0) return line(...write(owners));
  return line(...write([...joined(places.map((place) => code(place))), " in ", ...owners]));
}

/**
 * Returns linked names. If all of them refer to the same part of a method, such as `params`, the part is written only
 * once.
 */
function ownersOf(names: readonly string[], site: Site): readonly Inline[] {
  const parts = new Set(names.map((name) => name.split(" ")[1]));
  const [part] = parts;
  if (parts.size > 1 || part === undefined) return joined(names.map((name) => site.place(name)));
  const methods = names.map((name) => site.place(name.split(" ")[0]!));
  return [`the ${part === "params" ? "parameters" : part} of `, ...joined(methods)];
}

/** Returns the advice for a side; undefined if the side does not need to do anything. */
function adviceOf(change: ProtocolChange, side: Side, step: Step, site: Site): Advice | undefined {
  const { name, pointer, message, sides, detail } = change;
  const { kind, senders, to = "" } = detail;
  const isSender = senders.includes(side);
  const isDemand = sides.includes(side);
  const place = pointer.slice(1).replaceAll("/", ".").replaceAll(".*", "[]");
  const advice = (key: string, write: Advice["write"]): Advice => ({
    key: `${kind} ${key}`,
    name,
    place: place.replaceAll("~1", "/").replaceAll("~0", "~"),
    isDemand,
    write,
  });
  const about = (before: string, after = ".", key = ""): Advice =>
    advice(before + key, (subjects) => [before, ...subjects, after]);
  const value = (verb: string): Advice => {
    const links = site.namesOf(step.to);
    const words = to.split(/\b/).map((text) => nameToken(text, links.get(text)));
    const type = to === "unknown" ? "any value" : code(...words);
    return advice(verb + to, (subjects) => [`${verb} `, type, " as ", ...subjects, "."]);
  };
  const features = isDemand ? [...featuresOf(name, step)].join() : "";
  // Either the other side has to adapt, or there is nothing left to do.
  if (change.class === "breaking" && !isDemand && kind !== "removed") return undefined;
  switch (kind) {
    case "value": {
      if (!isDemand) return undefined;
      const { text = "" } = meaningOf(name, step.to) ?? {};
      return advice(name, (subjects) => {
        return [
          "Change what depends on ",
          ...subjects,
          " (now ",
          code(to),
          "). ",
          ...withCode(text),
        ];
      });
    }
    case "constant":
      if (detail.to === undefined) return about("Do not use ", ": no longer defined.", features);
      return isDemand ? value("Use") : about("Use what is new: ");
    case "deprecated": {
      const isWhole = place === "" && site.method(name) === undefined;
      return isWhole ? undefined : about("Move away from ", ": deprecated.");
    }
    case "new":
      return isSender ? about("Send ", ".") : undefined;
    case "required":
      return about("Always send ");
    case "optional":
      return about("Do not rely on ", ": it may be absent.");
    case "gone":
      return about("Do not send ", ": no longer defined.");
    case "lacking":
      return about("Do not rely on ", ": no longer defined.");
    case "open":
      return about("Accept anything as ");
    case "more":
      return value("Accept");
    case "fewer":
      return value("No longer send");
    case "type":
      return value(senders.length === 2 ? "Send and accept" : isSender ? "Send" : "Accept");
    case "limit":
      return isSender
        ? about("Keep to the new limit of ", `: ${message}.`)
        : about("Accept what the new limit of ", ` allows: ${message}.`);
    default:
      return methodAdvice(change, side, step, site, { advice, about });
  }
}

interface Writers {
  readonly advice: (key: string, write: Advice["write"]) => Advice;
  readonly about: (before: string, after?: string, key?: string) => Advice;
}

function methodAdvice(
  { name, sides, detail: { kind, senders, to = "" } }: ProtocolChange,
  side: Side,
  step: Step,
  site: Site,
  { advice, about }: Writers,
): Advice | undefined {
  const isSender = senders.includes(side);
  const isDemand = sides.includes(side);
  const [before, after] = [step.from.methods.get(name), step.to.methods.get(name)];
  const method = (after ?? before)!;
  const isRequest = method.kind === "request";
  switch (kind) {
    case "added": {
      const [owner, ...path] = method.capability?.split(".") ?? [];
      const needs =
        owner === undefined ? [] : [`, if the ${owner} declares `, code(path.join("."))];
      const verb = isSender ? "Send" : isRequest ? "Answer" : "Expect";
      const summary = summaryOf(method.type, step.to);
      return advice(name, (subjects) => [`${verb} `, ...subjects, ...needs, `: ${summary}`]);
    }
    case "removed": {
      const verbs = isDemand
        ? ["Do not send ", "Do not wait for "]
        : ["Stop sending ", isRequest ? "Remove what answers " : "Remove what handles "];
      const { successor } = site.removal(name) ?? {};
      const [verb = ""] = isSender ? verbs : verbs.slice(1);
      const senderOfNext = step.to.methods.get(successor ?? "")?.from;
      const canReplace = senderOfNext === side || senderOfNext === "both";
      if (successor === undefined || !isSender || !canReplace) {
        const features = isDemand ? [...featuresOf(name, step)].join() : "";
        return about(verb, ": no longer defined.", features);
      }
      const instead = [": use ", site.named(successor), " instead."];
      return advice(name, (subjects) => [verb, ...subjects, ...instead]);
    }
    case "direction": {
      if (!isDemand || !before || !after) return undefined;
      if (before.channel !== after.channel) {
        const inside = after.channel === "embedded";
        const where = inside ? "inside a result" : "as a message of its own";
        return about(isSender ? "Send " : "Expect ", ` ${where}.`);
      }
      const stays = isSender && (after.from === side || after.from === "both");
      const sender = senderText(after);
      return stays
        ? about("Expect ", `, which ${sender} sends now.`, sender)
        : about("Do not send ", `, which only ${sender} sends now.`, sender);
    }
    case "params optional":
      return isSender
        ? to === "required"
          ? about("Always send the parameters of ")
          : undefined
        : isDemand
          ? about("Expect ", " without parameters.")
          : undefined;
    case "capability": {
      if (!isDemand) return undefined;
      const owner = to.split(".")[0];
      const isOwner = owner === side || owner === (isSender ? "sender" : "receiver");
      return advice(to, (subjects) =>
        isOwner
          ? ["Declare ", code(to), " if you support ", ...subjects, "."]
          : ["Use ", ...subjects, " only with a peer that declares ", code(to), "."],
      );
    }
    case "conditions": {
      const known = new Set(before?.conditions.map(conditionText));
      const fresh = (after?.conditions ?? []).map(conditionText).filter((one) => !known.has(one));
      if (!isSender || fresh.length === 0) return undefined;
      const limits = ` only as capabilities allow: ${fresh.join("; ")}.`;
      return advice(name, (subjects) => ["Send ", ...subjects, limits]);
    }
    case "paginated":
      return isSender && to === "true" ? about("Request all pages of ") : undefined;
    case "cacheable":
      return isSender && to === "true"
        ? about("Cache the results of ", " for as long as they state.")
        : undefined;
    case "name header":
    case "param headers": {
      if (!isSender || to === "none") return undefined;
      if (kind === "name header") {
        const header = code(NAME_HEADER);
        return advice(to, (all) => ["Repeat ", code(to), " of ", ...all, " in ", header, "."]);
      }
      const marked = [" that ", site.named(to), " marks in "];
      return advice(to, (all) => {
        return ["Repeat the arguments of ", ...all, ...marked, code(PARAM_HEADERS), "."];
      });
    }
    default:
      return undefined;
  }
}
