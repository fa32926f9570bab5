// redraft for opencode: forwards tool calls and the few events that say where a turn begins and an answer ends to `redraft hook`,
// which records what the tools change. Nothing here may ever break a tool: only a rule of the user's (git config redraft.deny) throws.
import { spawn } from "node:child_process"

const plain = (value) => {
  try {
    return JSON.parse(JSON.stringify(value ?? null))
  } catch {
    return null
  }
}

// Gives what redraft answers; nothing where it is not there, fails, or takes too long.
const tell = (payload) =>
  new Promise((resolve) => {
    try {
      const child = spawn("redraft", ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"], cwd: payload.directory })
      let said = ""
      const timer = setTimeout(() => child.kill(), 30000)
      const end = () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(said))
        } catch {
          resolve({})
        }
      }
      child.on("error", end)
      child.on("close", end)
      child.stdout.on("data", (text) => (said += text))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve({})
    }
  })

const isTold = (event) =>
  /^session\.(created|idle|deleted)$/.test(event?.type ?? "") ||
  (event?.type === "message.part.updated" && event.properties?.part?.type === "step-finish")

export const Redraft = async ({ directory, worktree }) => {
  const where = { directory, worktree }
  const call = (name, input, output) => tell({ hook_event_name: name, ...where, input: plain(input), output: plain(output) })
  return {
    "tool.execute.before": async (input, output) => {
      const answer = await call("tool.execute.before", input, { args: output?.args })
      if (answer?.decision === "deny") throw new Error(answer.reason)
    },
    "tool.execute.after": async (input) => void (await call("tool.execute.after", input, {})),
    "chat.message": async (input, output) => void (await call("chat.message", input, { message: output?.message })),
    event: async ({ event }) => {
      if (isTold(event)) await tell({ hook_event_name: "event", ...where, event: plain(event) })
    },
  }
}
