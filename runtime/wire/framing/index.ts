export { type FramingOptions, LineFraming } from "./line-framing.js";
