import { describeBehaviour } from "./suite.js";
import { httpEvents } from "./wires/http.js";

describeBehaviour(httpEvents);
