// Hooks for agents of LangChain (langchain, createAgent): langchain.d.ts says how.
import { AIMessage, createMiddleware, HumanMessage, ToolMessage } from "langchain"
import * as events from "./events.js"

/** @param {any} session @param {{names?: Record<string, string>}} [how] */
export function hooksMiddleware(session, { names = {} } = {}) {
  return createMiddleware({
    name: "AgentsHooks",
    beforeAgent: {
      canJumpTo: ["end"],
      hook: async (/** @type {any} */ state) => {
        const prompt = state.messages.at(-1)
        if (!HumanMessage.isInstance(prompt)) return
        const o = await session.dispatch(events.preAgentTurn(prompt.text))
        if (o.blocked) return { messages: [new AIMessage(o.reason)], jumpTo: "end" }
        if (o.additional_context) return { messages: [new HumanMessage(o.additional_context)] }
      },
    },
    wrapToolCall: async (/** @type {any} */ request, /** @type {any} */ handler) => {
      const { id = "", name, args } = request.toolCall
      let said // by the tool: a message, or a command to the graph
      const r = await session.tool({ name: names[name] ?? name, id, input: args }, async (/** @type {any} */ input) => {
        said = await handler({ ...request, toolCall: { ...request.toolCall, args: input } })
        if (ToolMessage.isInstance(said) && said.status === "error") throw new Error(said.text)
        return ToolMessage.isInstance(said) ? said.text : ""
      })
      if (said && !r.replaced && !r.added) return said
      if (r.error !== undefined && !said) throw r.error
      return new ToolMessage({ tool_call_id: id, name, content: r.text, status: r.ran && r.error === undefined ? "success" : "error" })
    },
    afterModel: {
      canJumpTo: ["model"],
      hook: async (/** @type {any} */ state) => {
        const last = state.messages.at(-1)
        if (!AIMessage.isInstance(last) || last.tool_calls?.length) return
        const { goOn } = await session.dispatch(events.preAgentTurnStop(last.text))
        if (goOn !== undefined) return { messages: [new HumanMessage(goOn)], jumpTo: "model" }
      },
    },
    afterAgent: async (/** @type {any} */ state) => {
      await session.dispatch(events.postAgentTurnStop(state.messages.at(-1)?.text))
      await session.dispatch(events.postAgentTurn())
    },
  })
}
