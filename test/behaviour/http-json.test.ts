import { describeBehaviour } from "./suite.js";
import { httpJson } from "./wires/http.js";

describeBehaviour(httpJson);
