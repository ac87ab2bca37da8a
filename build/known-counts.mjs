import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadSource } from './load-source.mjs';

/** Resolves with the tokens of what every session tells a model of its tools, by the text, as JSON: src/runtime/token-counter.ts reads it. */
export async function knownCounts(root, rankTable) {
  const { createTokenCounter } = await loadSource(root, 'src/context/measure/tokens.ts');
  const { openRankTable } = await loadSource(root, 'src/context/measure/byte-pairs.ts');
  const { inputSchemas } = await loadSource(root, 'src/tools/input-schemas.ts');
  const count = createTokenCounter(openRankTable(rankTable));
  const folder = join(root, 'prompts', 'tools');
  const texts = readdirSync(folder).flatMap((file) => [basename(file, '.md'), readFileSync(join(folder, file), 'utf8').trim()]);
  const { withAgents } = await loadSource(root, 'src/runtime/agents/find-agents.ts');
  const specs = Object.entries(inputSchemas()).map(([name, inputSchema]) => ({ name, description: '', inputSchema }));
  const schemas = [...specs, ...withAgents(specs, [])].map(({ inputSchema }) => JSON.stringify(inputSchema));
  return JSON.stringify(Object.fromEntries([...texts, ...schemas].map((text) => [text, count(text)])));
}
