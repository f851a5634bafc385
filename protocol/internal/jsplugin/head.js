// agents-hooks: tells the dispatcher what happens here, and does what it answers.
// Installed by "agents-hooks install"; "agents-hooks uninstall" takes it away.
import { spawn } from "node:child_process"

const ENTRY = null

const MAX_ANSWER = 16 * 1024 * 1024 // bytes; more is no answer

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
function ask(frame, limit, signal) {
  return new Promise((resolve) => {
    const chunks = []
    let size = 0
    let settled = false
    let child
    let timer
    const settle = (answer) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener?.("abort", end)
      resolve(answer)
    }
    const end = () => {
      settle({})
      try {
        child.kill("SIGTERM")
        setTimeout(() => child.kill("SIGKILL"), 1000).unref?.()
      } catch {}
    }
    try {
      const line = encode(frame)
      child = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      timer = setTimeout(end, limit)
      signal?.addEventListener?.("abort", end)
      child.on("error", (e) => settle({ gone: e?.code === "ENOENT" || e?.code === "EACCES" }))
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.on("data", (chunk) => {
        size += chunk.length
        if (size > MAX_ANSWER) end()
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
