// The events of a session: when each is sent, and what its outcome obliges to. Each function
// returns an object of spec/event.schema.json without the base fields, which the session adds.

/** @param {string} type @param {Record<string, unknown>} fields @param {Record<string, unknown>} [more] @returns {any} */
const event = (type, fields, more) => ({ event_type: type, ...Object.fromEntries(Object.entries(fields).filter(([, v]) => v !== undefined && v !== "")), ...more })
/** @param {string | undefined} text */
const final = (text) => (text ? { role: "assistant", content: text } : undefined)

export const preSession = (source = "startup", more = {}) => event("pre-session", { source }, more)
export const postSession = (reason = "user_exit", more = {}) => event("post-session", { exit_reason: reason }, more)
export const preAgentTurn = (prompt, more = {}) => event("pre-agent-turn", {}, { prompt, ...more })
export const postAgentTurn = (more = {}) => event("post-agent-turn", {}, more)
export const preAgentTurnStop = (text, more = {}) => event("pre-agent-turn-stop", { final_message: final(text) }, more)
export const postAgentTurnStop = (text, more = {}) => event("post-agent-turn-stop", { final_message: final(text) }, more)
export const preToolCall = (name, input, id = "", more = {}) => event("pre-tool-call", { tool_use_id: id }, { tool_name: name, tool_input: input, ...more })
export const postToolCall = (name, input, response, id = "", more = {}) =>
  event("post-tool-call", { tool_use_id: id }, { tool_name: name, tool_input: input, tool_response: response ?? null, ...more })
export const postToolCallFailure = (name, input, error, id = "", more = {}) =>
  event("post-tool-call-failure", { tool_use_id: id }, { tool_name: name, tool_input: input, error, ...more })
export const permissionRequest = (name, input, id = "", more = {}) => event("permission-request", { tool_use_id: id }, { tool_name: name, tool_input: input, ...more })
export const notification = (message, kind = "", more = {}) => event("notification", { kind }, { message, ...more })
export const preSubagent = (id, kind = "", task = "", more = {}) => event("pre-subagent", { agent_id: id, subagent_type: kind, task_description: task }, more)
export const postSubagent = (id, kind = "", status = "completed", more = {}) => event("post-subagent", { agent_id: id, subagent_type: kind, status }, more)
export const preContextCompact = (trigger, more = {}) => event("pre-context-compact", { trigger }, more)
export const postContextCompact = (trigger, more = {}) => event("post-context-compact", { trigger }, more)
