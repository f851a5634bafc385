import type { Session } from "./index.js"

/**
 * A middleware for `createAgent` of langchain 1: a blocked tool answers with the reason, a
 * changed input is what runs, context stands behind the result, and a gate has the agent go
 * on. `names` are the portable names of your tools ("Shell" …), which hooks of people go by.
 *
 *     createAgent({ model, tools, middleware: [hooksMiddleware(session, { names: { bash: "Shell" } })] })
 */
export function hooksMiddleware(session: Session, how?: { names?: Record<string, string> }): any
