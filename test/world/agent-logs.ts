import fc from 'fast-check';

/**
 * A reply of the model. `early`: the result of a call is there before the next call is. Of its calls by number: `open` has no result.
 * `isMute`: it says nothing, where it calls something.
 */
type Reply = { readonly calls: number; readonly early: boolean; readonly open: number; readonly isMute: boolean };

/** What stands around a turn and is not said in it. A format that has no such thing leaves it out. */
const AROUND = ['helper', 'compacted', 'stray', 'added', 'unknown', 'empty'] as const;
export type Around = (typeof AROUND)[number];

export type Turn = {
  readonly kind: 'turn';
  readonly replies: readonly Reply[];
  readonly queued: boolean;
  readonly prompt: 'plain' | 'image' | 'huge';
  readonly around: readonly Around[];
  /** The parent that its first line names is not in the file. */
  readonly isPhantom: boolean;
  /** The prompt was written twice, as it was first and as it is. */
  readonly isRestated: boolean;
  readonly minutesBack: number;
};
type Act = Turn | { readonly kind: 'back'; readonly turns: number };

const reply: fc.Arbitrary<Reply> = fc.record({
  calls: fc.nat({ max: 3 }),
  early: fc.boolean(),
  open: fc.constantFrom(-1, -1, 0, 1),
  isMute: fc.boolean(),
});
const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.constant('turn'),
  replies: fc.array(reply, { minLength: 1, maxLength: 3 }),
  queued: fc.boolean(),
  prompt: fc.constantFrom('plain', 'plain', 'plain', 'image', 'huge'),
  around: fc.uniqueArray(fc.constantFrom(...AROUND), { maxLength: 3 }),
  isPhantom: fc.boolean(),
  isRestated: fc.boolean(),
  minutesBack: fc.constantFrom(0, 0, 0, 90),
});
const back: fc.Arbitrary<Act> = fc.record({ kind: fc.constant('back'), turns: fc.integer({ min: 1, max: 3 }) });

/** What a person did with another agent: turns, and ways back to before the last of them. The last act is a turn. */
export const histories: fc.Arbitrary<readonly Act[]> = fc
  .tuple(fc.array(fc.oneof({ weight: 3, arbitrary: turn }, { weight: 1, arbitrary: back }), { maxLength: 6 }), turn)
  .map(([acts, last]) => [...acts, last]);

/** What was said, one text each: it must come in once, in this order, or not at all. */
export type Said = { readonly held: readonly string[]; readonly left: readonly string[] };

export type Line = Readonly<Record<string, unknown>>;
type Written = {
  readonly lines: readonly Line[];
  readonly said: Said;
  /** How many lines are of what was left. */
  readonly leftLines: number;
};
export type WrittenTurn = {
  readonly lines: readonly Line[];
  readonly said: readonly string[] /** Lines that are no message. */;
  readonly beside?: number;
};

export type Writer = {
  readonly head: readonly Line[];
  /** `parent`: the id of the line that this turn follows, or null. */
  readonly turn: (texts: Texts, parent: string | null) => WrittenTurn;
  /** How the program goes back; undefined where it cannot. */
  readonly back?: (turns: number, at: number, to: WrittenTurn | undefined, parent: string | null) => readonly Line[];
  readonly idOf?: (line: Line) => string | null;
  /** The file, where it is not a line for each. */
  readonly file?: (lines: readonly Line[]) => string;
};

const TIME = Date.parse('2026-01-01T00:00:00.000Z');
export const stamp = (at: number, n: number, minutesBack = 0): string =>
  new Date(TIME + at * 100_000 + n * 10 - minutesBack * 60_000).toISOString();

export type ReplyTexts = {
  readonly text: string;
  readonly early: boolean;
  readonly calls: readonly { readonly id: string; readonly result: string | undefined }[];
};
export type Texts = Omit<Turn, 'prompt' | 'replies'> & {
  readonly at: number;
  readonly prompt: string;
  readonly hasImage: boolean;
  readonly replies: readonly ReplyTexts[];
};

/** The texts of a turn in the order in which they are read: the prompt, then of each reply its text, its calls and their results. */
function textsOf(act: Turn, at: number): Texts {
  return {
    ...act,
    at,
    prompt: `prompt ${at} 请读${act.prompt === 'huge' ? ` ${'{"a":[}{'.repeat(2_000)}` : ''}`,
    hasImage: act.prompt === 'image',
    replies: act.replies.map(({ calls, early, open, isMute }, n) => ({
      early,
      text: isMute && calls > 0 ? '' : `reply ${at}.${n}`,
      calls: Array.from({ length: calls }, (_, c) => ({
        id: `call_${at}_${n}_${c}`,
        result: c === open ? undefined : `result ${at}.${n}.${c}`,
      })),
    })),
  };
}

