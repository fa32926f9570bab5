// The official TypeScript client, version 2: node typescript2.mjs BINARY REPO auto|legacy
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { scenario } from "./scenario.mjs";

const [binary, repo, mode] = process.argv.slice(2);
await scenario(repo, async (answer) => {
  const capabilities = answer ? { elicitation: {} } : {};
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  if (answer) client.setRequestHandler("elicitation/create", async () => said(answer));
  await client.connect(new StdioClientTransport({ command: binary, args: ["mcp"], cwd: repo, env: process.env }));
  // Version 2 has the options where version 1 has the schema of the result.
  const call = client.callTool.bind(client);
  client.callTool = (params, _schema, options) => call(params, options);
  return client;
});

function said(answer) {
  return answer === "accept" ? { action: "accept", content: { apply: true } } : { action: answer };
}
