import { describeBehaviour } from "./suite.js";
import { httpSse } from "./wires/http.js";

describeBehaviour(httpSse);
