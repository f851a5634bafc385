// One process that speaks spec/STREAM.md, and what to do when it does not.
import { spawn } from "node:child_process"
import { setMaxListeners } from "node:events"

const helloWait = 10_000 // for its first words
const cancelWait = 10_000 // for an answer once it was told to end the event
const closeWait = 6_000 // for its end once its input has ended

// What a block would keep from happening: such an event is asked about once more where the
// program died over it. Better that a guard judges twice than never.
const prevents = new Set(["pre-session", "pre-agent-turn", "pre-agent-turn-stop", "pre-tool-call", "permission-request", "pre-subagent", "pre-context-compact"])

/** Hooks were not asked, or not to the end: neither a permission nor a refusal. */
export class HooksError extends Error {
  /** @param {string} kind that of spec/run.schema.json, or "gone" @param {string} text */
  constructor(kind, text) {
    super("asking hooks: " + text)
    this.name = "HooksError"
    this.kind = kind
  }
}

class Died extends Error {}

/** failure is the answer to an event that hooks were not asked about. @param {any} e */
const failure = (e) => ({ error: { kind: e instanceof HooksError ? e.kind : "gone", text: String(e?.message ?? e).replace(/^asking hooks: /, "") } })

/** givenUp fails once the signal says so, while an event still waits for those before it.
 * @param {Promise<unknown>} before @param {AbortSignal} [signal] @returns {Promise<any>} */
function givenUp(before, signal) {
  return new Promise((_, reject) => {
    if (!signal) return
    if (signal.aborted) return reject(late())
    const give = () => reject(late())
    setMaxListeners(0, signal) // many calls of one step may wait
    signal.addEventListener("abort", give)
    before.then(() => signal.removeEventListener("abort", give))
  })
}

const late = () => new HooksError("cancelled", "the event was cancelled before all of its hooks had judged it")

/** A program that runs. Answers come to whoever waits, in order. */
class Process {
  lines = 0
  over = false
  tail = ""
  /** @type {any[]} */ answers = []
  /** @type {(() => void) | undefined} */ wake

  /** @param {string[]} argv @param {NodeJS.ProcessEnv | undefined} env @param {string} cwd */
  constructor(argv, env, cwd) {
    // A process group of its own: a Ctrl+C is the agent's.
    this.child = spawn(argv[0], argv.slice(1), { cwd, env, detached: process.platform !== "win32", windowsHide: true, stdio: ["pipe", "pipe", "pipe"] })
    const end = () => {
      this.over = true
      this.wake?.()
    }
    this.child.on("error", (e) => {
      this.tail ||= e.message
      end()
    })
    this.child.stdin.on("error", () => {}) // it is gone, which its output's end says
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.tail = (this.tail + text).slice(-2000)))
    let rest = ""
    this.child.stdout
      .setEncoding("utf8")
      .on("data", (text) => {
        const lines = text.split("\n")
        lines[0] = rest + lines[0]
        rest = lines.pop()
        for (const line of lines) {
          try {
            this.answers.push(JSON.parse(line))
          } catch {
            this.tail = line.slice(-2000)
            this.child.kill("SIGKILL")
          }
        }
        this.wake?.()
      })
      .on("close", end)
    this.held(false)
  }

  /** held says whether the agent has to wait for it: a process that is asked nothing keeps none alive. @param {boolean} yes */
  held(yes) {
    for (const one of [this.child, this.child.stdin, this.child.stdout, this.child.stderr]) {
      const it = /** @type {any} */ (one)
      yes ? it.ref?.() : it.unref?.()
    }
  }

  /** @param {string} object in JSON */
  send(object) {
    this.child.stdin.write(`{"id":${++this.lines},${object.slice(1)}\n`)
    return this.lines
  }

  /** next is the next answer; undefined at the end, after a time, or once the signal says so.
   * @param {number} ms @param {AbortSignal} [signal] @returns {Promise<any>} */
  next(ms, signal) {
    return new Promise((resolve) => {
      const give = () => {
        const late = signal?.aborted || Date.now() >= until
        if (this.answers.length === 0 && !this.over && !late) return
        this.wake = undefined
        clearTimeout(timer)
        signal?.removeEventListener("abort", give)
        this.held(false)
        resolve(this.answers.shift())
      }
      const until = Date.now() + ms
      const timer = setTimeout(give, ms + 1)
      this.held(true)
      signal?.addEventListener("abort", give)
      this.wake = give
      give()
    })
  }

  said() {
    return this.tail.trim() || "and it said nothing on stderr"
  }

  kill() {
    this.child.stdin.destroy()
    this.child.kill("SIGKILL")
  }
}

