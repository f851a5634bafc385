// Somebody with hooks of their own, and the real program: AGENTS_HOOKS_PROGRAM names it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

if (!process.env.AGENTS_HOOKS_PROGRAM) throw new Error("AGENTS_HOOKS_PROGRAM has to name agents-hooks-run")
export const program = [process.env.AGENTS_HOOKS_PROGRAM, "run", "--stream"]

export function person(t) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "hooks-")))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const env = { HOME: home, PATH: process.env.PATH, XDG_CONFIG_DIRS: home, TMPDIR: join(home, "tmp") }
  mkdirSync(env.TMPDIR)
  const told = []
  return {
    home,
    told,
    options: { program, env, workDir: home, tell: (text) => told.push(text) },
    hook(name, front, script) {
      const dir = join(home, ".config/agents/hooks", name)
      mkdirSync(join(dir, "scripts"), { recursive: true })
      writeFileSync(join(dir, "HOOK.md"), `---\nname: ${name}\ndescription: d.\n${front}\n---\n`)
      writeFileSync(join(dir, "scripts/run"), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    },
  }
}
