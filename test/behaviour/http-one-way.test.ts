import { describeBehaviour } from "./suite.js";
import { httpOneWay } from "./wires/http.js";

describeBehaviour(httpOneWay);
