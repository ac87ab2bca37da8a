import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelRequest } from '../src/agent/ports/model.ts';
import { narrativeSections } from '../src/context/summary/summary-check.ts';
import { isText } from '../src/domain/session/message.ts';
import { type Billed, createBilledCache } from '../test/support/cache-billing.ts';
import { type FakeApiOptions, startFakeApi } from '../test/support/fake-api.ts';
import { chatWire } from '../test/support/fake-chat.ts';
import { startFakeResponses } from '../test/support/fake-responses.ts';
import { runInProcess } from '../test/support/in-process.ts';
import { InputPipe, OutputPipe } from '../test/support/pipes.ts';
import { answersWith, replies, type Script, type Step } from '../test/support/scenario.ts';
import { type Call, type Shape, writeShape } from './cost-shapes.ts';

export const WINDOW_TOKENS = 200_000;
/** Dollars for a million tokens. */
export const PRICE = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, hourWrite: 6, output: 15 };
/** How long one step takes, for what the cache forgets. */
const STEP_MS = 15_000;

export type Costs = {
  readonly usd: number;
  readonly reads: number;
  readonly newText: number;
  readonly rewritten: number;
  readonly summaries: number;
  readonly output: number;
};

export type Figures = Costs & {
  readonly shape: string;
  readonly knownUsd: number;
  readonly requests: number;
  /** Requests that paid again for something that was sent before. */
  readonly rewrites: number;
  readonly summaryRequests: number;
  readonly compactions: number;
  /** Outside compactions, what a server that keeps one prefix in memory reads, as a part of what is new. */
  readonly reread: number;
  readonly offloads: number;
  readonly seconds: number;
  /** What the program itself said at the end. */
  readonly saidUsd: number | undefined;
};

export type Settings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type Entry = Billed & { readonly purpose: 'turn' | 'summary' };

/** The APIs that a model is asked through. */
export type Wire = 'messages' | 'chat' | 'responses';

/** Runs one piece of work in the real program, in this process, against a model that only knows its script. */
export async function runShape(shape: Shape, settings: Settings, packageRoot: string, wire: Wire = 'messages'): Promise<Figures> {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-cost-'));
  const [home, cwd] = [join(base, 'home'), join(base, 'project')];
  mkdirSync(home);
  mkdirSync(cwd);
  writeFileSync(join(home, 'config.json'), JSON.stringify(withModel(settings, wire)));
  const calls = writeShape(shape, cwd);
  const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / shape.bytesPerToken);
  let clock = Date.UTC(2026, 0, 5, 8);
  const cache = createBilledCache({ count: tokensOf, now: () => clock, automatic: wire !== 'messages' });
  const entries: Entry[] = [];
  const nextStep = scriptOf(calls);
  let purpose: Entry['purpose'] = 'turn';
  const script = (request: ModelRequest): Step => {
    const asked = summaryTokens(request);
    purpose = asked === undefined ? 'turn' : 'summary';
    return asked === undefined ? nextStep() : replies(summaryOf(asked * shape.bytesPerToken));
  };
  const { contextWindow } = settings.model ?? {};
  const window = typeof contextWindow === 'number' ? contextWindow : WINDOW_TOKENS;
  const usage = (request: Parameters<typeof cache.send>[0], content: readonly unknown[]) => {
    clock += STEP_MS;
    const billed = cache.send(request, content);
    entries.push({ ...billed, purpose });
    return billed.usage;
  };
  const api = await openApi(wire, script, { windowTokens: window, countTokens: tokensOf, usage });
  const startedAt = performance.now();
  const [out, err] = [new OutputPipe(), new OutputPipe()];
  try {
    const env = { PATH: process.env.PATH ?? '', HOME: base, TMPDIR: tmpdir(), ...api.env };
    const argv = ['--home', home, '-p', TASK, '--permission-mode', 'bypass', '--output-format', 'stream-json', '--max-steps', '1000'];
    const code = await runInProcess(argv, {
      env,
      cwd,
      packageRoot,
      now: () => new Date(clock),
      stdin: new InputPipe(''),
      stdout: out,
      stderr: err,
    });
    api.done();
    if (code !== 0) throw new Error(`sanbot ended with ${code}: ${err.text}`);
  } finally {
    await api.close();
    rmSync(base, { recursive: true, force: true });
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { shape: shape.name, knownUsd: shape.knownUsd, ...figuresOf(entries, eventsIn(out.text)), seconds };
}

