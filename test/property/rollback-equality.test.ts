import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { compact } from '../../src/agent/compaction/compact.ts';
import { type AgentDeps, limitsOf } from '../../src/agent/deps.ts';
import { buildRequest } from '../../src/agent/request.ts';
import { findMessage, rewind } from '../../src/agent/rollback/rewind.ts';
import { findSnapshot, rollBack } from '../../src/agent/rollback/rollback.ts';
import { Session } from '../../src/agent/session/session.ts';
import { uniqueStubs } from '../../src/agent/session/snapshot.ts';
import { storeResult } from '../../src/agent/turn/run-tools.ts';
import { importTranscript } from '../../src/commands/sessions/recordings/import-transcript.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import { isToolUse } from '../../src/domain/session/message.ts';
import type { Step, Transcript } from '../../src/domain/session/transcript.ts';
import { pathsOf } from '../../src/store/files/paths.ts';
import { allRecords } from '../../src/store/session/peek-session.ts';
import { createAgentWorld, roughCount } from '../support/agent-world.ts';
import { user } from '../support/build.ts';
import { sampleOf } from '../support/runs.ts';
import { isDrawn, isWhole } from '../support/share.ts';
import { root } from '../support/source.ts';
import { headerOf, nextId, storeOf } from '../unit/store/files/world.ts';

const shared = process.env.SANBOT_TEST_TRANSCRIPTS ?? join(root, '..', 'shared', 'transcripts');

/** The smallest recording of each folder, of which `npm test` takes some, and those that are drawn. */
function recordings(): readonly string[] {
  if (!existsSync(shared)) return [];
  const names = readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => /\/.*\.(?:jsonl?|md|traj)$/.test(name));
  const size = (name: string) => statSync(join(shared, name)).size;
  const used = names.filter((name) => !name.includes('probing'));
  const chosen = used.filter((name, at) => isDrawn(at) || !used.some((other) => isBesideAndSmaller(other, name)));
  return sampleOf(
    chosen.sort((a, b) => size(a) - size(b)),
    8,
  );

  function isBesideAndSmaller(other: string, name: string): boolean {
    return dirname(other) === dirname(name) && size(other) < size(name);
  }
}

/** What the next request would be, and the messages as they stand: as text, so that equal means equal to the byte. */
type State = { readonly messages: string; readonly request: string };

const NEXT = user('what is said next');

function stateOf(session: Session, deps: AgentDeps): State {
  const { context, model } = session;
  const facts = deps.model.facts(model);
  const request = buildRequest({
    purpose: 'turn',
    context: { ...context, messages: [...context.messages, NEXT] },
    model,
    facts,
    estimate: session.estimate,
    config: deps.config.model,
  });
  return { messages: JSON.stringify(context.messages), request: JSON.stringify(request) };
}

/** A session on a real disk that can be closed and opened again. */
function worldOf() {
  const { store, world } = storeOf();
  const { deps: scripted } = createAgentWorld({ window: 200_000 });
  const past = (sessionId: string) => allRecords(pathsOf(world.home), sessionId);
  const measure = createMeasure(roughCount);
  const deps: AgentDeps = {
    ...scripted,
    disk: { snapshots: store.snapshots, memories: store.memories('main'), archive: store.archive('main'), past },
    measure,
  };
  const made = (opened: ReturnType<typeof store.sessions.open>) =>
    new Session(opened, store.bodies('s1'), { now: () => world.now(), newId: nextId, measure });
  let session = made(store.sessions.create(headerOf('s1')));
  return {
    deps,
    current: () => session,
    restart: () => {
      session.close();
      session = made(store.sessions.open('s1'));
      return session;
    },
  };
}

function addStep(step: Step, session: Session, deps: AgentDeps): void {
  if (step.type !== 'reply') {
    const message = session.message({ role: 'user', origin: step.type, content: [{ type: 'text', text: step.text }] });
    session.append({ type: 'message', message });
    return;
  }
  session.append({ type: 'message', message: session.message({ role: 'assistant', origin: 'model', content: step.content }) });
  const limits = limitsOf(session, deps);
  for (const call of step.content.filter(isToolUse)) {
    const result = step.results.find(({ toolUseId }) => toolUseId === call.id);
    const outcome = { ok: result?.ok ?? false, content: result?.content ?? '', note: sameInBoth(''), denied: false, ms: 0 };
    storeResult(call, outcome, session, deps, limits);
  }
}

