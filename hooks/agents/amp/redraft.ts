// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now
// redraft for Amp: forwards tool calls to `redraft hook`, which records what the tools change. Nothing here may ever break a tool.
import { spawn } from "node:child_process"

const tell = (payload: Record<string, unknown>): Promise<any> =>
  new Promise((resolve) => {
    try {
      const child = spawn("redraft", ["hook", "amp"], { stdio: ["pipe", "pipe", "ignore"] })
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

export default function (amp: any) {
  const told = (name: string, event: any) => ({
    amp: name,
    session: event?.thread?.id ?? event?.threadID,
    cwd: process.cwd(),
    call: event?.toolUseID,
    tool: event?.tool,
    input: event?.input,
  })
  amp.on("tool.call", async (event: any) => {
    const answer = await tell(told("tool.call", event))
    return answer?.decision === "deny" ? { action: "reject-and-continue", message: answer.reason } : { action: "allow" }
  })
  amp.on("tool.result", async (event: any) => void (await tell(told("tool.result", event))))
  for (const name of ["agent.start", "agent.end"]) amp.on(name, async (event: any) => void (await tell(told(name, event))))
}
