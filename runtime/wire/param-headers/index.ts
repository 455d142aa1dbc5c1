export { type ParamHeader, paramHeadersOf } from "./param-headers.js";