/** The API, and what says where it is. */
async function openApi(wire: Wire, script: Script, options: FakeApiOptions & Required<Pick<FakeApiOptions, 'usage'>>) {
  if (wire === 'messages') {
    const api = await startFakeApi(script, options);
    return { ...api, env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key' } };
  }
  if (wire === 'chat') {
    const api = await startFakeApi(script, { ...options, wire: chatWire() });
    return { ...api, env: { OPENAI_BASE_URL: `${api.url}/v1`, OPENAI_API_KEY: 'key' } };
  }
  const usage = (request: ModelRequest, content: readonly unknown[]) =>
    options.usage({ ...request, maxTokens: request.maxOutputTokens }, content);
  const api = await startFakeResponses(script, { usage });
  return { ...api, env: { OPENAI_BASE_URL: api.url, OPENAI_API_KEY: 'key' } };
}

const TASK = 'Go through all the files of this project one after the other and tell me at the end what they have in common.';

const providers = { messages: 'anthropic', chat: 'openai-chat', responses: 'openai-responses' } as const;

const withModel = (settings: Settings, wire: Wire): Settings => ({
  ...settings,
  model: {
    name: 'bench',
    provider: providers[wire],
    contextWindow: WINDOW_TOKENS,
    maxOutputTokens: 32_000,
    price: {
      input: PRICE.input,
      cacheRead: PRICE.cacheRead,
      cacheWrite: wire === 'messages' ? PRICE.cacheWrite : PRICE.input,
      output: PRICE.output,
    },
    ...settings.model,
  },
});

/** A remark and the next call each time; at last a word that ends the turn. */
function scriptOf(calls: readonly Call[]): () => Step {
  let step = 0;
  return () => {
    const call = calls[step++];
    if (call === undefined) return replies('They all belong to one program.');
    return answersWith(
      [
        { type: 'text', text: `Next: ${step}.` },
        { type: 'tool_use', id: `call_${step}`, ...call },
      ],
      'tool_use',
    );
  };
}

/** The length that a request for a summary asks for, the greatest that it names; undefined when it asks for none. */
function summaryTokens({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>): number | undefined {
  const last = messages.at(-1)?.content.at(-1);
  const texts = [system.join('\n'), last !== undefined && isText(last) ? last.text : ''];
  const lengths = texts.filter(asksForSections).flatMap((text) => [...text.matchAll(LENGTH)].map(([, tokens = '']) => tokens));
  return lengths.length === 0 ? undefined : Math.max(...lengths.map((tokens) => Number(tokens.replaceAll(',', ''))));
}

const LENGTH = /(\d[\d,]{0,8}) tokens/g;
const asksForSections = (text: string): boolean => narrativeSections.every((name) => text.includes(`## ${name}`));

const SENTENCE = 'The step was done and what it showed was written down with its name, its place and its size.';

/** Each section with its heading, together about so many characters. */
function summaryOf(size: number): string {
  const chars = Math.max(100, Math.floor(size / narrativeSections.length) - 30);
  return narrativeSections
    .map(
      (name) =>
        `## ${name}\n${Array.from({ length: Math.ceil(chars / SENTENCE.length) }, (_, i) => `${i + 1}. ${SENTENCE}`)
          .join('\n')
          .slice(0, chars)}`,
    )
    .join('\n\n');
}

type Event = Readonly<Record<string, unknown>>;

const eventsIn = (text: string): readonly Event[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Event => JSON.parse(line));

function figuresOf(entries: readonly Entry[], events: readonly Event[]): Omit<Figures, 'shape' | 'knownUsd' | 'seconds'> {
  const of = (type: string): readonly Event[] => events.filter((event) => event.type === type);
  const turns = entries.filter(({ purpose }) => purpose === 'turn');
  const asked = entries.filter(({ purpose }) => purpose === 'summary');
  const costs = {
    reads: sum(turns, ({ usage }) => usage.cacheReadTokens * PRICE.cacheRead),
    newText: sum(turns, (entry) => freshUsd(entry) * (1 - againShare(entry))),
    rewritten: sum(turns, (entry) => freshUsd(entry) * againShare(entry)),
    summaries: sum(
      asked,
      (entry) => freshUsd(entry) + entry.usage.cacheReadTokens * PRICE.cacheRead + entry.usage.outputTokens * PRICE.output,
    ),
    output: sum(turns, ({ usage }) => usage.outputTokens * PRICE.output),
  };
  const said = of('turn_ended').at(-1)?.costUsd;
  return {
    usd: Object.values(costs).reduce((total, cost) => total + cost, 0),
    ...costs,
    requests: entries.length,
    rewrites: turns.filter(({ againTokens }) => againTokens > 0).length,
    summaryRequests: asked.length,
    compactions: of('compacted').length,
    reread: rereadOf(entries),
    offloads: of('offloaded').filter(({ when }) => when !== 'arrival').length,
    saidUsd: typeof said === 'number' ? said : undefined,
  };
}

/** A compaction has its summary, and the first request after it. */
function rereadOf(entries: readonly Entry[]): number {
  const between = entries.filter(({ purpose }, at) => purpose === 'turn' && entries[at - 1]?.purpose !== 'summary');
  return sum(between, ({ unsharedTokens }) => unsharedTokens) / sum(between, ({ newTokens }) => newTokens);
}

/** Dollars times a million for what was not read from the cache. */
const freshUsd = ({ usage, hourTokens }: Entry): number =>
  usage.inputTokens * PRICE.input + (usage.cacheWriteTokens - hourTokens) * PRICE.cacheWrite + hourTokens * PRICE.hourWrite;

const againShare = ({ usage, againTokens }: Entry): number =>
  againTokens === 0 ? 0 : againTokens / (usage.inputTokens + usage.cacheWriteTokens);

const sum = (entries: readonly Entry[], value: (entry: Entry) => number): number =>
  entries.reduce((total, entry) => total + value(entry), 0) / 1_000_000;
