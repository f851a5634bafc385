// A program of CommonJS can have the client too, from Node 20.19.
const [major, minor] = process.versions.node.split(".").map(Number)
if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
  const { Hooks, events } = require("@agents-hooks/client")
  if (typeof Hooks !== "function" || events.preAgentTurn("x").prompt !== "x") throw new Error("it is not what it should be")
  console.log("required from CommonJS")
}