export const NO_RESULT = '(no result of this call was recorded)';
export const saidIn = ({ prompt, replies }: Pick<Texts, 'prompt' | 'replies'>): readonly string[] => [
  prompt,
  ...replies.flatMap(({ text, calls }) => [...(text === '' ? [] : [text]), ...calls.map(({ result }) => result ?? NO_RESULT)]),
];
export const resultsIn = <Each>({ calls }: ReplyTexts, write: (id: string, result: string) => Each): readonly Each[] =>
  calls.flatMap(({ id, result }) => (result === undefined ? [] : [write(id, result)]));

/** A history as one program writes it. What was left stays in the file. */
export function write({ head, turn: writeTurn, idOf = () => null, back: goBack }: Writer, history: readonly Act[]): Written {
  const lines = [...head];
  const left: string[] = [];
  let held: readonly WrittenTurn[] = [];
  let leftLines = 0;
  let lastId: string | null = null;
  let wasBack = true;
  const idIn = (last: Line | undefined): string | null => (last === undefined ? null : idOf(last));
  /** What a helper said ends no turn. */
  const endOf = (one: WrittenTurn | undefined): string | null => idIn(one?.lines.findLast(({ isSidechain }) => isSidechain !== true));
  for (const [at, each] of history.entries()) {
    if (each.kind === 'turn') {
      // Behind a way back, only its parent says what a line follows.
      const written = writeTurn(textsOf({ ...each, isPhantom: each.isPhantom && !wasBack }, at), lastId);
      lines.push(...written.lines);
      held = [...held, written];
      lastId = endOf(written);
    } else if (held.length > 0 && goBack !== undefined) {
      const gone = held.slice(-each.turns);
      held = held.slice(0, -each.turns);
      leftLines += gone.reduce((sum, one) => sum + one.lines.length - (one.beside ?? 0), 0);
      left.push(...gone.flatMap(({ said }) => said));
      lastId = endOf(held.at(-1));
      const way = goBack(each.turns, at, gone[0], lastId);
      lines.push(...way);
      lastId = idIn(way.at(-1)) ?? lastId;
    }
    wasBack = each.kind === 'back';
  }
  return { lines, said: { held: held.flatMap(({ said }) => said), left }, leftLines };
}

/** What happens to a file on its way: of each line whether it stands there again, what foreign lines are between, how lines end. */
export const mishaps = fc.record({
  twice: fc.array(fc.nat({ max: 40 }), { maxLength: 3 }),
  foreign: fc.array(
    fc.tuple(
      fc.nat({ max: 40 }),
      fc.constantFrom<Line>(
        { type: 'usage', tokens: null },
        { type: 'system', subtype: 'turn_duration', content: null },
        { type: 'progress', data: [] },
        { note: null },
      ),
    ),
    { maxLength: 3 },
  ),
  fields: fc.constantFrom<Line>({}, { later: { deep: [null] } }, { usage: null, model: 5 }),
  isReversed: fc.boolean(),
  ends: fc.array(fc.constantFrom('\n', '\r\n', '\n\n', ' \n'), { minLength: 1, maxLength: 3 }),
  mark: fc.constantFrom('', '\uFEFF'),
  /** Lines behind which the end of the line is missing. */
  glued: fc.array(fc.nat({ max: 40 }), { maxLength: 2 }),
  /** Lines in front of which a line stands that was cut off, and its end with it. */
  torn: fc.array(fc.nat({ max: 40 }), { maxLength: 1 }),
  /** A line that was cut off stands at the end. */
  isCut: fc.boolean(),
});

export type Mishaps = typeof mishaps extends fc.Arbitrary<infer Each> ? Each : never;

const TORN = '{"type":"assistant","message":{"content":[{"type":"text","text":"I wa';

export function fileOf(
  lines: readonly Line[],
  { twice, foreign, fields, isReversed, ends, mark, glued, torn, isCut }: Mishaps,
): { readonly text: string; readonly damaged: number } {
  const dressed = lines.map((line) => {
    const entries = Object.entries({ ...fields, ...line });
    return JSON.stringify(Object.fromEntries(isReversed ? entries.toReversed() : entries));
  });
  const end = (at: number): string => ends[at % ends.length] ?? '\n';
  const isTorn = (at: number): boolean => torn.includes(at) && at > 0;
  const doubled = dressed.flatMap((line, at) => [
    `${isTorn(at) ? TORN : ''}${line}${glued.includes(at) ? '' : end(at)}`,
    ...(twice.includes(at) ? [`${line}${end(at)}`] : []),
    ...foreign.filter(([place]) => place === at).map(([, other]) => `${JSON.stringify(other)}${end(at)}`),
  ]);
  const last = isCut ? `${JSON.stringify(lines.at(-1)).slice(0, -9)}` : '';
  return { text: `${mark}${doubled.join('')}${last}`, damaged: dressed.filter((_, at) => isTorn(at)).length + (isCut ? 1 : 0) };
}
