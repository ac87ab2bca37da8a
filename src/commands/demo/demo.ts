import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync, removeSync } from 'fs-extra/esm';
import type { AskModel } from '../../agent/ports/model.ts';
import { AbortedError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import { openRuntime } from '../../runtime/conversation/open-runtime.ts';
import type { Environment } from '../../runtime/environment.ts';
import { versionOf } from '../../runtime/home.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { TurnPort } from '../../terminal/chat/turn-port.ts';
import { CTRL_C } from '../../terminal/input/keys.ts';
import { createRepl } from '../../terminal/repl/repl.ts';
import type { Repl, ReplIo } from '../../terminal/repl/types.ts';
import { formatCount } from '../../terminal/text/format.ts';
import { wrap } from '../../terminal/text/text-width.ts';
import { createTheme } from '../../terminal/text/theme.ts';
import { learnedText } from '../../terminal/views/memory-text.ts';
import { type Chat, openChat } from '../chat/chat.ts';
import type { CommandContext } from '../command.ts';
import { DEMO_WINDOW, type DemoReply, type DemoStep, demoJob } from './demo-job.ts';

export type DemoOptions = { readonly keep?: boolean; readonly fast?: boolean };

/** How long each thing takes, in milliseconds. */
const PACE = { key: 25, think: 350, word: 35, read: 1_300, decide: 2_000 };
/** A question takes no key that was pressed just before it opened. */
const FAST = { key: 0, think: 0, word: 0, read: 0, decide: 1_000 };
type Pause = (what: keyof typeof PACE) => Promise<void>;

/** The real conversation at this terminal, where keys and the model's words come from a script: in a temporary home and folder, so that nothing of the user's is touched. */
export async function runDemo({ keep, fast }: DemoOptions, { environment, io }: CommandContext): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-demo-'));
  if (!keep) environment.onExit(() => removeSync(folder));
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')];
  const { files, steps } = demoJob();
  for (const [path, text] of Object.entries(files)) outputFileSync(join(project, path), text);
  const opening = localize({
    en: `A made-up job in ${folder}. Typing and the model's words are scripted, all else is real. The window has ${formatCount(DEMO_WINDOW)} tokens, so that it soon fills up. Ctrl-C ends it.`,
    zh: `这是 ${folder} 中的虚构任务。输入和模型的话是预先写好的，其余都是真的。窗口只有 ${formatCount(DEMO_WINDOW)} token，很快就会填满。按 Ctrl-C 结束。`,
  });
  io.out(`${wrap(opening, io.columns).join('\n')}\n\n`);
  await play(
    steps,
    { environment: { ...environment, cwd: () => project, env: demoVariables(folder, home, environment) }, io },
    fast === true,
  );
  const closing = localize(
    keep
      ? {
          en: `The folder is kept: ${folder}. Look around: sanbot --home ${home} history`,
          zh: `文件夹已保留：${folder}。查看：sanbot --home ${home} history`,
        }
      : {
          en: 'The folder is removed. To begin, run sanbot in one of your projects.',
          zh: '该文件夹已删除。要开始使用，请在你的项目中运行 sanbot。',
        },
  );
  io.out(`\n${wrap(closing, io.columns).join('\n')}\n`);
}

const demoVariables = (folder: string, home: string, { env: { PATH, TERM, COLORTERM, NO_COLOR } }: Environment): Environment['env'] => ({
  ...{ PATH, TERM, COLORTERM, NO_COLOR, HOME: folder, SANBOT_HOME: home },
  ...{ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: `${DEMO_WINDOW}` },
});

async function play(steps: readonly DemoStep[], context: CommandContext, fast: boolean): Promise<void> {
  const { environment, io } = context;
  const leaving = new AbortController();
  const leave = (): void => {
    leaving.abort();
    repl.end();
  };
  const pause: Pause = (what) => environment.sleep(fast ? FAST[what] : PACE[what], leaving.signal);
  const isShown = environment.stdout.isTTY === true;
  const isPlain = !isShown || environment.env.TERM === 'dumb';
  const input = createScriptedKeys(environment.stdin, leave);
  const repl = createDemoRepl(context, { input, isPlain });
  const answer = (): void => void pause('decide').then(() => input.type(isPlain ? 'y\n' : 'y'), ignoreLeaving);
  const chat = await openDemoChat(context, { repl, ask: scriptedModel(steps, pause), mode: isShown ? 'ask' : 'accept-edits', answer });
  environment.onSignal('SIGINT', leave);
  environment.onExit(repl.restore);
  const turns = createTurnEnds();
  typeAll(steps, { pause, turns, isPlain, type: input.type, echo: isShown ? () => undefined : io.out }).catch(ignoreLeaving);
  // The session goes with its folder: there is nothing to come back to.
  const rollback = { ...chat.rollback, pastMessages: () => [] };
  await repl.run({ ...chat, rollback, turn: { ...chat.turn, say: turns.notedAfter(chat.turn.say) } });
  leaving.abort();
  await chat.close('prompt_input_exit');
  io.out(learnedText(chat.memory.learned(), io.columns));
}

