// Loads a plugin and calls it as the agent would: a list of steps on stdin, a
// list of what came of each on stdout.
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

let text = ""
for await (const chunk of process.stdin) text += chunk
const { plugin, sessions, steps, promptFails, slowLookup } = JSON.parse(text)

const asked = []
const client = {
  session: {
    get: async ({ path }) => {
      asked.push({ get: path.id })
      if (slowLookup) await new Promise((resolve) => setTimeout(resolve, 60000).unref())
      if (!sessions?.[path.id]) throw new Error("no such session")
      return { data: sessions[path.id] }
    },
    promptAsync: async (request) => {
      asked.push({ prompt: request })
      if (promptFails) throw new Error("not now")
    },
  },
  postSessionIdPermissionsPermissionId: async ({ path, body }) => {
    asked.push({ toast: path.id + " " + path.permissionID + " " + body.response })
  },
  tui: {
    showToast: async (request) => {
      asked.push({ toast: request.body.message })
      throw new Error("no terminal")
    },
  },
}

const load = async (n) => {
  const exports = Object.values(await import(pathToFileURL(plugin).href + "?" + n))
  if (exports.length !== 1) throw new Error("want one export, have " + exports.length)
  return exports[0]({ client, directory: "/p", worktree: "/p" })
}

const results = []
let hooks = await load(0)
const run = async (step) => {
  const came = { output: step.output }
  try {
    if (step.event) await hooks.event({ event: step.event })
    else if (step.config) await hooks.config(step.config)
    else await hooks[step.hook](step.input, step.output)
  } catch (e) {
    came.thrown = e.message
  }
  return came
}
const at = (name) => join(dirname(plugin), name)
const byStream = () => (existsSync(at("by")) ? readFileSync(at("by"), "utf8").match(/^stream /gm)?.length ?? 0 : 0)

// world changes what is around the plugin.
const world = (step) => {
  if (step.write) writeFileSync(at(step.write), step.text)
  if (step.env) process.env[step.env] = step.text
  if (step.chdir) process.chdir(step.chdir)
  if (step.touch) utimesSync(at("dispatcher"), 1, 1)
  if (step.kill) process.kill(process.pid, "SIGKILL")
}

for (const [i, step] of steps.entries()) {
  if (step.untilStreamed) {
    const had = byStream()
    do await run(structuredClone(step.untilStreamed))
    while (byStream() === had)
    results.push({})
  } else if (step.write || step.env || step.chdir || step.touch || step.kill) {
    world(step)
    results.push({})
  } else if (step.reload) {
    const old = hooks
    hooks = await load(i + 1)
    if (step.keepOld) hooks = old
    results.push({})
  } else if (step.together) results.push(...(await Promise.all(step.together.map(run))))
  else results.push(await run(step))
}
process.stdout.write(JSON.stringify({ results, asked, names: Object.keys(hooks) }), () => process.exit(0))
