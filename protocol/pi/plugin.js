import { spawnSync } from "node:child_process"

const SLOW_MS = 5000 // a person who waits for longer is told for what

// Sessions outlive this module where the agent loads its extensions anew.
const sessions = (globalThis[Symbol.for("agents-hooks.sessions")] ??= new Map())

// versionOf is what the agent says of itself, if it does.
async function versionOf() {
  try {
    return text((await import("@mariozechner/pi-coding-agent")).VERSION)
  } catch {
    return undefined
  }
}

// askNow is ask for where the agent does not wait for a promise, and nobody sees
// that it stands still.
function askNow(frame, limit) {
  try {
    const { status, stdout } = spawnSync(argv[0], argv.slice(1), {
      input: encode(frame),
      timeout: limit,
      maxBuffer: MAX_ANSWER,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    })
    return status === 0 && stdout?.length > 0 ? decode([stdout]) : {}
  } catch {
    return {}
  }
}

// tell shows a person a text, where they look.
function tell(ctx, message, kind) {
  try {
    if (ctx.hasUI) ctx.ui.notify(message, kind)
    else process.stderr.write(message + "\n")
  } catch {}
}

// replace makes the input of a call what the dispatcher says, in place: the agent
// holds on to the object that it gave.
function replace(input, args) {
  for (const key of Object.keys(input)) if (!Object.hasOwn(args, key)) delete input[key]
  for (const key of Object.keys(args)) input[key] = args[key]
}

const message = (content, display) => ({ customType: "agents-hooks", content, display })
const last = (messages) => (Array.isArray(messages) ? messages : []).findLast?.((m) => m?.role === "assistant")
const stopped = (m) => m?.stopReason === "stop" || m?.stopReason === "length"

function usageOf(ctx, m) {
  const sum = (...all) => all.reduce((n, v) => n + (v > 0 ? v : 0), 0)
  const u = m?.usage ?? {}
  const input = sum(u.input, u.cacheRead, u.cacheWrite)
  const output = sum(u.output)
  return { context_tokens: input + output, context_window: ctx.model?.contextWindow, input_tokens: input, output_tokens: output }
}

