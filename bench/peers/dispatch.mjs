// A dispatcher as people write one for Node: each HOOK.md is read, those that match run.
// A yardstick of go run ./bench, no part of the product. It knows no trust, no time limit
// and no answer but exit 2.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

function frontMatter(text) {
  const fields = {}
  let parent = ''
  for (const line of text.split('---')[1].split('\n')) {
    const at = line.indexOf(':')
    if (at < 0) continue
    const key = line.slice(0, at).trim()
    if (!line.startsWith(' ')) parent = key
    fields[line.startsWith(' ') ? `${parent}.${key}` : key] = line.slice(at + 1).trim()
  }
  return fields
}

function hooks(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder).sort().map(name => ({
    script: join(folder, name, 'scripts', 'run'),
    fields: frontMatter(readFileSync(join(folder, name, 'HOOK.md'), 'utf8')),
  }))
}

const payload = readFileSync(0, 'utf8')
const event = JSON.parse(payload)
const config = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
const found = [...hooks(join(config, 'agents', 'hooks')), ...hooks(join(event.cwd, '.agents', 'hooks'))]
found.sort((a, b) => Number(b.fields.priority ?? 100) - Number(a.fields.priority ?? 100))
for (const { script, fields } of found) {
  if (fields.trigger !== 'pre-tool-call' || !new RegExp(fields['matcher.tool'] ?? '').test('Shell')) continue
  const done = spawnSync(script, { input: payload, encoding: 'utf8' })
  if (done.status === 2) {
    process.stderr.write(done.stderr)
    process.exit(2)
  }
}
