// One conversation of the built program as a person has it: a pin, a task list, a file written and changed, a title, killed
// at the disk's K-th step (killed-world.mjs). Arguments: K, the session. Says on stdout, as a line of JSON each, what had been acknowledged
// by then.
import { writeSync } from 'node:fs';
import { openChat } from '../../src/commands/chat/chat.ts';
import { buildRuntime } from '../../src/runtime/runtime.ts';
import { readSettings } from '../../src/runtime/settings.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, session] = process.argv.slice(2);
const world = killedWorld(kill);
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);

/** The offline model keeps no task list; this one does when it is told to, and is the offline one otherwise. */
const planning = (ask) => async (request, stream) => {
  const last = request.messages.at(-1).content;
  const plan = last.find(({ type, text }) => type === 'text' && text.startsWith('plan: '));
  if (plan === undefined) return ask(request, stream);
  const items = plan.text.slice('plan: '.length).split(', ');
  const content = [{ type: 'tool_use', id: `todo_${items.length}`, name: 'todo', input: { items: items.map((text) => ({ text })) } }];
  return { kind: 'reply', content, stopReason: 'tool_use', model: request.model, usage: undefined };
};

async function converse() {
  const settings = readSettings(world, { home: undefined });
  const runtime = await buildRuntime(world, {
    settings,
    mode: 'bypass',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => {
      if (event.type === 'tool_ended') say({ ended: event.toolUseId });
    },
    warn: ({ en: told }) => say({ told }),
  });
  const model = { ...runtime.model, ask: planning(runtime.model.ask) };
  const chat = openChat({ ...runtime, model }, { group: 'main', resume: session, model: undefined, settings });
  const send = (text) => chat.turn.say(text, new AbortController().signal);

  await chat.pins.pin(1);
  say({ pinned: true });
  await send('plan: read the page, 写 notes.txt');
  say({ planned: chat.turn.todo().map(({ text }) => text) });
  await send('write notes.txt: one\ntwo');
  say({ wrote: 'one\ntwo' });
  await send('edit notes.txt: two => 二');
  say({ wrote: 'one\n二' });
  say({ titled: await chat.sessions.rename('夜里 the plan') });
  await chat.close('other');
  say({ closed: true });
}

void converse();
