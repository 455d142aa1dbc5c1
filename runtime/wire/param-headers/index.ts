export {
  decodeHeaderValue,
  headerValueOf,
  type ParamHeader,
  paramHeadersOf,
  valueAt,
} from "./param-headers.js";
