export const width = 960;
export const ink = "#222222";
export const colours = [
  "#2f6fb0",
  "#e08a2e",
  "#3f9a6b",
  "#b5485d",
  "#7a5fb0",
  "#4aa6b8",
  "#8a8a3c",
];

export const grey = "#8c8c8c";

/** Whether it is no contestant, but what they are held against. */
export const isBound = (name) => /^limit|^bare|^by hand|^plain|^zod alone|^JSON/.test(name);

export const textStyle = {
  color: ink,
  fontFamily: "Helvetica, Arial, sans-serif",
  fontSize: 13,
  fontWeight: "normal",
};

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, notation: "compact" });
export const short = (value) => number.format(value);

export function valueAxis({ label, scale }) {
  return {
    type: scale === "log" ? "log" : "value",
    name: label,
    nameLocation: "middle",
    nameTextStyle: textStyle,
    axisLabel: { ...textStyle, formatter: short },
    axisLine: { show: true, lineStyle: { color: ink } },
    splitLine: { lineStyle: { color: "#dddddd" } },
  };
}

/** The numbers of all series along an axis that a logarithm can show. */
export function positive({ series }, axis) {
  const numbers = series.flatMap(({ points }) => points.map((point) => Number(point[axis])));
  return numbers.filter((value) => value > 0);
}

/** Whole powers of ten around the values. */
export function logRange({ scale }, values) {
  if (scale !== "log" || values.length === 0) return {};
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  return { min: low, max: high > low ? high : low * 10 };
}
