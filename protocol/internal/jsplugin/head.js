// agents-hooks: tells the dispatcher what happens here, and does what it answers.
// Installed by "agents-hooks install"; "agents-hooks uninstall" takes it away.
import { spawn } from "node:child_process"
import { statSync } from "node:fs"

const ENTRY = null

const MAX_ANSWER = 16 * 1024 * 1024 // bytes; more is no answer
const READY_MS = 10_000 // how long a dispatcher that stays may take to say that it does
const BEGIN_MS = 5000 // how long it may take to say that it begins with an event
const IDLE_MS = 60_000 // how long it stays without an event
const TRIES = 3 // how many may end in a row without an answer before none stays any more
const LOOK_MS = 50 // for what came in time and was not read yet
const LAST_MS = 1000 // from a signal to one that cannot be passed over

const argv = ENTRY?.argv ?? []
const limits = ENTRY?.limits ?? {}
const gone = ENTRY?.gone ?? ""
const self = (argv.find((a) => a.startsWith("--agent=")) ?? "--agent=").slice("--agent=".length)

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v)
const text = (v) => (typeof v === "string" && v.trim() !== "" ? v : undefined)

function encode(frame) {
  try {
    return JSON.stringify(frame)
  } catch {
    const above = []
    return JSON.stringify(frame, function (_, v) {
      if (typeof v === "bigint") return String(v)
      if (v === null || typeof v !== "object") return v
      while (above.length > 0 && above[above.length - 1] !== this) above.pop()
      if (above.includes(v)) return undefined
      above.push(v)
      return v
    })
  }
}