export default function (pi) {
  if (argv.length === 0) return
  const token = {} // of this copy of the extension: the user's, or the project's

  const frameOf = (hook, session, ctx, event, state) => ({
    hook,
    agent: self,
    agent_version: session.version,
    session_id: session.id,
    cwd: ctx.cwd,
    session_file: ctx.sessionManager.getSessionFile?.(),
    model: ctx.model?.id,
    state: { usage: session.usage, ...state },
    event,
  })

  // heed does with an answer what is done with it wherever it comes. Why a call was
  // blocked stands below it on the screen as it is.
  const heed = (hook, session, ctx, answer) => {
    const reason = hook === "tool_call" && ctx.hasUI ? undefined : text(answer.block)
    const said = [reason, text(answer.message)].filter(Boolean).join("\n\n")
    if (said) tell(ctx, said, reason ? "error" : "info")
    if (answer.gone === true && text(gone) && !session.warned) {
      session.warned = true
      tell(ctx, gone, "error")
    }
    return answer
  }

  // call tells of one event, and resolves to the answer.
  const call = async (hook, session, ctx, event, state) => {
    const limit = limits[hook]
    if (!(limit > 0)) return {}
    const slow = setTimeout(() => ctx.hasUI && tell(ctx, "a hook is still running; its time limit ends it", "info"), SLOW_MS)
    const answer = await ask(frameOf(hook, session, ctx, event, state), limit, hook === "session_shutdown" ? undefined : ctx.signal)
    clearTimeout(slow)
    return heed(hook, session, ctx, answer)
  }

  // heard is the session that an event is of, once it has begun; undefined where
  // another copy of the extension speaks for it.
  const heard = async (ctx, event) => {
    const id = ctx.sessionManager.getSessionId()
    let session = sessions.get(id)
    if (!session) {
      session = { id, context: [], told: [], env: new Map(), active: false }
      sessions.set(id, session)
      session.owner = token
      session.started = begin(session, ctx, event).catch(() => {})
    }
    session.owner ??= token
    if (session.owner !== token) return undefined
    await session.started
    return session
  }

  const begin = async (session, ctx, event) => {
    const first = event?.type === "session_start" ? event : { type: "session_start", reason: "startup" }
    session.version = await versionOf()
    const resumed = (ctx.sessionManager.getBranch?.() ?? []).some((e) => e?.type === "message")
    const answer = await call("session_start", session, ctx, first, { resumed })
    const context = text(answer.context)
    if (context) session.context.push(context)
    if (!isObject(answer.env)) return
    for (const [name, value] of Object.entries(answer.env)) {
      session.env.set(name, process.env[name])
      process.env[name] = String(value)
    }
  }

  // steer gives the model a text with its next request.
  const steer = (context) => context && pi.sendMessage(message(context, false), { deliverAs: "steer" })

  // goOn makes the agent go on after its stop.
  const goOn = (session, prompt) => {
    try {
      pi.sendMessage(message(prompt, true), { deliverAs: "followUp", triggerTurn: true })
      session.active = true
    } catch {} // the session is another one by now
  }

  // fails makes a run without a person end as one that failed: it would print the
  // last answer that there is as if it were the one to this prompt.
  const fails = (ctx) => {
    if (ctx.hasUI) return
    process.once("exit", () => {
      process.exitCode ||= 1
    })
  }

  // on passes an event on, and never throws: the agent takes an error for a block in
  // one place, and for consent in others.
  const on = (name, handle) =>
    pi.on(name, async (event, ctx) => {
      try {
        const session = await heard(ctx, event)
        return session && (await handle(session, event, ctx))
      } catch {}
    })

  on("session_start", () => {})

  on("input", async (session, event, ctx) => {
    const running = !ctx.isIdle()
    if (!running) session.active = false
    const answer = await call("input", session, ctx, event)
    if (text(answer.block)) {
      fails(ctx)
      return { action: "handled" }
    }
    const context = text(answer.context)
    if (running) steer(context)
    else session.told = context ? [context] : []
  })

  on("before_agent_start", (session) => {
    const context = [...session.context.splice(0), ...session.told.splice(0)].join("\n\n")
    if (context) return { message: message(context, false) }
  })

  on("tool_call", async (session, event, ctx) => {
    const answer = await call("tool_call", session, ctx, event)
    steer(text(answer.context))
    const reason = text(answer.block)
    if (reason) return { block: true, reason }
    const question = text(answer.ask)
    if (question) {
      if (!ctx.hasUI) return { block: true, reason: question }
      const yes = await ctx.ui.confirm("agents-hooks", question, { signal: ctx.signal })
      if (yes !== true) return { block: true, reason: question + "\nThe person was asked, and said no." }
    }
    if (ctx.signal?.aborted) return { block: true, reason: "aborted" }
    if (isObject(answer.args) && isObject(event.input)) replace(event.input, answer.args)
  })

  on("tool_result", async (session, event, ctx) => {
    const answer = await call("tool_result", session, ctx, event)
    const instead = text(answer.output)
    const context = text(answer.context)
    if (!instead && !context) return
    const content = instead ? [{ type: "text", text: instead }] : [...(event.content ?? [])]
    if (context) content.push({ type: "text", text: context })
    return { content }
  })

  // The end of a turn. The agent does not wait for what is done with it: without a
  // person it would be gone before a hook has said to go on, so that it is held there
  // at the last message, before it looks whether there is more to do.
  const end = (event) => ({ type: "agent_end", messages: [event].filter(Boolean) })

  pi.on("message_end", (event, ctx) => {
    try {
      const m = event.message
      if (m?.role !== "assistant") return
      const session = sessions.get(ctx.sessionManager.getSessionId())
      if (session?.owner !== token) return
      session.usage = usageOf(ctx, m)
      if (ctx.hasUI || !stopped(m) || !(limits.agent_end > 0)) return
      const frame = frameOf("agent_end", session, ctx, end(m), { stop_active: session.active })
      const answer = heed("agent_end", session, ctx, askNow(frame, limits.agent_end))
      session.active = false
      const prompt = text(answer.continue)
      if (prompt) goOn(session, prompt)
    } catch {}
  })

  on("agent_end", async (session, event, ctx) => {
    const m = last(event.messages)
    session.failed = m?.stopReason === "error"
    if (!ctx.hasUI && stopped(m)) return
    const answer = await call("agent_end", session, ctx, end(m), { stop_active: session.active })
    session.active = false
    const prompt = text(answer.continue)
    if (!prompt) return
    // Once the agent has looked whether its context is to be compacted.
    setTimeout(() => {
      if (session.compacting) session.later = prompt
      else goOn(session, prompt)
    })
  })

  on("session_before_compact", async (session, event, ctx) => {
    const { messagesToSummarize, turnPrefixMessages, tokensBefore, isSplitTurn, firstKeptEntryId, settings } = event.preparation ?? {}
    const full = tokensBefore > (ctx.model?.contextWindow ?? 0) - (settings?.reserveTokens ?? 0)
    const told = { type: event.type, customInstructions: event.customInstructions, preparation: { tokensBefore, isSplitTurn, firstKeptEntryId, settings } }
    session.trigger = full || session.failed ? "auto" : "manual"
    session.compacting = true
    const answer = await call("session_before_compact", session, ctx, told, { trigger: session.trigger })
    if (text(answer.block)) {
      session.compacting = false
      return { cancel: true }
    }
    const context = text(answer.context)
    const into = [messagesToSummarize, turnPrefixMessages].find((l) => Array.isArray(l) && l.length > 0)
    if (context && into) into.push({ role: "custom", ...message(context, false), timestamp: Date.now() })
  })

  on("session_compact", async (session, event, ctx) => {
    await call("session_compact", session, ctx, event, { trigger: session.trigger })
    session.compacting = false
    const prompt = session.later
    session.later = undefined
    if (prompt) setTimeout(() => goOn(session, prompt))
  })

  pi.on("session_shutdown", async (event, ctx) => {
    try {
      const session = sessions.get(ctx.sessionManager.getSessionId())
      if (session?.owner !== token) return
      await session.started
      if (event.reason === "reload") {
        session.owner = undefined
        return
      }
      await call("session_shutdown", session, ctx, event)
      for (const [name, value] of session.env) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      sessions.delete(session.id)
    } catch {}
  })
}
