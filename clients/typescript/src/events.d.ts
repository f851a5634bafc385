import type { PartialEvent } from "./index.js"
type More = Record<string, unknown>
type Input = Record<string, unknown>

/** A session begins: do not begin a blocked one; give the model additional_context, and commands env. */
export function preSession(source?: string, more?: More): PartialEvent
/** A session has ended. */
export function postSession(reason?: string, more?: More): PartialEvent
/** A prompt has arrived: do not send a blocked one; add additional_context. */
export function preAgentTurn(prompt: string, more?: More): PartialEvent
/** The agent is done with a prompt. */
export function postAgentTurn(more?: More): PartialEvent
/** The agent is about to stop: go on with goOn where that is a text. */
export function preAgentTurnStop(text?: string, more?: More): PartialEvent
/** The agent has stopped. */
export function postAgentTurnStop(text?: string, more?: More): PartialEvent
/** A tool is about to be called: Session.tool does what it obliges to. */
export function preToolCall(name: string, input: Input, id?: string, more?: More): PartialEvent
/** A tool was called. */
export function postToolCall(name: string, input: Input, response: unknown, id?: string, more?: More): PartialEvent
/** A tool was called, and failed. */
export function postToolCallFailure(name: string, input: Input, error: string, id?: string, more?: More): PartialEvent
/** The person is about to be asked: allow answers for them, a block denies. */
export function permissionRequest(name: string, input: Input, id?: string, more?: More): PartialEvent
/** The agent wants its person. Nothing comes of it. */
export function notification(message: string, kind?: string, more?: More): PartialEvent
/** A subagent is about to start: do not start a blocked one. */
export function preSubagent(id: string, kind?: string, task?: string, more?: More): PartialEvent
/** A subagent has ended: it goes on with goOn. */
export function postSubagent(id: string, kind?: string, status?: string, more?: More): PartialEvent
/** The conversation is about to be shortened: not if blocked. */
export function preContextCompact(trigger: string, more?: More): PartialEvent
/** The conversation was shortened. */
export function postContextCompact(trigger: string, more?: More): PartialEvent