function decode(chunks) {
  try {
    const answer = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

// ask gives the dispatcher a frame, and resolves to its answer: to {} if there is
// none, for whatever reason, to { gone: true } if there is no dispatcher. It never
// rejects, and never takes longer than limit. A signal of the agent's that what it is
// about was given up ends it as well.
async function ask(frame, limit, signal) {
  let line
  try {
    line = encode(frame)
  } catch {
    return {}
  }
  const until = Date.now() + limit
  const one = resident()
  return (one && (await one.ask(line, limit, signal))) ?? (await askProcess(line, until - Date.now(), signal))
}

// limited is a promise with a way to settle it that works once. It settles to {} when
// the time is over, or the agent's signal comes, and then ends what was asked. What was
// answered while the agent was stopped, or busy, is read before the time is over.
function limited(limit, signal, end, begin) {
  return new Promise((resolve) => {
    let settled = false
    const over = () => {
      settle({})
      end()
    }
    let timer = setTimeout(() => (timer = setTimeout(over, LOOK_MS)), limit)
    const settle = (answer) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener?.("abort", over)
      resolve(answer)
    }
    signal?.addEventListener?.("abort", over)
    begin(settle, over)
  })
}

function kill(child) {
  try {
    child?.kill("SIGTERM")
    setTimeout(() => child?.kill("SIGKILL"), LAST_MS).unref?.()
  } catch {}
}

// askProcess starts a dispatcher for one frame.
function askProcess(line, limit, signal) {
  const chunks = []
  let size = 0
  let child
  return limited(limit, signal, () => kill(child), (settle, over) => {
    try {
      child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      child.on("error", (e) => settle({ gone: e?.code === "ENOENT" || e?.code === "EACCES" }))
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.on("data", (chunk) => {
        size += chunk.length
        if (size > MAX_ANSWER) over()
        else chunks.push(chunk)
      })
      const leave = (code) => settle(code === 0 && size > 0 ? decode(chunks) : {})
      child.on("close", leave)
      // Something that the dispatcher left behind may hold the pipe open.
      child.on("exit", (code) => setTimeout(() => leave(code), 500).unref?.())
      child.stdin.end(line)
    } catch {
      settle({})
    }
  })
}

// A dispatcher that stays answers one event after the other, which spares a process for
// each. While it is busy, not there yet or no longer, a process answers instead. It says
// when it begins with an event; if it ends before that, or is ended because it does not
// say so in time, a process is asked, and if it ends after it nobody is: no hook is asked
// twice.
let stays
let failures = 0

// resident is the one that can be asked now, undefined if there is none. It is made
// anew where the program, the environment or the working directory have changed.
function resident() {
  const made = madeOf()
  if (stays && stays.made !== made) stays.leave()
  if (!stays && made && failures < TRIES) stays = hire(made)
  return stays?.free() ? stays : undefined
}

function madeOf() {
  try {
    const { ino, size, mtimeMs } = statSync(argv[0])
    return JSON.stringify([ino, size, mtimeMs, process.cwd(), process.env])
  } catch {
    return undefined
  }
}

function hire(made) {
  const self = { made, ready: false, job: undefined }
  const rest = [] // of a line that is not whole yet
  let size = 0
  let sent = 0
  let child
  let timer

  const hold = (what) => [child, child.stdin, child.stdout].forEach((h) => h?.[what]?.())
  const forget = () => {
    if (stays === self) stays = undefined
    clearTimeout(timer)
  }
  const wait = (ms, then) => {
    clearTimeout(timer)
    timer = setTimeout(then, ms)
    timer.unref?.()
    hold("unref") // an agent that has nothing else to do leaves
  }
  const fail = () => {
    forget()
    if (!self.left) failures++
    self.left = true
    kill(child)
  }
  const ended = () => {
    forget()
    if (!self.left) failures++
    self.left = true
    self.job?.ended()
  }
  const giveUp = () => {
    self.left = true // of what hooks did, or the agent, and no failure of its own
    fail()
  }
  const hear = (o) => {
    if (!self.ready) {
      self.ready = o.hello?.stream === 1
      if (!self.ready) return fail()
      return wait(IDLE_MS, self.leave)
    }
    if (o.id !== sent || !self.job) return fail()
    if (o.begun === true) {
      self.job.begun = true
    } else if (isObject(o.answer)) {
      failures = 0
      self.job.settle(o.answer)
    } else fail()
  }

  self.free = () => self.ready && !self.job && !self.left
  self.leave = () => {
    self.left = true
    forget()
    if (self.job) return // it ends what it has begun
    try {
      child.stdin.end()
    } catch {}
  }
  // ask resolves to the answer, to undefined if a process has to be asked.
  self.ask = (line, limit, signal) =>
    limited(limit, signal, giveUp, (settle) => {
      clearTimeout(timer)
      hold("ref")
      const job = {
        begun: false,
        settle: (answer) => {
          settle(answer)
          clearTimeout(late)
          self.job = undefined
          if (self.left) self.leave()
          else wait(IDLE_MS, self.leave)
        },
        ended: () => job.settle(job.begun ? {} : undefined),
      }
      self.job = job
      // What came while the agent was stopped, or busy, is read before it counts as late;
      // and what it says after that, before "close" settles the job.
      const mute = () => self.job === job && !job.begun && fail()
      const late = setTimeout(() => setImmediate(mute), BEGIN_MS)
      child.stdin.write(`{"id": ${++sent}, ${line.slice(1)}\n`)
    })

  try {
    child = spawn(argv[0], [...argv.slice(1), "--stream"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
    child.on("error", ended)
    child.on("close", ended)
    child.on("exit", () => setTimeout(ended, 500).unref?.())
    child.stdin.on("error", () => {})
    child.stdout.on("error", () => {})
    child.stdout.on("data", (chunk) => {
      size += chunk.length
      if (size > MAX_ANSWER) return fail()
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
        rest.push(chunk.subarray(0, at))
        chunk = chunk.subarray(at + 1)
        size = chunk.length
        hear(decode(rest.splice(0)))
      }
      rest.push(chunk)
    })
    child.stdin.write('{"request": "hello", "stream": 1}\n')
    wait(READY_MS, fail)
    return self
  } catch {
    failures = TRIES
    return undefined
  }
}
