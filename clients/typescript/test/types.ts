import { Hooks, events, type Outcome } from "@agents-hooks/client"
import { hookTools, hookedTurn } from "@agents-hooks/client/ai"
import { hooksMiddleware } from "@agents-hooks/client/langchain"
const hooks = new Hooks({ agent: "a", can: ["block", "ask"], ask: async (call, reason) => call.name === reason })
const s = hooks.session()
const o: Outcome = await s.dispatch(events.preToolCall("Shell", { command: "ls" }, "1"))
if (o.blocked) console.log(o.reason, o.goOn?.length, o.env.A)
const r = await s.tool({ name: "Shell", input: {} }, async () => 5)
const n: number | undefined = r.output
// @ts-expect-error: there is no such word
new Hooks({ can: ["blok"] })
const tools = hookTools(s, { bash: { execute: (x: number) => x } }, { names: { bash: "Shell" } })
console.log(n, tools.bash, hookedTurn, hooksMiddleware(s))
await hooks.close()
async function disposed() {
  await using own = new Hooks()
  return own.session().id
}
console.log(disposed)
