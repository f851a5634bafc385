// Loads the extension and calls it as the agent would: a list of steps on stdin, a
// list of what came of each on stdout. A step is an event with the agent's name for
// it; "copy" is which of the copies of the extension is called, all by default.
import { existsSync, writeSync } from "node:fs"
import { pathToFileURL } from "node:url"

let text = ""
for await (const chunk of process.stdin) text += chunk
const { plugin, steps, hasUI, confirm, branch, busy, copies = 1, stale } = JSON.parse(text)

const asked = []
let session = "s-1"
const ctx = {
  hasUI,
  cwd: "/p",
  model: { id: "fake-model", contextWindow: 200000 },
  signal: undefined,
  isIdle: () => !busy,
  sessionManager: {
    getSessionId: () => session,
    getSessionFile: () => "/h/s-1.jsonl",
    getBranch: () => branch ?? [],
  },
  ui: {
    notify: (message, kind) => asked.push({ told: message, kind }),
    confirm: async (title, question) => {
      asked.push({ question })
      return confirm
    },
  },
}

const load = async (n) => {
  const handlers = new Map()
  const pi = {
    on: (name, handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]),
    sendMessage: (message, options) => {
      if (stale) throw new Error("this session is another one by now")
      asked.push({ sent: message.content, display: message.display, ...options })
    },
  }
  ;(await import(pathToFileURL(plugin).href + "?" + n)).default(pi)
  return handlers
}

let loaded = []
for (let i = 0; i < copies; i++) loaded.push(await load(i))
const results = []
for (const [i, step] of steps.entries()) {
  if (step.session) session = step.session
  if (step.reload) {
    for (let n = 0; n < loaded.length; n++) loaded[n] = await load(100 * i + n)
  }
  const came = { event: step }
  if (step.type) {
    const ctl = new AbortController()
    ctx.signal = ctl.signal
    if (step.abortOnce) {
      const look = setInterval(() => {
        if (!existsSync(step.abortOnce)) return
        clearInterval(look)
        ctl.abort()
      }, 10)
    }
    for (const handlers of loaded) {
      for (const handler of handlers.get(step.type) ?? []) {
        try {
          const said = handler(step, ctx)
          if (step.type === "message_end") came.now = asked.length
          const result = await said
          if (result !== undefined) came.result = result
        } catch (e) {
          came.thrown = e.message
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1)) // what waits for the end of the handlers
  }
  came.env = process.env.FROM_A_HOOK
  results.push(came)
}
const events = [...loaded[0].keys()]
process.once("exit", () => {
  const exit = process.exitCode ?? 0
  process.exitCode = 0
  writeSync(1, JSON.stringify({ results, asked, events, exit }))
})
process.exit()