const createDemoRepl = (
  { environment, io }: CommandContext,
  { input, isPlain }: { readonly input: ReplIo['input']; readonly isPlain: boolean },
): Repl =>
  createRepl({
    ...{ input, output: environment.stdout, colour: io.colour, dumb: isPlain, version: versionOf(environment) },
    theme: createTheme('auto', environment.env, () => undefined),
    ...{ history: { load: () => [], save: () => undefined }, edit: async (text) => ({ kind: 'edited', text }) },
    ...{ clipboardImage: async () => ({ why: '' }), suspend: async () => undefined },
    ...{ now: environment.now, retentionDays: 7 },
  });

type DemoChat = { readonly repl: Repl; readonly ask: AskModel; readonly mode: PermissionMode; readonly answer: () => void };

async function openDemoChat({ environment, io }: CommandContext, { repl, ask, mode, answer }: DemoChat): Promise<Chat> {
  const read = readSettings(environment, { home: undefined });
  const compaction = { ...read.config.compaction, useLLMSummary: false };
  const settings = { ...read, config: { ...read.config, compaction } };
  const { model, models, ...runtime } = await openRuntime(environment, {
    ...{ settings, group: 'main', interactive: true, mode, allowed: [] },
    askPermission: (request, signal) => {
      const answered = repl.askPermission(request, signal);
      answer();
      return answered;
    },
    ...{ confirm: repl.confirm, show: repl.onEvent, warn: io.warn },
  });
  const scripted = { model: { ...model, ask }, models: { ...models, isOffline: () => false }, modelName: 'scripted' };
  return openChat({ ...runtime, ...scripted }, { group: 'main', resume: undefined, settings });
}

function ignoreLeaving(error: unknown): void {
  if (!(error instanceof AbortedError)) throw error;
}

/** Keys of the script for the program; of the person's own only Ctrl-C counts, and of the terminal what its background is. */
function createScriptedKeys(real: NodeJS.ReadStream, leave: () => void) {
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (raw: boolean) => real.isTTY && real.setRawMode(raw),
    resume: () => real.isTTY && real.resume(),
    pause: () => real.isTTY && real.pause(),
    type: (text: string) => void input.emit('data', text),
  });
  if (real.isTTY)
    real.on('data', (chunk: Uint8Array | string) => {
      if (`${chunk}`.includes(CTRL_C)) leave();
      else if (`${chunk}`.startsWith('\u001b]11;')) input.type(`${chunk}`);
    });
  return input;
}

function createTurnEnds() {
  let end = (): void => undefined;
  return {
    /** Resolves when the turn is over that begins next. */
    next: () => new Promise<void>((resolve) => (end = resolve)),
    notedAfter:
      (say: TurnPort['say']): TurnPort['say'] =>
      (...message) =>
        say(...message).finally(() => end()),
  };
}

type Typing = {
  readonly pause: Pause;
  readonly turns: ReturnType<typeof createTurnEnds>;
  readonly isPlain: boolean;
  readonly type: (text: string) => void;
  readonly echo: (text: string) => void;
};

async function typeAll(steps: readonly DemoStep[], { pause, turns, isPlain, type, echo }: Typing): Promise<void> {
  for (const { typed, replies } of steps) {
    await pause('read');
    for (const key of isPlain ? [typed] : typed) {
      type(key);
      await pause('key');
    }
    echo(`> ${typed}\n`);
    const turn = turns.next();
    type(isPlain ? '\n' : '\r');
    if (replies !== undefined) await turn;
  }
}

/** Says one reply after the other, whatever it is asked. */
function scriptedModel(steps: readonly DemoStep[], pause: Pause): AskModel {
  const replies = steps.flatMap((step) => step.replies ?? []);
  let calls = 0;
  return async ({ model }, { onText }) => {
    await pause('think');
    const { text, calls: named = [] }: DemoReply = replies.shift() ?? { text: '' };
    for (const word of text.match(/\s*(?:[\x21-\x7e]+|[^\x00-\x7f]{1,3})/g) ?? []) {
      onText(word);
      await pause('word');
    }
    const blocks = named.map((call) => ({ type: 'tool_use', id: `demo_${++calls}`, ...call }) as const);
    const content = [...(text === '' ? [] : [{ type: 'text', text } as const]), ...blocks];
    return { kind: 'reply', model, content, stopReason: named.length > 0 ? 'tool_use' : 'end_turn', usage: undefined };
  };
}
