/**
 * SanBot's agent inside another program: a tool of its own, a compaction in the middle, and an undo of that.
 *
 * `node examples/whole-agent.mjs "How many nuts are in the blue bag?" "And in the red one?" "Which has more?"`, with a model set up by `sanbot setup`.
 */
import { createAgent } from 'sanbot';

const bags = new Map([
  ['blue', 7],
  ['red', 12],
]);

const countNuts = {
  name: 'count_nuts',
  description: 'Counts the nuts in a bag.',
  inputSchema: { type: 'object', properties: { bag: { type: 'string', enum: [...bags.keys()] } }, required: ['bag'] },
  access: 'read',
  run: ({ bag }) => {
    const nuts = bags.get(bag);
    if (nuts === undefined) throw new Error(`there is no ${bag} bag`);
    return `${nuts} nuts`;
  },
};

const agent = await createAgent({ tools: [countNuts], permissions: { mode: 'read-only' } });

async function say(text) {
  for await (const event of agent.send(text)) {
    if (event.type === 'tool_started') console.log(`> ${event.title}`);
    if (event.type === 'result') console.log(event.result);
  }
}

try {
  const questions = process.argv.slice(2);
  for (const text of questions.slice(0, 2)) await say(text);

  const preview = await agent.compact({ preview: true, preserveCount: 2 });
  console.log(
    preview.kind === 'previewed'
      ? `A compaction would save ${preview.tokensBeforeCompaction - preview.tokensAfterCompaction} tokens.`
      : preview.kind,
  );
  const made = await agent.compact({ preserveCount: 2, instructions: 'keep how many nuts there are' });
  console.log(`${made.kind}, ${agent.context().messages} messages`);
  if (made.kind === 'compacted') console.log(`undone, ${agent.undo().messages} messages`);

  for (const text of questions.slice(2)) await say(text);
} finally {
  await agent.close();
}
