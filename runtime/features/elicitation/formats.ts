import { isUri } from "../../wire/index.js";

/** Tells by format whether a text has it. All are linear in the length of the text. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["email", isEmail],
  ["uri", isUri],
  ["date", isDate],
  ["date-time", isDateTime],
]);

/** Name and host of usual addresses; no quoted names, no comments. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const name = text.slice(0, Math.max(at, 0));
  const host = text.slice(at + 1);
  return (
    text.length <= 254 &&
    /^[^\s@"(),:;<>[\\\]]{1,64}$/.test(name) &&
    !/^\.|\.\.|\.$/.test(name) &&
    host.split(".").every((label) => /^(?!-)[\p{L}\p{N}-]{1,63}$/u.test(label)) &&
    !/-(?:\.|$)/.test(host)
  );
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

/** RFC 3339; a leap second can only be the last one of a day in UTC, which is not looked into. */
function isDateTime(text: string): boolean {
  const match =
    /^(\d{4}-\d\d-\d\d)[t ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i.exec(text);
  if (match === null || !isDate(match[1]!)) return false;
  const [hour, minute, second, offsetHour = 0, offsetMinute = 0] = match
    .slice(2)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  return hour! <= 23 && minute! <= 59 && second! <= 60 && offsetHour <= 23 && offsetMinute <= 59;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
