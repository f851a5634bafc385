// Made of spec/event.schema.json and spec/run.schema.json by scripts/types.mjs. Do not edit.

export type EventType = "pre-session" | "post-session" | "pre-agent-turn" | "post-agent-turn" | "pre-agent-turn-stop" | "post-agent-turn-stop" | "pre-tool-call" | "post-tool-call" | "post-tool-call-failure" | "pre-subagent" | "post-subagent" | "pre-context-compact" | "post-context-compact" | "permission-request" | "notification"

/** What a hook reads on stdin. Fields that an agent does not tell are absent; fields that are not named here may come. */
export interface HookEvent {
  event_type: "pre-session" | "post-session" | "pre-agent-turn" | "post-agent-turn" | "pre-agent-turn-stop" | "post-agent-turn-stop" | "pre-tool-call" | "post-tool-call" | "post-tool-call-failure" | "pre-subagent" | "post-subagent" | "pre-context-compact" | "post-context-compact" | "permission-request" | "notification"
  /** ISO 8601. Events that a runner makes are in UTC, with milliseconds. */
  timestamp: string
  session_id: string
  work_dir: string
  context: {
    /** The agent's id. */
    agent?: string
    agent_version?: string
    /** The agent's own name of the event. */
    native_event?: string
    /** The agent's own payload. */
    native?: Record<string, unknown>
    /** What the answer to this event can carry there. */
    can?: ("block" | "ask" | "modify" | "context" | "continue" | "message" | "allow" | "output")[]
  }
  transcript_path?: string
  permission_mode?: string
  model?: string
  message?: string
  title?: string
  kind?: string
  tool_name?: string
  tool_input?: Record<string, unknown>
  tool_use_id?: string
  tool_response?: unknown
  error?: string
  /** What the call runs: each simple command as a shell would make it, and what runs inside it behind it. */
  commands?: {
    /** Its words, joined by spaces; a text that no grammar reads, as it is. */
    text: string
    argv?: string[]
    /** A text of it was cut at 64 KiB. */
    cut?: true
  }[]
  /** What the call makes of files, one object for each. */
  changes?: ({
    /** create: the whole text is written, whether or not there was a file. */
    action: "create" | "update" | "delete" | "move"
    /** Absolute and clean. */
    path: string
    /** Where the file is moved to. */
    to?: string
    /** What an edit takes out. */
    old?: string
    /** The whole text, or what an edit puts in. */
    new?: string
    cut?: true
  })[]
  /** How the call ended, as far as the agent tells. */
  result?: {
    ok?: boolean
    exit_code?: number
    stdout?: string
    stderr?: string
    text?: string
    cut?: true
  }
  /** What the model took, in tokens, as far as the agent or its transcript tells. */
  usage?: {
    /** What its context holds, with the last answer. */
    context_tokens?: number
    /** What its context can hold. */
    context_window?: number
    /** Of the last request, with what was cached. */
    input_tokens?: number
    /** Of the answer to it. */
    output_tokens?: number
  }
  duration_ms?: number
  prompt?: string
  source?: string
  args?: Record<string, unknown>
  duration_seconds?: number
  total_steps?: number
  exit_reason?: string
  status?: string
  stop_reason?: string
  step_count?: number
  final_message?: {
    role?: string
    content?: unknown
  } | null
  stop_active?: boolean
  loop_count?: number
  subagent_name?: string
  subagent_type?: string
  task_description?: string
  agent_id?: string
  trigger?: string
  usage_percent?: number
  context_tokens?: number
  message_count?: number
  is_first_compaction?: boolean
}

/** As a hook may print it, and with decision block where one blocked; empty if none had anything to say. */
export interface Outcome {
  decision?: "allow" | "ask" | "block"
  reason?: string
  modified_input?: Record<string, unknown>
  modified_output?: string
  additional_context?: string
  user_message?: string
  followup_message?: string
  env?: Record<string, unknown>
  /** Anything, for the run log. */
  log?: unknown
}

/** What the person should know, and no model. */
export interface HookWarning {
  /** The hook that it is about, if it is about one. */
  hook?: string
  /** A short stable word, such as failed, timeout or untrusted. */
  kind: string
  text: string
}

/** What hooks said of one event, or why they were not asked. In a stream also the answer to a request. Members may be added. */
export interface Answer {
  /** The version of this shape. */
  schema: 1
  /** In a stream: the number of the line that this answers. */
  line?: number
  /** In a stream: the id that the line had. */
  id?: unknown
  /** As a hook may print it, and with decision block where one blocked; empty if none had anything to say. */
  outcome?: {
    decision?: "allow" | "ask" | "block"
    reason?: string
    modified_input?: Record<string, unknown>
    modified_output?: string
    additional_context?: string
    user_message?: string
    followup_message?: string
    env?: Record<string, unknown>
  }
  /** The name of the hook that blocked. */
  blocked_by?: string | null
  warnings?: {
    /** The hook that it is about, if it is about one. */
    hook?: string
    /** A short stable word, such as failed, timeout or untrusted. */
    kind: string
    text: string
  }[]
  /** Why no hook was asked, or not all were. */
  error?: {
    /** unreadable: no event. event: of a type that the format does not have. cancelled: ended before all hooks had judged it. request: not known. bug: a fault of ours. */
    kind: "unreadable" | "event" | "cancelled" | "request" | "bug"
    text: string
    /** Where the JSON is wrong, in bytes from its beginning. */
    byte?: number
    hint?: string
  }
  hello?: {
    /** The version of the protocol. */
    stream: 1
    events: string[]
    requests: string[]
    /** The longest line that is read, in bytes. */
    max_line: number
  }
  /** Whether an event was. */
  cancelled?: boolean
}
