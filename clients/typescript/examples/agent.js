// A small coding agent with hooks, whole. Its model, its tools and its person are a script on
// stdin (docs/adopt.md says which lines): put your own in their place. Arguments are the
// program that runs hooks; without any it is the one of the PATH.
import { createInterface } from "node:readline"
import { events, Hooks } from "../src/index.js"

const show = (what, value) => process.stdout.write(JSON.stringify({ [what]: value ?? null }) + "\n")
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const script = async () => {
  const { value, done } = await lines.next()
  return done ? { end: "end" } : JSON.parse(value)
}

class Agent {
  history = []
  constructor(session) {
    this.session = session
  }

  read(role, content) {
    if (content) this.history.push({ role, content })
  }

  async begin(source) {
    const o = await this.session.dispatch(events.preSession(source))
    if (o.blocked) {
      show("refused", o.reason)
      return false
    }
    show("env", Object.keys(o.env).length ? o.env : null)
    this.read("system", o.additional_context)
    return true
  }

  async turn(prompt) {
    const o = await this.session.dispatch(events.preAgentTurn(prompt))
    if (o.blocked) return show("refused", o.reason)
    this.read("user", prompt)
    this.read("user", o.additional_context)
    let said, more
    do {
      this.read("user", more)
      said = await this.think()
      more = (await this.session.dispatch(events.preAgentTurnStop(said))).goOn
    } while (more !== undefined)
    await this.session.dispatch(events.postAgentTurnStop(said))
    await this.session.dispatch(events.postAgentTurn())
    show("done", said)
  }

  async think() {
    for (;;) {
      show("model", this.history)
      const { say, calls = [] } = await script()
      this.read("assistant", say)
      if (calls.length === 0) return say
      for (const call of calls) {
        const r = await this.session.tool(call, (input) => this.tool(call, input))
        this.read("tool", r.text)
      }
    }
  }

  async tool({ name, id }, input) {
    if (name === "Task") return this.subagent(id, input)
    show("tool", { name, input })
    const { result, failure } = await script()
    if (failure) throw new Error(failure)
    return result
  }

  async subagent(id, { prompt, subagent_type: kind }) {
    const o = await this.session.dispatch(events.preSubagent(id, kind, prompt))
    if (o.blocked) throw new Error(o.reason)
    const sub = new Agent(this.session)
    sub.read("user", prompt)
    sub.read("user", o.additional_context)
    for (;;) {
      const said = await sub.think()
      const { goOn } = await this.session.dispatch(events.postSubagent(id, kind))
      if (goOn === undefined) return said
      sub.read("user", goOn)
    }
  }

  async compact(trigger) {
    const o = await this.session.dispatch(events.preContextCompact(trigger))
    if (o.blocked) return show("refused", o.reason)
    this.history = this.history.slice(-1)
    await this.session.dispatch(events.postContextCompact(trigger))
  }
}

const program = process.argv.slice(2)
const hooks = new Hooks({
  agent: "example-typescript",
  program: program.length ? program : undefined,
  tell: (text) => show("person", text),
  ask: async (_, reason) => {
    show("ask", reason)
    return (await script()).yes
  },
})
let agent
for (let line = await script(); line.end === undefined; line = await script()) {
  if (line.begin) {
    agent = new Agent(hooks.session(line.session))
    if (!(await agent.begin(line.begin))) process.exit(0)
  } else if (line.compact) await agent.compact(line.compact)
  else await agent.turn(line.prompt)
}
await agent.session.dispatch(events.postSession("user_exit"))
await hooks.close()
