import { describeBehaviour } from "./suite.js";
import { memory } from "./wires/memory.js";

describeBehaviour(memory);
