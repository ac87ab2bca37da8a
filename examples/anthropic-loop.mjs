/**
 * A loop of one's own over the Anthropic SDK whose context never overflows: each argument is a turn.
 *
 * `ANTHROPIC_API_KEY=… node examples/anthropic-loop.mjs "What is in package.json?" "And what is missing?"`
 */
import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { createContext } from 'sanbot/context';

const client = new Anthropic();
const { MODEL: model = 'claude-sonnet-5-5', WINDOW = '200000' } = process.env;
const PAGE_LINES = 100;

const readFile = {
  name: 'read_file',
  description: `Reads ${PAGE_LINES} lines of a file, or of an earlier result by its path, from the line of the number \`offset\` on.`,
  inputSchema: { type: 'object', properties: { path: { type: 'string' }, offset: { type: 'integer' } }, required: ['path'] },
};

const ask = ({ system, tools, messages, maxOutputTokens }, signal) =>
  client.messages
    .stream(
      {
        ...{ model, max_tokens: maxOutputTokens, messages },
        system: system.map((text) => ({ type: 'text', text })),
        tools: tools.map(({ inputSchema, ...tool }) => ({ ...tool, input_schema: inputSchema })),
      },
      { signal },
    )
    .finalMessage();

const textOf = ({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

const context = await createContext({
  windowTokens: Number(WINDOW),
  system: 'You answer briefly.',
  tools: [readFile],
  summarise: async (request, signal) => textOf(await ask(request, signal)),
  onEvent: ({ type }) => type === 'compacted' && console.log('(compacted)'),
});

function run({ id, input: { path, offset = 1 } }) {
  const text = context.read(path) ?? readFileSync(path, 'utf8');
  const page = text.split('\n').slice(offset - 1, offset - 1 + PAGE_LINES);
  return { type: 'tool_result', tool_use_id: id, content: page.join('\n') };
}

for (const question of process.argv.slice(2)) {
  context.add({ role: 'user', content: question });
  for (let calls = [undefined]; calls.length > 0; ) {
    const { content, stop_reason: stopReason, usage } = await ask(await context.request());
    const [cacheReadTokens, cacheWriteTokens] = [usage.cache_read_input_tokens ?? 0, usage.cache_creation_input_tokens ?? 0];
    const counted = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens, cacheReadTokens, cacheWriteTokens };
    context.add({ role: 'assistant', content, stopReason, usage: counted });
    calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length > 0) context.add({ role: 'user', content: calls.map(run) });
    else console.log(textOf({ content }));
  }
}
