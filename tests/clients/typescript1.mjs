// The official TypeScript client, version 1: node typescript1.mjs BINARY REPO
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { scenario } from "./scenario.mjs";

const [binary, repo] = process.argv.slice(2);
await scenario(repo, async (answer) => {
  const client = new Client({ name: "test", version: "1" }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, async () => said(answer));
  await client.connect(new StdioClientTransport({ command: binary, args: ["mcp"], cwd: repo, env: process.env }));
  return client;
});

function said(answer) {
  return answer === "accept" ? { action: "accept", content: { apply: true } } : { action: answer };
}
