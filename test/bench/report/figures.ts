import type { Seen, Target, Unit } from "../core/section.js";

const precise = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Three digits, or all of them before the point. */
export function digits(value: number): string {
  return (Math.abs(value) < 1000 ? precise : whole).format(value);
}

export function withUnit(value: number, unit: "x" | Unit): string {
  return unit === "count" ? digits(value) : `${digits(value)} ${unit}`;
}

/** Behind the title of a table. */
export function inUnit(unit: Unit): string {
  return unit === "per second" || unit === "count" ? "" : `, in ${unit}`;
}

export function range({ min, max }: Seen): string {
  return min === max ? digits(min) : `${digits(min)}–${digits(max)}`;
}

export function isMet({ value, bound, limit }: Target): boolean {
  return bound === "at most" ? value <= limit : value >= limit;
}

/** Such as `met`, or `missed by 12 %`: how far the value is from its bound. */
export function verdict(target: Target): string {
  if (isMet(target)) return "met";
  const by = Math.abs(target.value / target.limit - 1) * 100;
  return Number.isFinite(by)
    ? `missed by ${by < 1 ? "less than 1" : digits(Math.round(by))} %`
    : "missed";
}
