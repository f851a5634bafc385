// Writes src/schema.d.ts of the JSON Schemas of spec/: what a line of the stream may be, and
// what is answered. With --check it writes nothing, and fails where that would change it.
//
//   node scripts/types.mjs [--check]
import { readFileSync, writeFileSync } from "node:fs"

const here = (path) => new URL(path, import.meta.url)
const schema = (name) => JSON.parse(readFileSync(here(`../../../spec/${name}.schema.json`), "utf8"))

const note = (s, indent) => (s.description ? `${indent}/** ${s.description.replaceAll("*/", "*\\/")} */\n` : "")

/** type is what TypeScript calls what a schema takes. */
function type(s, indent = "") {
  if (s.$ref) throw new Error(`$ref ${s.$ref}: this script resolves none`)
  if (s.const !== undefined) return JSON.stringify(s.const)
  if (s.enum) return s.enum.map((v) => JSON.stringify(v)).join(" | ")
  if (Array.isArray(s.type)) return s.type.map((t) => type({ ...s, type: t }, indent)).join(" | ")
  switch (s.type) {
    case "string":
    case "boolean":
    case "null":
      return s.type
    case "integer":
    case "number":
      return "number"
    case "array": {
      const of = type(s.items ?? {}, indent)
      return of.includes(" | ") ? `(${of})[]` : `${of}[]`
    }
    case "object":
      return object(s, indent)
    case undefined:
      return "unknown"
  }
  throw new Error(`type ${s.type}: not known to this script`)
}

function object(s, indent) {
  const inner = indent + "  "
  const members = Object.entries(s.properties ?? {}).map(
    ([name, m]) => `${note(m, inner)}${inner}${name}${s.required?.includes(name) ? "" : "?"}: ${type(m, inner)}\n`,
  )
  if (members.length === 0) {
    return typeof s.additionalProperties === "object" ? `Record<string, ${type(s.additionalProperties, indent)}>` : "Record<string, unknown>"
  }
  return `{\n${members.join("")}${indent}}`
}

const declare = (name, title, s) => `${note({ description: s.description ?? title }, "")}export interface ${name} ${object(s, "")}\n`

const event = schema("event")
const run = schema("run")
const text = `// Made of spec/event.schema.json and spec/run.schema.json by scripts/types.mjs. Do not edit.

export type EventType = ${type(event.properties.event_type)}

${declare("HookEvent", "An event.", event)}
${declare("Outcome", "", { ...run.properties.outcome, properties: { ...schema("outcome").properties, ...run.properties.outcome.properties } })}
${declare("HookWarning", "What the person should know, and no model.", run.properties.warnings.items)}
${declare("Answer", "", run)}`

const file = here("../src/schema.d.ts")
if (process.argv.includes("--check")) {
  let have = ""
  try {
    have = readFileSync(file, "utf8")
  } catch {}
  if (have !== text) {
    console.error("src/schema.d.ts is not what the schemas make it: node scripts/types.mjs")
    process.exit(1)
  }
} else {
  writeFileSync(file, text)
}
