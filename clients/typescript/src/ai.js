// Hooks for the Vercel AI SDK (ai): ai.d.ts says how.
import * as events from "./events.js"

/** @param {any} session @param {Record<string, any>} tools @param {{names?: Record<string, string>}} [how] */
export function hookTools(session, tools, { names = {} } = {}) {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, tool.execute ? hooked(session, names[name] ?? name, tool) : tool]))
}

/** @param {any} session @param {string} name @param {any} tool */
function hooked(session, name, tool) {
  const texts = new Map() // by call: what the model reads in place of an output
  const wrapped = {
    ...tool,
    /** @param {any} input @param {any} how */
    async execute(input, how = {}) {
      const id = how.toolCallId ?? ""
      const r = await session.tool({ name, id, input }, async (/** @type {any} */ given) => last(await tool.execute(given, how)), { signal: how.abortSignal })
      if (r.ran && !r.replaced && !r.added) {
        if (r.error !== undefined) throw r.error
        return r.output
      }
      if (r.error !== undefined && !r.replaced) throw new Error(r.text, { cause: r.error })
      if (!tool.toModelOutput) return r.text
      texts.set(id, r.text)
      return r.ran ? r.output : r.text
    },
  }
  if (tool.toModelOutput) {
    wrapped.toModelOutput = (/** @type {any} */ how) =>
      texts.has(how.toolCallId) ? { type: "text", value: texts.get(how.toolCallId) } : tool.toModelOutput(how)
  }
  return wrapped
}

/** last is the result of a tool that tells of its progress, as of one that does not. @param {any} output */
async function last(output) {
  if (!output?.[Symbol.asyncIterator]) return output
  let value
  for await (value of output);
  return value
}

/** @param {any} session @param {(messages: any[]) => any} generate @param {string} prompt @param {any[]} [messages] @param {{signal?: AbortSignal}} [how] */
export async function hookedTurn(session, generate, prompt, messages = [], how = {}) {
  const o = await session.dispatch(events.preAgentTurn(prompt), how)
  if (o.blocked) return { refused: o.reason, messages }
  messages = [...messages, { role: "user", content: prompt }]
  if (o.additional_context) messages.push({ role: "user", content: o.additional_context })
  for (;;) {
    const result = await generate(messages)
    const said = (await result.response)?.messages ?? (await result.responseMessages) ?? []
    messages = [...messages, ...said]
    const text = await result.text
    const { goOn } = await session.dispatch(events.preAgentTurnStop(text), how)
    if (goOn === undefined) {
      await session.dispatch(events.postAgentTurnStop(text))
      await session.dispatch(events.postAgentTurn())
      return { result, text, messages }
    }
    messages.push({ role: "user", content: goOn })
  }
}
