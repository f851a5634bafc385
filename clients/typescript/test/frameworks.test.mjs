// Within the Vercel AI SDK and LangChain, against a scripted model on loopback: a guard
// blocks a tool, an input is changed, context is added, a gate has the agent go on. It is
// run beside what npm installed of them: scripts/frameworks does that.
import assert from "node:assert/strict"
import { createServer } from "node:http"
import { test } from "node:test"
import { Hooks } from "@agents-hooks/client"
import { person } from "./person.mjs"

/** model is a server that speaks as OpenAI's does: it wants the tools of its script, and then says what it read last. */
async function model(t, commands) {
  const read = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (text) => (body += text)).on("end", () => {
      const { messages } = JSON.parse(body)
      const texts = messages.map(({ content }) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("")))
      read.push(texts)
      const command = commands.shift()
      const message = command
        ? { role: "assistant", content: null, tool_calls: [{ id: `call-${read.length}`, type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } }] }
        : { role: "assistant", content: "I read: " + texts.at(-1) }
      const choice = { index: 0, message, finish_reason: command ? "tool_calls" : "stop" }
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ id: `answer-${read.length}`, object: "chat.completion", created: 1, model: "scripted", choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
    })
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  t.after(() => server.close())
  return { read, url: `http://127.0.0.1:${server.address().port}/v1` }
}

function rules(p) {
  p.hook("guard", "trigger: pre-tool-call\nmatcher: {tool: Shell, command: forbidden}", `echo "not that" >&2; exit 2`)
  p.hook("rewrite", "trigger: pre-tool-call\nmatcher: {command: old}", `echo '{"modified_input": {"command": "new"}}'`)
  p.hook("note", "trigger: post-tool-call\nmatcher: {command: new}", `echo '{"additional_context": "mind the gap"}'`)
  p.hook("secret", "trigger: pre-agent-turn", `grep -q swordfish && { echo "no secrets" >&2; exit 2; }; echo '{"additional_context": "It is Monday."}'`)
  p.hook("gate", "trigger: pre-agent-turn-stop\nmetadata: {loop_limit: 1}", `echo "say it louder" >&2; exit 2`)
}

/** what both frameworks have to have done. */
function held(ran, read, said) {
  assert.deepEqual(ran, ["new", "fine"])
  const last = read.map((texts) => texts.at(-1))
  for (const [i, want] of ["It is Monday.", "[guard] not that", "ran new\n\nmind the gap", "ran fine", "say it louder"].entries()) {
    assert.ok(last[i]?.includes(want), `the model read ${JSON.stringify(last)}, want ${want} at ${i}`)
  }
  assert.equal(last.length, 5)
  assert.ok(said.includes("say it louder"), said)
}

test("hooks hold in the Vercel AI SDK", async (t) => {
  const { generateText, stepCountIs, isStepCount, tool } = await import("ai")
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
  const { hookTools, hookedTurn } = await import("@agents-hooks/client/ai")
  const { z } = await import("zod")
  const p = person(t)
  rules(p)
  const { read, url } = await model(t, ["forbidden", "old", "fine"])
  const hooks = new Hooks(p.options)
  t.after(() => hooks.close())
  const session = hooks.session()
  const ran = []
  const bash = tool({ description: "Runs a command.", inputSchema: z.object({ command: z.string() }), execute: async ({ command }) => (ran.push(command), `ran ${command}`) })
  const tools = hookTools(session, { bash }, { names: { bash: "Shell" } })
  const scripted = createOpenAICompatible({ name: "scripted", baseURL: url })("scripted")
  const generate = (messages) => generateText({ model: scripted, tools, messages, stopWhen: (isStepCount ?? stepCountIs)(9) })
  const { text } = await hookedTurn(session, generate, "go")
  held(ran, read, text)
  assert.match((await hookedTurn(session, generate, "swordfish")).refused, /no secrets/)
  assert.equal(read.length, 5)
})

test("hooks hold in LangChain", async (t) => {
  const { createAgent, HumanMessage, tool } = await import("langchain")
  const { ChatOpenAI } = await import("@langchain/openai")
  const { hooksMiddleware } = await import("@agents-hooks/client/langchain")
  const { z } = await import("zod")
  const p = person(t)
  rules(p)
  const { read, url } = await model(t, ["forbidden", "old", "fine"])
  const hooks = new Hooks(p.options)
  t.after(() => hooks.close())
  const ran = []
  const bash = tool(async ({ command }) => (ran.push(command), `ran ${command}`), { name: "bash", description: "Runs a command.", schema: z.object({ command: z.string() }) })
  const scripted = new ChatOpenAI({ model: "scripted", apiKey: "none", useResponsesApi: false, configuration: { baseURL: url } })
  const agent = createAgent({ model: scripted, tools: [bash], middleware: [hooksMiddleware(hooks.session(), { names: { bash: "Shell" } })] })
  const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] })
  held(ran, read, messages.at(-1).text)
  const refused = await agent.invoke({ messages: [new HumanMessage("swordfish")] })
  assert.match(refused.messages.at(-1).text, /no secrets/)
  assert.equal(read.length, 5)
})