/** Lives through a recording with two compactions and a restart between them; answers how many ways back there were, and how many were exact. */
async function liveAndGoBack(
  transcript: Transcript,
): Promise<{ readonly tried: number; readonly equal: number; readonly compactions: number }> {
  const world = worldOf();
  const { deps } = world;
  const snapshots = new Map<string, State>();
  const messages = new Map<string, State>();
  const { steps } = transcript;
  const at = (share: number) => Math.floor(steps.length * share);
  const users = steps.filter(({ type }) => type === 'user').length;
  const every = isWhole ? 1 : Math.max(1, Math.floor(users / 6));
  let said = 0;
  for (const [index, step] of steps.entries()) {
    const session = index === at(1 / 2) ? world.restart() : world.current();
    const isPoint = step.type === 'user' && said++ % every === 0;
    const before = isPoint ? stateOf(session, deps) : undefined;
    addStep(step, session, deps);
    const last = session.context.messages.at(-1);
    if (before !== undefined && last !== undefined) messages.set(last.id, before);
    // A small past is refused until its summary would be smaller: then it is tried again.
    const due = index < at(1 / 3) ? 0 : index < at(2 / 3) ? 1 : 2;
    if (snapshots.size >= due || (index - at(1 / 3)) % 4 !== 0) continue;
    const now = stateOf(session, deps);
    const limits = { ...limitsOf(session, deps), keepMessages: 4, keepTokens: 4_000 };
    const wish = { trigger: 'manual', reasons: [], instructions: undefined, limits, signal: new AbortController().signal } as const;
    const outcome = await compact(wish, session, deps);
    if (outcome.kind === 'compacted') snapshots.set(outcome.event.snapshotId, now);
  }
  const session = world.restart();
  let equal = 0;
  const check = (then: State) => {
    const now = stateOf(world.restart(), deps);
    const whole = uniqueStubs(world.current().context.messages).every(({ body }) => world.current().bodies.read(body) !== undefined);
    if (whole && now.messages === then.messages && now.request === then.request) equal += 1;
  };
  for (const [id, then] of messages) {
    const { undo } = rewind(findMessage(id, world.current(), deps), world.current(), deps);
    check(then);
    // Back to the end, from where every message can be reached.
    rollBack(findSnapshot(undo, deps.disk.snapshots), world.current(), deps);
  }
  for (const [id, then] of snapshots) {
    rollBack(findSnapshot(id, deps.disk.snapshots), world.current(), deps);
    check(then);
  }
  expect(session.id).toBe('s1');
  world.current().close();
  return { tried: messages.size + snapshots.size, equal, compactions: snapshots.size };
}

const names = recordings();

test.skipIf(names.length === 0)(
  'every way back in every recorded session, over two compactions and a restart, leads to the same messages and the same next request [B10]',
  async () => {
    let [tried, equal, compactions, sessions] = [0, 0, 0, 0];
    const wrong: string[] = [];
    for (const name of names) {
      // Of a file with many short conversations the first ones stand for all.
      const parts = importTranscript(name, readFileSync(join(shared, name), 'utf8')).slice(0, isWhole ? undefined : 2);
      for (const transcript of parts) {
        const found = await liveAndGoBack(transcript);
        if (found.equal < found.tried) wrong.push(`${name} ${transcript.part}: ${found.equal} of ${found.tried}`);
        [tried, equal, compactions, sessions] = [tried + found.tried, equal + found.equal, compactions + found.compactions, sessions + 1];
      }
    }
    console.log(
      `ways back: ${equal} of ${tried} equal to the byte; ${sessions} sessions of ${names.length} files, ${compactions} of ${2 * sessions} compactions`,
    );
    expect(wrong).toEqual([]);
    expect([equal, compactions > 0]).toEqual([tried, true]);
  },
  1_200_000,
);
