// HOOK.md hooks for an agent in TypeScript or JavaScript: index.d.ts says how.
import { randomUUID } from "node:crypto"
import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join, resolve } from "node:path"
import * as events from "./events.js"
import { HooksError, Stream } from "./stream.js"

export { events, HooksError }

export class Hooks {
  /** @param {any} [options] */
  constructor(options = {}) {
    this.options = { timeout: 600_000, strict: false, ...options }
    this.workDir = resolve(options.workDir ?? process.cwd())
    this.context = {
      ...(options.agent && { agent: options.agent }),
      ...(options.version && { agent_version: options.version }),
      ...(options.can && { can: options.can }),
    }
    this.stream = new Stream(options.program ?? found(options.env ?? process.env), options.env, this.workDir)
  }

  session(id = "") {
    return new Session(this, id || randomUUID())
  }

  close() {
    return this.stream.close()
  }

  async [Symbol.asyncDispose ?? Symbol("asyncDispose")]() {
    await this.close()
  }

  /** @param {string | undefined} text */
  tell(text) {
    if (text) this.options.tell?.(text)
  }
}

/** found is the program that runs hooks, of the PATH. @param {NodeJS.ProcessEnv} env */
function found(env) {
  const windows = process.platform === "win32"
  for (const name of ["agents-hooks-run", "agents-hooks"]) {
    for (const dir of (env.PATH ?? env.Path ?? "").split(delimiter)) {
      const file = join(dir, windows ? name + ".exe" : name)
      try {
        if (!isAbsolute(dir)) continue
        accessSync(file, constants.X_OK)
        return [file, "run", "--stream"]
      } catch {}
    }
  }
  return ["agents-hooks-run", "run", "--stream"]
}

export class Session {
  /** @param {Hooks} hooks @param {string} id */
  constructor(hooks, id) {
    this.hooks = hooks
    this.id = id
  }

  /** @param {any} event @param {{signal?: AbortSignal}} [how] */
  async dispatch(event, { signal } = {}) {
    const { hooks } = this
    const base = { event_type: event.event_type, timestamp: new Date().toISOString(), session_id: this.id, work_dir: hooks.workDir, context: hooks.context }
    const answer = await hooks.stream.ask({ ...base, ...event }, hooks.options.timeout, signal)
    const o = read(answer)
    for (const w of o.warnings) hooks.tell(w.hook ? `hook ${w.hook}: ${w.text}` : w.text)
    hooks.tell(o.user_message)
    if (o.error && !o.blocked) hooks.tell(`${o.error.message}: this happens without them`)
    return o
  }

  /** @param {any} call @param {(input: any) => any} run @param {{signal?: AbortSignal}} [how] */
  async tool(call, run, { signal } = {}) {
    const { name, id = "" } = call
    const before = await this.dispatch(events.preToolCall(name, call.input ?? {}, id), { signal })
    if (before.error && !before.blocked && (this.hooks.options.strict || signal?.aborted)) throw before.error
    const input = (!before.blocked && before.modified_input) || (call.input ?? {})
    const refused = await this.#refused(before, { name, id, input })
    if (refused) return { text: lines(refused, before.additional_context), ran: false, refused, input }
    let output, error
    try {
      output = await run(input)
    } catch (e) {
      error = e ?? new Error(String(e))
    }
    const failed = error !== undefined
    const said = failed ? message(error) : plain(output)
    const after = await this.dispatch(failed ? events.postToolCallFailure(name, input, said, id) : events.postToolCall(name, input, said, id))
    const text = after.modified_output ?? (typeof said === "string" ? said : JSON.stringify(said) ?? "")
    const added = lines(before.additional_context, after.additional_context, after.blocked ? after.reason : "")
    return { text: lines(text, added), ran: true, input, output, error, added, replaced: after.modified_output !== undefined }
  }

  /** @param {any} before @param {any} call */
  async #refused(before, call) {
    if (before.blocked) return before.reason
    if (before.decision !== "ask") return ""
    const { ask } = this.hooks.options
    if (!ask) return lines(before.reason, "Nobody is here to be asked, so it was not done.")
    return (await ask(call, before.reason)) ? "" : lines(before.reason, "The person said no.")
  }
}

/** read is the outcome in an answer of the stream. @param {any} answer */
function read(answer) {
  const o = answer.outcome ?? {}
  const env = Object.fromEntries(Object.entries(o.env ?? {}).map(([k, v]) => [k, String(v)]))
  const blocked = o.decision === "block"
  return {
    ...o,
    env,
    blocked,
    reason: o.reason ?? "",
    goOn: o.followup_message || (blocked ? o.reason : undefined),
    blockedBy: answer.blocked_by ?? undefined,
    warnings: answer.warnings ?? [],
    error: answer.error && new HooksError(answer.error.kind, answer.error.text),
  }
}

/** plain is a result as JSON has it; of what has no JSON the text. @param {any} output */
function plain(output) {
  try {
    JSON.stringify(output)
    return output
  } catch {
    return String(output)
  }
}

/** @param {unknown} e */
const message = (e) => (e instanceof Error && e.message) || String(e)
/** @param {(string | undefined)[]} texts */
const lines = (...texts) => texts.filter(Boolean).join("\n\n")
