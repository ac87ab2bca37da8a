import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSnapshot, rollBack } from '../../agent/rollback/rollback.ts';
import { runTurn } from '../../agent/turn/turn.ts';
import type { SanbotEvent } from '../../domain/event.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { startConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { Setting } from '../../runtime/setting.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createTextOutput } from '../../terminal/screen/text-output.ts';
import { count, counted, size } from '../../terminal/text/figures.ts';
import { rollbackDoneText } from '../../terminal/views/rollback-text.ts';
import type { DemoOptions } from '../actions.ts';
import { showHistory } from '../history/history.ts';
import { demoJob } from './demo-job.ts';

/** So small that a few files fill it. */
const WINDOW = '16000';

/**
 * Shows what SanBot is for on a made-up job, with the offline model, in a temporary home and folder: results go to files, older
 * messages are compacted, what matters is remembered, and a rollback brings every message back. Nothing of the user's is touched.
 */
export async function runDemo(world: World, { keep }: DemoOptions, screen: Screen): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-demo-'));
  if (!keep) world.onExit(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, 'project');
  const home = join(folder, 'home');
  const job = demoJob();
  for (const { path, text } of job.files) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const inside: World = {
    ...world,
    cwd: () => project,
    env: { PATH: world.env.PATH, HOME: folder, SANBOT_HOME: home, SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: WINDOW },
  };
  screen.out(
    `A made-up job in ${folder}, without a language model: the built-in offline one follows direct requests. The window is ${count(Number(WINDOW))} tokens, so that things happen soon. Nothing of yours is read or changed.\n\n`,
  );
  const seen: SanbotEvent[] = [];
  let show: (event: SanbotEvent) => void = () => undefined;
  const setting = await buildSetting(inside, {
    settings: readSettings(inside, { home: undefined }),
    mode: 'bypass',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => {
      seen.push(event);
      show(event);
    },
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  await setting.ready();
  const conversation = startConversation(setting, 'main');
  for (const said of job.said) {
    screen.out(`> ${said}\n`);
    const output = createTextOutput({ out: (text) => screen.out(beginning(text)), err: (text) => screen.out(`  ${text}`) });
    show = output.onEvent;
    await runTurn(said, conversation.session, conversation.deps, { signal: new AbortController().signal, maxSteps: 10 });
    output.finish();
  }
  show = () => undefined;
  screen.out(`\n${sumText(seen)}`);
  screen.out(memoryText(setting));
  await showUndo(inside, conversation, { screen, setting });
  conversation.close();
  screen.out(
    keep
      ? `\nKept: ${folder}. Look around with sanbot --home ${home} history, events, metrics, memory, or search.\n`
      : `\nAll of it was in ${folder}, which is removed now; --keep keeps it. Now type sanbot in a project of yours.\n`,
  );
  return 0;
}

const SHOWN_LINES = 2;

/** The first lines of an answer; the model has all of it. */
function beginning(text: string): string {
  const lines = text.trimEnd().split('\n');
  const rest = lines.length - SHOWN_LINES;
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${line.slice(0, 110)}\n`);
  return `${shown.join('')}${rest > 0 ? `  […] ${counted(rest, 'more line')}\n` : ''}`;
}

function sumText(seen: readonly SanbotEvent[]): string {
  const offloaded = seen.flatMap((event) => (event.type === 'offloaded' ? event.results : []));
  const compacted = seen.filter((event) => event.type === 'compacted');
  const freed = compacted.reduce((sum, event) => sum + event.tokensBefore - event.tokensAfter, 0);
  const most = Math.max(...seen.map((event) => (event.type === 'request' ? event.tokens : 0)));
  const bytes = offloaded.reduce((sum, result) => sum + result.bytes, 0);
  const memories = compacted.reduce((sum, event) => sum + event.memoriesAdded, 0);
  return [
    'What happened:',
    `  ${counted(offloaded.length, 'result')} of tools went to files (${size(bytes)}), where the model reads on when it needs to.`,
    `  ${counted(compacted.length, 'compaction')} freed ${count(freed)} tokens; the largest request had ${count(most)} of ${count(Number(WINDOW))}.`,
    `  ${counted(memories, 'memory', 'memories')} extracted from what was said, for later sessions.`,
    '',
  ].join('\n');
}

type Showing = { readonly screen: Screen; readonly setting: Setting };

/** The entries as a person reads them in the files, without the note of where each came from. */
function memoryText({ home, store }: Setting): string {
  const paths = pathsOf(home);
  const lines = (['decisions', 'preferences'] as const).flatMap((kind) =>
    (store.readText(paths.extracted('main', kind), 10_000) ?? '').split('\n'),
  );
  const entries = lines.filter((line) => line.startsWith('- ')).map((line) => `  ${line.replace(/ <!--.*$/, '')}\n`);
  return `\nRemembered, in memory/extracted/:\n${entries.join('')}`;
}

/** Goes back to before the first compaction, and compares what comes back with what was saved. */
async function showUndo(world: World, { session, deps }: Conversation, { screen, setting }: Showing): Promise<void> {
  const [first] = setting.store.snapshots.list(session.id);
  screen.out('\n$ sanbot history --session ID\n');
  await showHistory(world, { home: undefined, session: session.id, snapshot: undefined, json: false }, screen);
  if (first === undefined) return;
  screen.out(`\n$ sanbot rollback --snapshot ${first.id}\n`);
  const snapshot = findSnapshot(first.id, deps.snapshots);
  const done = rollBack(snapshot, session, deps);
  screen.out(rollbackDoneText(done));
  const equal = JSON.stringify(session.context) === JSON.stringify(snapshot.context);
  screen.out(equal ? 'Every message is back, equal to the byte.\n' : 'The messages are NOT equal to those that were saved.\n');
}