/** The program, started when it is needed and again when it has died. */
export class Stream {
  /** @type {Process | undefined} */ process
  /** @type {Promise<unknown>} */ turn = Promise.resolve()
  closed = false

  /** @param {string[]} argv @param {NodeJS.ProcessEnv | undefined} env @param {string} cwd */
  constructor(argv, env, cwd) {
    this.argv = argv
    this.env = env
    this.cwd = cwd
  }

  /** ask asks about an event, when those before it are answered. What goes wrong is an error in the answer.
   * @param {Record<string, any>} event @param {number} timeout @param {AbortSignal} [signal]
   * @returns {Promise<Record<string, any>>} */
  ask(event, timeout, signal) {
    const { event_type: type } = event
    let line
    try {
      line = JSON.stringify(event)
    } catch (e) {
      return Promise.resolve(failure(new HooksError("unreadable", `${type} has no JSON: ${e?.message ?? e}`)))
    }
    const before = this.turn
    const turn = before.then(() => this.#ask(line, type, Date.now() + timeout, signal))
    this.turn = turn.catch(() => {})
    return Promise.race([turn, givenUp(before, signal)]).catch(failure)
  }

  /** @param {string} event @param {string} type @param {number} end @param {AbortSignal} [signal] */
  async #ask(event, type, end, signal) {
    if (this.closed) throw this.#gone("this Hooks was closed")
    if (signal?.aborted) throw late()
    try {
      return await this.#once(event, end, signal)
    } catch (e) {
      this.drop()
      if (!(e instanceof Died)) throw e
      if (!prevents.has(type)) throw this.#gone(e.message)
    }
    try {
      return await this.#once(event, end, signal)
    } catch (e) {
      this.drop()
      throw e instanceof Died ? this.#gone(e.message) : e
    }
  }

  /** @param {string} event in JSON @param {number} end @param {AbortSignal} [signal] */
  async #once(event, end, signal) {
    let p = this.process
    if (!p || p.over || p.child.exitCode !== null || p.child.signalCode !== null || p.answers.length > 0) {
      this.drop()
      p = this.process = await this.#start()
    }
    const id = p.send(event)
    let answer = await p.next(Math.max(0, end - Date.now()), signal)
    if (answer) return this.#read(id, answer)
    if (p.over) throw new Died("it ended without an answer: " + p.said())
    p.send(`{"request":"cancel","of":${id}}`)
    answer = await p.next(cancelWait)
    if (!answer) {
      this.drop() // it hangs: the next event has a new one
      throw late()
    }
    if ((await p.next(cancelWait))?.cancelled === undefined) this.drop()
    return this.#read(id, answer)
  }

  /** @param {number} id @param {any} answer */
  #read(id, answer) {
    if (answer?.id !== id) throw this.#gone(`it answered ${JSON.stringify(answer?.id)} where ${id} was asked`)
    return answer
  }

  async #start() {
    const p = new Process(this.argv, this.env, this.cwd)
    const id = p.send('{"request":"hello","stream":1}')
    const answer = await p.next(helloWait)
    if (answer?.id !== id || answer?.hello?.stream !== 1) {
      p.kill()
      throw this.#gone("it does not speak version 1 of the stream: " + (answer ? JSON.stringify(answer) : p.said()))
    }
    return p
  }

  /** @param {string} text */
  #gone(text) {
    return new HooksError("gone", `${JSON.stringify(this.argv[0])}: ${text}`)
  }

  drop() {
    this.process?.kill()
    this.process = undefined
  }

  /** close ends the program by the end of its input, and after a while in another way. */
  async close() {
    this.closed = true
    await this.turn
    const p = this.process
    if (!p) return
    p.child.stdin.end()
    if (!p.over) await p.next(closeWait)
    this.drop()
  }
}
