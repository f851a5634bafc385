const LOOKUP_MS = 2000 // how long the agent may take to say what a session is
const TOAST_MS = 15000 // long enough to be read by who looks elsewhere
const AFTER_ERROR_MS = 500 // a message replaces the one that stands there
const SLOW_MS = 5000 // a person who waits for longer is told for what
const REMEMBERED = 1000 // ids of calls that are kept in mind

const REFUSED = "(a hook blocked this prompt: it was not sent)"

// The plugin may be loaded twice for a directory, as the user's and as the
// project's, and again after a reload: the last one speaks.
const loaded = (globalThis[Symbol.for("agents-hooks.loaded")] ??= new Map())

function within(ms, promise) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return Promise.race([Promise.resolve(promise).catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

// partID makes an id that sorts behind those of the message's own parts: the
// time in milliseconds times 4096, 48 bits of it, and a random rest.
function partID() {
  const time = (BigInt(Date.now()) * 4096n + 4095n) & 0xffffffffffffn
  let rest = ""
  for (let i = 0; i < 14; i++) rest += "0123456789abcdefghijklmnopqrstuvwxyz"[Math.floor(Math.random() * 36)]
  return "prt_" + time.toString(16).padStart(12, "0") + rest
}

const promptOf = (parts) =>
  (Array.isArray(parts) ? parts : [])
    .filter((p) => p?.type === "text" && !p.synthetic && typeof p.text === "string")
    .map((p) => p.text)
    .join("\n")

// replace makes args what the dispatcher says, in place: the agent holds on to
// the object that it gave.
function replace(output, args) {
  const old = output.args
  if (!isObject(old)) {
    output.args = args
    return
  }
  for (const key of Object.keys(old)) if (!Object.hasOwn(args, key)) delete old[key]
  for (const key of Object.keys(args)) old[key] = args[key]
}

export const AgentsHooks = async (ctx) => {
  if (argv.length === 0) return {}
  const { client, directory, worktree } = ctx ?? {}
  const born = Date.now()
  const token = {}
  loaded.set(directory, token)
  const inert = () => loaded.get(directory) !== token

  const sessions = new Map()
  const blocked = new Set() // calls that we blocked: the agent reports them as failed
  const failed = new Set() // calls whose failure was told
  let mcp = []
  let version

  const remember = (set, id) => {
    if (set.size >= REMEMBERED) set.clear()
    set.add(id)
  }

  const toast = (message, variant) => {
    try {
      const body = { title: "agents-hooks", message, variant, duration: TOAST_MS }
      Promise.resolve(client?.tui?.showToast?.({ body })).catch(() => {})
    } catch {}
  }

  // call tells of one hook, and resolves to the answer.
  const call = async (hook, session, input, output, state) => {
    const limit = limits[hook.replace(/^event\./, "")]
    if (!(limit > 0) || inert()) return {}
    const known = { parent: session?.parent, agent: session?.subagent, title: session?.title, usage: session?.usage }
    const frame = { hook, agent: self, agent_version: version, directory, worktree, mcp, state: { ...known, ...state }, input, output }
    const slow = setTimeout(() => toast("a hook is still running; its time limit ends it", "info"), SLOW_MS)
    const answer = await ask(frame, limit)
    clearTimeout(slow)
    const reason = text(answer.block)
    const said = [reason, text(answer.message)].filter(Boolean).join("\n\n")
    if (said) toast(said, reason ? "error" : "info") // one, for it shows one at a time
    if (answer.gone === true && text(gone) && !session?.warned) {
      if (session) session.warned = true
      toast(gone, "error")
    }
    return answer
  }

  const lookup = async (id) => {
    try {
      const found = await within(LOOKUP_MS, client?.session?.get?.({ path: { id } }))
      return isObject(found?.data) ? found.data : undefined
    } catch {
      return undefined
    }
  }

  // begin is the session of an id. The first that is heard of a session, be it
  // its creation or, after a resume, its first prompt, starts it.
  const begin = (id, given) => {
    let session = sessions.get(id)
    if (session) return session
    session = { id, context: [], env: {}, text: undefined, open: false, active: false, continued: undefined }
    sessions.set(id, session)
    session.started = (async () => {
      const info = given ?? (await lookup(id)) ?? { id }
      const created = given !== undefined || info.time?.created >= born
      session.parent = sessions.get(info.parentID)?.parent ?? text(info.parentID) // the first of them all
      session.subagent = session.parent && text(info.agent)
      session.title = session.parent && text(info.title)
      version = text(info.version) ?? version
      const event = { type: "session.created", properties: { sessionID: id, info } }
      const answer = await call("event.session.created", session, event, null, { source: created ? "startup" : "resume" })
      const context = text(answer.context)
      if (context) session.context.push(context)
      if (isObject(answer.env)) for (const [k, v] of Object.entries(answer.env)) session.env[k] = String(v)
    })().catch(() => {})
    return session
  }

  // heard is the session of an id, once it has begun.
  const heard = async (id) => {
    if (typeof id !== "string" || id === "") return undefined
    const session = begin(id)
    await session.started
    return session
  }

  // goOn sends a prompt of ours. It must not wait for the turn that follows.
  const goOn = (session, prompt) => {
    session.continued = prompt
    session.active = true
    const lost = () => {
      session.continued = undefined
      session.active = false
    }
    try {
      const api = client.session
      const body = { parts: [{ type: "text", text: prompt }] }
      if (session.agent) body.agent = session.agent
      if (session.model) body.model = session.model
      const send = typeof api.promptAsync === "function" ? api.promptAsync : api.prompt
      Promise.resolve(send.call(api, { path: { id: session.id }, body })).catch(lost)
    } catch {
      lost()
    }
  }

  const idle = async (event) => {
    const session = sessions.get(event.properties?.sessionID)
    if (!session?.open) return // a turn ends once, however often the agent says so
    session.open = false
    await session.started
    const answer = await call("event.session.idle", session, event, null, { text: session.text, stop_active: session.active })
    session.active = false
    const prompt = text(answer.continue)
    if (prompt && !session.open) goOn(session, prompt)
  }

  const onError = async (event) => {
    const session = sessions.get(event.properties?.sessionID)
    if (!session?.open) return
    session.open = false
    session.active = false
    await session.started
    await call("event.session.error", session, event, null, { text: session.text })
  }

  const onPart = async (event) => {
    const part = event.properties?.part
    if (part?.type === "compaction") {
      const session = sessions.get(part.sessionID)
      if (session) session.trigger = part.auto ? "auto" : "manual"
      return
    }
    if (part?.type !== "tool" || part.state?.status !== "error" || failed.has(part.callID)) return
    remember(failed, part.callID)
    if (blocked.delete(part.callID)) return
    const session = await heard(part.sessionID)
    await call("event.message.part.updated", session, event, null)
  }

  // permission answers what the agent would ask its person, if a hook does.
  const permission = async (event) => {
    const asked = event.properties
    const session = await heard(asked?.sessionID)
    const answer = await call("event.permission.asked", session, event, null)
    const reason = text(answer.block)
    if (!reason && answer.allow !== true) return
    await client?.postSessionIdPermissionsPermissionId?.({
      path: { id: asked.sessionID, permissionID: asked.id },
      body: { response: reason ? "reject" : "once" },
    })
  }

  // used keeps what the model's last answer took; one that is on its way says nothing yet.
  const used = (message) => {
    const tokens = message?.tokens
    const session = sessions.get(message?.sessionID)
    if (!session || message.role !== "assistant" || !(tokens?.output > 0)) return
    const sum = (...all) => all.reduce((n, v) => n + (v > 0 ? v : 0), 0)
    const input = sum(tokens.input, tokens.cache?.read, tokens.cache?.write)
    const output = sum(tokens.output, tokens.reasoning)
    session.usage = { ...session.usage, context_tokens: input + output, input_tokens: input, output_tokens: output }
  }

  const compacted = async (event) => {
    const session = await heard(event.properties?.sessionID)
    await call("event.session.compacted", session, event, null, { trigger: session?.trigger })
    if (session) session.trigger = undefined
  }

  // dispose ends every session, whichever of its two signs comes first.
  const dispose = async (hook, event) => {
    const roots = [...sessions.values()].filter((s) => !s.parent)
    sessions.clear()
    await Promise.all(roots.map((s) => call(hook, s, { ...event, sessionID: s.id }, null)))
  }

  // refuse takes a prompt back: what is kept of it says so, and the request to the
  // model fails with the reason, which the agent shows where the answer would stand.
  // Thrown here it would be an error of the agent's own, without the reason; that is
  // left for a prompt into a running turn, which has to go on.
  const refuse = (session, output, reason, running) => {
    const parts = output?.parts
    const message = output?.message
    if (running || !Array.isArray(parts) || !message?.id) {
      setTimeout(() => toast(reason, "error"), AFTER_ERROR_MS).unref?.()
      throw new Error(reason)
    }
    session.refused = { id: message.id, reason }
    const id = parts.find((p) => p?.type === "text")?.id ?? partID()
    parts.splice(0, parts.length, { id, sessionID: message.sessionID ?? session.id, messageID: message.id, type: "text", text: REFUSED })
  }

  return {
    config: async (config) => {
      if (isObject(config?.mcp)) mcp = Object.keys(config.mcp)
    },

    event: async ({ event }) => {
      try {
        switch (event?.type) {
          case "session.created":
            begin(event.properties?.info?.id ?? event.properties?.sessionID, event.properties?.info)
            break
          case "session.idle":
            await idle(event)
            break
          case "session.error":
            await onError(event)
            break
          case "session.compacted":
            await compacted(event)
            break
          case "message.updated":
            used(event.properties?.info)
            break
          case "message.part.updated":
            await onPart(event)
            break
          case "session.deleted":
            sessions.delete(event.properties?.info?.id ?? event.properties?.sessionID)
            break
          case "permission.asked":
            await permission(event)
            break
          case "server.instance.disposed":
            await dispose("event.server.instance.disposed", event)
            break
        }
      } catch {}
    },

    dispose: () => dispose("dispose").catch(() => {}),

    "chat.message": async (input, output) => {
      const session = await heard(input?.sessionID ?? output?.message?.sessionID)
      if (!session) return
      const own = session.continued !== undefined && promptOf(output?.parts) === session.continued
      session.continued = undefined
      const running = session.open
      session.open = true
      session.text = undefined
      session.agent = output?.message?.agent
      session.model = output?.message?.model
      if (own) return
      session.active = false
      const answer = await call("chat.message", session, input, output)
      const reason = text(answer.block)
      if (reason) {
        session.open = running
        return refuse(session, output, reason, running)
      }
      const context = text(answer.context)
      const message = output?.message
      if (context && message?.id && Array.isArray(output.parts)) {
        output.parts.push({ id: partID(), sessionID: message.sessionID ?? session.id, messageID: message.id, type: "text", text: context, synthetic: true })
      }
    },

    "chat.params": async (input) => {
      const refused = sessions.get(input?.sessionID)?.refused
      if (refused && input?.message?.id === refused.id && input?.agent?.name !== "title" && input?.agent !== "title") throw new Error(refused.reason)
    },

    "tool.execute.before": async (input, output) => {
      const session = await heard(input?.sessionID)
      const answer = await call("tool.execute.before", session, input, output)
      const reason = text(answer.block)
      if (reason) {
        remember(blocked, input?.callID)
        throw new Error(reason)
      }
      if (isObject(answer.args) && output) replace(output, answer.args)
    },

    "tool.execute.after": async (input, output) => {
      const session = await heard(input?.sessionID)
      const answer = await call("tool.execute.after", session, input, output)
      if (!output) return
      const instead = text(answer.output)
      if (instead) {
        if (Array.isArray(output.content)) output.content.splice(0, output.content.length, { type: "text", text: instead })
        else output.output = instead
        if (isObject(output.metadata) && "output" in output.metadata) output.metadata.output = instead
      }
      const context = text(answer.context)
      if (!context) return
      if (Array.isArray(output.content)) output.content.push({ type: "text", text: context })
      else output.output = text(output.output) ? output.output + "\n\n" + context : context
    },

    "experimental.session.compacting": async (input, output) => {
      const session = await heard(input?.sessionID)
      const context = text((await call("experimental.session.compacting", session, input, output, { trigger: session?.trigger })).context)
      if (context && Array.isArray(output?.context)) output.context.push(context)
    },

    "experimental.chat.system.transform": async (input, output) => {
      const session = sessions.get(input?.sessionID)
      if (!session || !Array.isArray(output?.system)) return
      await session.started
      // The request for a title is none of the session's.
      if (String(output.system[0] ?? "").startsWith("You are a title generator")) return
      const window = input.model?.limit?.context
      if (window > 0) session.usage = { ...session.usage, context_window: window }
      output.system.push(...session.context)
    },

    "experimental.text.complete": async (input, output) => {
      const session = sessions.get(input?.sessionID)
      if (session && text(output?.text)) session.text = output.text
    },

    "shell.env": async (input, output) => {
      const session = sessions.get(input?.sessionID)
      if (!session || !isObject(output?.env)) return
      await session.started
      Object.assign(output.env, sessions.get(session.parent)?.env, session.env)
    },
  }
}
