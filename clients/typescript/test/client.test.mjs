import assert from "node:assert/strict"
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { events, Hooks, HooksError } from "../src/index.js"
import { person, program } from "./person.mjs"

const rules = [
  ["guard", "trigger: pre-tool-call\nmatcher: {command: forbidden}", `echo "not that" >&2; exit 2`],
  ["rewrite", "trigger: pre-tool-call\nmatcher: {command: old}", `echo '{"modified_input": {"command": "new é"}, "additional_context": "it is new"}'`],
  ["unsure", "trigger: pre-tool-call\nmatcher: {command: perhaps}", `echo '{"decision": "ask", "reason": "sure?"}'`],
  ["hide", "trigger: post-tool-call\nmatcher: {command: secret}", `echo '{"modified_output": "hidden"}'`],
  ["told", "trigger: post-tool-call-failure", `echo '{"additional_context": "try make"}'`],
]
// command, what the model reads, whether the tool was called
const calls = [
  ["ls", "did ls", true],
  ["forbidden", "[guard] not that", false],
  ["old", "did new é\n\nit is new", true],
  ["perhaps", "[unsure] sure?\n\nThe person said no.", false],
  ["secret", "hidden", true],
  ["broken", "exit 1\n\ntry make", true],
]
const run = ({ command }) => {
  if (command === "broken") throw new Error("exit 1")
  return "did " + command
}
const forbidden = events.preToolCall("Shell", { command: "forbidden" })

function hooks(t, options) {
  const h = new Hooks(options)
  t.after(() => h.close())
  return h
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const written = async (file) => {
  while (!existsSync(file) || readFileSync(file).length === 0) await pause(5)
  return readFileSync(file, "utf8")
}
const ended = async (pid) => {
  for (;;) {
    try {
      process.kill(pid, 0)
      if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return
    } catch {
      return
    }
    await pause(20)
  }
}

/** timed says how long each of so many took. */
async function timed(count, act) {
  const took = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await act(i)
    took.push(performance.now() - began)
  }
  const whole = took.reduce((a, b) => a + b)
  took.sort((a, b) => a - b)
  return `${Math.round((took.length / whole) * 1000)} a second, p95 ${took[Math.floor(took.length * 0.95)].toFixed(2)} ms`
}

test("what hooks say is obeyed", async (t) => {
  const p = person(t)
  for (const rule of rules) p.hook(...rule)
  const session = hooks(t, { ...p.options, ask: async () => false }).session()
  for (const [command, text, ran] of calls) {
    const r = await session.tool({ name: "Shell", input: { command }, id: "1" }, run)
    assert.deepEqual([r.text, r.ran], [text, ran], command)
  }
  const many = await Promise.all(Array.from({ length: 8 }, (_, i) => session.dispatch(i % 2 ? forbidden : events.preAgentTurn("hi"))))
  assert.deepEqual(many.map((o) => o.blocked), [false, true, false, true, false, true, false, true])
  assert.deepEqual(p.told, [])
})

test("a gate makes a session go on as often as it may", async (t) => {
  const p = person(t)
  p.hook("gate", "trigger: pre-agent-turn-stop\nmetadata: {loop_limit: 2}", "echo more >&2; exit 2")
  const session = hooks(t, p.options).session("s")
  const said = []
  for (let i = 0; i < 3; i++) said.push((await session.dispatch(events.preAgentTurnStop("done"))).goOn)
  assert.deepEqual(said, ["[gate] more", "[gate] more", undefined])
})

test("a killed program is started again", async (t) => {
  const p = person(t)
  p.hook("guard", "trigger: pre-tool-call", `echo x >>"$HOME/asked"
if [ ! -e "$HOME/once" ]; then : >"$HOME/once"; kill -9 $PPID; sleep 60; fi
echo "not that" >&2; exit 2`)
  const h = hooks(t, p.options)
  const session = h.session()
  assert.equal((await session.dispatch(forbidden)).blocked, true)
  assert.equal(readFileSync(join(p.home, "asked"), "utf8"), "x\nx\n")
  for (let i = 0; i < 3; i++) {
    process.kill(h.stream.process.child.pid, "SIGKILL")
    assert.equal((await session.dispatch(forbidden)).blocked, true)
  }
})

test("what happened is told once where the program dies over it", async (t) => {
  const p = person(t)
  p.hook("observer", "trigger: post-tool-call", `echo x >>"$HOME/asked"; kill -9 $PPID; sleep 60`)
  const o = await hooks(t, p.options).session().dispatch(events.postToolCall("Shell", {}, "done"))
  assert.equal(o.error.kind, "gone")
  assert.equal(readFileSync(join(p.home, "asked"), "utf8"), "x\n")
})

test("a program that hangs hangs nobody", async (t) => {
  const p = person(t)
  p.hook("slow", "trigger: pre-tool-call", `echo $$ >"$HOME/pid"; sleep 600`)
  const h = hooks(t, { ...p.options, timeout: 500 })
  const session = h.session()
  await session.dispatch(events.preAgentTurn("hi"))
  const { pid } = h.stream.process.child
  assert.equal((await session.dispatch(forbidden)).error.kind, "cancelled")
  assert.equal((await session.dispatch(events.preAgentTurn("hi"))).error, undefined)
  assert.equal(h.stream.process.child.pid, pid)
})

