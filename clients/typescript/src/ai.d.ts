import type { Session } from "./index.js"

/**
 * Tools of the AI SDK (`tool({…})`) whose calls hooks judge: a blocked one returns the reason,
 * a changed input is what runs, context stands behind the output. `names` are the portable
 * names of your tools ("Shell", "WriteFile" …), which hooks of people go by.
 *
 *     generateText({ model, tools: hookTools(session, { bash }, { names: { bash: "Shell" } }), … })
 */
export function hookTools<T extends Record<string, any>>(session: Session, tools: T, how?: { names?: Partial<Record<keyof T, string>> }): T

/**
 * One prompt of the person, with the hooks of a turn: `generate` is given the messages and
 * returns what generateText or streamText returned, again and again as long as a gate wants
 * the agent to go on.
 *
 *     const { text, refused } = await hookedTurn(session, (messages) => generateText({ model, tools, messages }), prompt)
 */
export function hookedTurn<R>(
  session: Session,
  generate: (messages: any[]) => R | Promise<R>,
  prompt: string,
  messages?: any[],
  how?: { signal?: AbortSignal },
): Promise<{ result?: R; text?: string; refused?: string; messages: any[] }>
