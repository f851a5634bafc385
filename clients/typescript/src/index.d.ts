/// <reference lib="esnext.disposable" />
import type { HookEvent, HookWarning, Outcome as SpecOutcome } from "./schema.js"
export type { Answer, EventType, HookEvent, HookWarning } from "./schema.js"
import * as events from "./events.js"
export { events }

/** An event as the functions of `events` make it; the session adds what is missing. */
export type PartialEvent = Partial<HookEvent> & Pick<HookEvent, "event_type">

/** What all hooks of an event together answer. */
export interface Outcome extends Omit<SpecOutcome, "env"> {
  reason: string
  env: Record<string, string>
  /** It must not happen. */
  blocked: boolean
  /** What the agent has to go on with, after pre-agent-turn-stop and post-subagent. */
  goOn?: string
  blockedBy?: string
  warnings: HookWarning[]
  /** Hooks were not asked, or not to the end; the person was told. */
  error?: HooksError
}

/** Hooks were not asked, or not to the end: neither a permission nor a refusal. */
export class HooksError extends Error {
  /** That of spec/run.schema.json, or "gone" where the program is not there, died twice over one event, or speaks something else. */
  kind: string
}

export interface Call {
  /** The tool, by its portable name where it has one. */
  name: string
  input?: Record<string, unknown>
  /** The model's id of the call. */
  id?: string
}

export interface Result<T = unknown> {
  /** What the model shall read. */
  text: string
  /** The tool was called. */
  ran: boolean
  /** Why it was not. */
  refused?: string
  /** What it was called with. */
  input: Record<string, unknown>
  /** What it returned, and what it threw. */
  output?: T
  error?: unknown
  /** What hooks added for the model, and whether they replaced the result. */
  added?: string
  replaced?: boolean
}

export interface Options {
  /** Your agent, in events and in the log. */
  agent?: string
  version?: string
  /** Whose project's hooks count; the current directory by default. */
  workDir?: string
  /** What your agent carries out; all by default. */
  can?: NonNullable<HookEvent["context"]["can"]>
  /** What runs hooks; agents-hooks-run or agents-hooks of the PATH by default. */
  program?: string[]
  /** The environment of that program. */
  env?: Record<string, string | undefined>
  /** Ends the hooks of an event that take longer together, in milliseconds; 600,000 by default. */
  timeout?: number
  /** `tool` throws where hooks cannot be asked, and calls nothing. */
  strict?: boolean
  /** Asks the person about a call; without it a question is a no. */
  ask?: (call: Call, reason: string) => boolean | Promise<boolean>
  /** Given what the person should read: warnings, and messages of hooks. */
  tell?: (text: string) => void
}

/**
 * The hooks of a person and a project. It starts `agents-hooks-run run --stream` once and
 * speaks its protocol: starts it again when it has died, ends an event that takes too
 * long, and lets work go on where hooks cannot be asked, unless it is strict.
 */
export class Hooks {
  constructor(options?: Options)
  /** The session of an id, which one that goes on keeps; a new one without. */
  session(id?: string): Session
  /** Ends the program, once what it runs has ended. Async hooks go on. */
  close(): Promise<void>
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One conversation: what may happen so often in it, or is said once, goes by its id. */
export class Session {
  readonly id: string
  /** Asks the hooks of an event, and waits for them. It does not throw. */
  dispatch(event: PartialEvent, how?: { signal?: AbortSignal }): Promise<Outcome>
  /** All of a tool call: asks before, runs it with the input that hooks made of it, tells how it ended. */
  tool<T>(call: Call, run: (input: any) => T | Promise<T>, how?: { signal?: AbortSignal }): Promise<Result<T>>
}
