import { Hooks, events } from "@agents-hooks/client"
const once = async () => (await new Hooks({ agent: "a" }).session().dispatch(events.preAgentTurn("x"))).blocked
export = once
