/**
 * The same over the OpenAI client, for any server with its chat completions: each argument is a turn.
 *
 * `OPENAI_API_KEY=… MODEL=… node examples/openai-loop.mjs "Remember the walnut." "What did I say?"`
 */
import OpenAI from 'openai';
import { createContext } from 'sanbot/context';

const client = new OpenAI();
const { MODEL: model = 'gpt-5', WINDOW = '128000' } = process.env;

const clock = { name: 'clock', description: 'Says what time it is.', inputSchema: { type: 'object', properties: {} } };

/** A message of the context as this API has it: results are messages of their own. */
function converted({ role, content }) {
  const texts = content.flatMap(({ type, text }) => (type === 'text' ? [{ type, text }] : []));
  const results = content
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, content: result }) => ({ role: 'tool', tool_call_id: tool_use_id, content: result }));
  const calls = content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
  if (role === 'user') return texts.length === 0 ? results : [...results, { role, content: texts }];
  return [{ role, content: texts.map(({ text }) => text).join('\n') || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

async function ask({ system, tools, messages, maxOutputTokens }, signal) {
  const functions = tools.map(({ inputSchema: parameters, ...tool }) => ({ type: 'function', function: { ...tool, parameters } }));
  const request = {
    ...{ model, max_tokens: maxOutputTokens, stream_options: { include_usage: true } },
    messages: [{ role: 'system', content: system.join('\n\n') }, ...messages.flatMap(converted)],
    ...(functions.length > 0 && { tools: functions }),
  };
  const { choices, usage } = await client.chat.completions.stream(request, { signal }).finalChatCompletion();
  return { text: choices[0].message.content ?? '', calls: choices[0].message.tool_calls ?? [], usage };
}

const context = await createContext({
  windowTokens: Number(WINDOW),
  system: 'You answer briefly.',
  tools: [clock],
  summarise: async (request, signal) => (await ask(request, signal)).text,
  onEvent: ({ type }) => type === 'compacted' && console.log('(compacted)'),
});

const answered = ({ id }) => ({ type: 'tool_result', tool_use_id: id, content: new Date().toISOString() });

for (const question of process.argv.slice(2)) {
  context.add({ role: 'user', content: question });
  for (let isDone = false; !isDone; ) {
    const { text, calls, usage } = await ask(await context.request());
    const used = calls.map(({ id, function: { name } }) => ({ type: 'tool_use', id, name, input: {} }));
    const counted = { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens };
    context.add({ role: 'assistant', content: [...(text === '' ? [] : [{ type: 'text', text }]), ...used], usage: counted });
    isDone = calls.length === 0;
    if (isDone) console.log(text);
    else context.add({ role: 'user', content: used.map(answered) });
  }
}