test("a signal ends the hook, and the call", async (t) => {
  const p = person(t)
  p.hook("slow", "trigger: pre-tool-call", `echo $$ >"$HOME/pid"; sleep 600`)
  const stop = new AbortController()
  const other = new AbortController()
  const session = hooks(t, p.options).session()
  const call = (signal) => session.tool({ name: "Shell" }, () => assert.fail("it ran"), { signal })
  const first = call(stop.signal)
  const waiting = [call(other.signal), session.dispatch(events.preAgentTurn("hi"))]
  const pid = Number(await written(join(p.home, "pid")))
  other.abort()
  await assert.rejects(waiting[0], HooksError) // though the first still runs
  stop.abort()
  await assert.rejects(first, HooksError)
  assert.equal((await waiting[1]).error, undefined)
  await ended(pid)
})

test("without a program work goes on, or not, as the agent wants", async (t) => {
  const wrong = [["/nowhere/agents-hooks-run"], ["sh", "-c", "exit 3"], ["sh", "-c", "echo no; cat"],
    ["sh", "-c", `while read l; do echo '{"schema": 1, "id": 1, "hello": {"stream": 2}}'; done`]]
  for (const program of wrong) {
    const p = person(t)
    const call = (strict) => hooks(t, { ...p.options, program, strict }).session().tool({ name: "Shell", input: { command: "x" } }, run)
    assert.equal((await call(false)).text, "did x")
    assert.ok(p.told[0]?.includes(program[0]), p.told[0])
    await assert.rejects(call(true), HooksError)
  }
})

test("each event is one of the format", async (t) => {
  const session = hooks(t, person(t).options).session()
  const every = [
    events.preSession(), events.postSession(), events.preAgentTurn("x", { model: "m" }), events.postAgentTurn(), events.preAgentTurnStop("x"),
    events.postAgentTurnStop(), events.preToolCall("Shell", {}, "1"), events.postToolCall("Shell", {}, undefined), events.postToolCallFailure("Shell", {}, "e"),
    events.permissionRequest("Shell", {}), events.notification("m", "k"), events.preSubagent("1", "k", "t"), events.postSubagent("1", "k"),
    events.preContextCompact("auto"), events.postContextCompact("auto", { kind: "k" }),
  ]
  assert.equal(new Set(every.map((e) => e.event_type)).size, 15)
  for (const event of every) {
    const o = await session.dispatch(event)
    assert.deepEqual([o.error, o.warnings], [undefined, []], event.event_type)
  }
})

test("what has no JSON stops nothing", async (t) => {
  const p = person(t)
  p.hook("after", "trigger: post-tool-call", `cat >>"$HOME/saw"`)
  const h = hooks(t, p.options)
  const session = h.session()
  const ring = {}
  ring.ring = ring
  const call = (run) => session.tool({ name: "Shell", input: { command: "x" } }, run)
  for (const [result, text] of [[10n, "10"], [ring, "[object Object]"], [undefined, ""]]) assert.equal((await call(() => result)).text, text)
  const { text, ran, error } = await call(() => Promise.reject())
  assert.deepEqual([text, ran, error instanceof Error], ["undefined", true, true])
  assert.deepEqual([p.told, readFileSync(join(p.home, "saw"), "utf8").includes('"tool_response": "10"')], [[], true])
  const { pid } = h.stream.process.child
  assert.equal((await session.dispatch(events.preToolCall("Shell", { command: 10n }))).error.kind, "unreadable")
  assert.match(p.told[0], /pre-tool-call has no JSON/)
  await session.dispatch(events.preAgentTurn("hi"))
  assert.equal(h.stream.process.child.pid, pid)
})

test("a dead client leaves nothing behind, and an idle one may end", async (t) => {
  const p = person(t)
  p.hook("slow", "trigger: pre-tool-call", `echo $PPID $$ >"$HOME/pid"; sleep 600`)
  const code = (event) => `import { Hooks, events } from ${JSON.stringify(new URL("../src/index.js", import.meta.url).href)}
await new Hooks({ program: ${JSON.stringify(program)} }).session().dispatch(${event})`
  const start = (event) => spawn(process.execPath, ["--input-type=module", "-e", code(event)], { env: p.options.env, cwd: p.home, stdio: "ignore" })
  const client = start(`events.preToolCall("Shell", {})`)
  const pids = (await written(join(p.home, "pid"))).split(" ").map(Number)
  client.kill("SIGKILL")
  for (const pid of pids) await ended(pid)
  assert.deepEqual(readdirSync(p.options.env.TMPDIR), [])
  assert.equal(await new Promise((done) => start(`events.preAgentTurn("hi")`).on("exit", done)), 0)
})

test("ten thousand events leave nothing behind", { skip: !existsSync("/proc/self/statm") && "needs /proc" }, async (t) => {
  const p = person(t)
  const h = hooks(t, p.options)
  const session = h.session()
  const count = process.env.AGENTS_HOOKS_SLOW ? 10_000 : 1_500
  const resident = (pid) => Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4096
  const sizes = []
  const event = events.preToolCall("Shell", { command: "ls" })
  const asked = await timed(count, async (i) => {
    await session.dispatch(event)
    if (i === count / 5 || i === count - 1) {
      globalThis.gc?.()
      sizes.push([process.memoryUsage().heapUsed, resident(h.stream.process.child.pid)])
    }
  })
  console.log(`typescript: ${count} events: ${asked}, ${JSON.stringify(sizes)}`)
  const input = JSON.stringify({ ...event, session_id: "s", work_dir: p.home })
  const started = await timed(count / 15, () => execFileSync(program[0], ["run", "--json"], { input, env: p.options.env }))
  console.log(`typescript: a process for each: ${started}`)
  assert.ok(sizes[1][0] < sizes[0][0] + 24e6 && sizes[1][1] < sizes[0][1] + 8e6, JSON.stringify(sizes))
})
