import fc from 'fast-check';

/** A reply of the model with the calls in it; `early`: the result of a call is there before the next call is. */
type Reply = { readonly calls: number; readonly early: boolean };
type Act =
  | { readonly kind: 'turn'; readonly replies: readonly Reply[]; readonly queued: boolean }
  | { readonly kind: 'back'; readonly turns: number };

const reply: fc.Arbitrary<Reply> = fc.record({ calls: fc.nat({ max: 3 }), early: fc.boolean() });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('turn'), replies: fc.array(reply, { minLength: 1, maxLength: 3 }), queued: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('back'), turns: fc.integer({ min: 1, max: 3 }) }) },
);

/** What a person did with another agent: turns, and ways back to before the last of them. The last act is a turn. */
export const histories: fc.Arbitrary<readonly Act[]> = fc
  .tuple(fc.array(act, { maxLength: 6 }), reply)
  .map(([acts, last]) => [...acts, { kind: 'turn', replies: [last], queued: false }]);

/** What was said, one text each: it must come in once, in this order, or not at all. */
export type Said = { readonly held: readonly string[]; readonly left: readonly string[] };

type Line = Readonly<Record<string, unknown>>;
type Written = {
  readonly lines: readonly Line[];
  readonly said: Said /** How many lines are of what was left. */;
  readonly leftLines: number;
};

type WrittenTurn = { readonly lines: readonly Line[]; readonly said: readonly string[] };

type Writer = {
  readonly head: readonly Line[];
  /** `parent`: the id of the line that this turn follows, or null. */
  readonly turn: (act: Extract<Act, { kind: 'turn' }>, at: number, parent: string | null) => WrittenTurn;
  readonly idOf: (line: Line) => string | null;
  readonly back: (turns: number, at: number, to: WrittenTurn | undefined, parent: string | null) => readonly Line[];
};

const TIME = Date.parse('2026-01-01T00:00:00.000Z');
const stamp = (at: number, n: number): string => new Date(TIME + at * 100_000 + n * 10).toISOString();

/** The texts of a turn in the order in which they are read: the prompt, then of each reply its text, its calls and their results. */
function textsOf(
  { replies }: Extract<Act, { kind: 'turn' }>,
  at: number,
): { readonly prompt: string; readonly replies: readonly ReplyTexts[] } {
  return {
    prompt: `prompt ${at} 请读`,
    replies: replies.map(({ calls }, n) => ({
      text: `reply ${at}.${n}`,
      calls: Array.from({ length: calls }, (_, c) => ({ id: `call_${at}_${n}_${c}`, result: `result ${at}.${n}.${c}` })),
    })),
  };
}
type ReplyTexts = { readonly text: string; readonly calls: readonly { readonly id: string; readonly result: string }[] };
const saidIn = ({ prompt, replies }: ReturnType<typeof textsOf>): readonly string[] => [
  prompt,
  ...replies.flatMap(({ text, calls }) => [text, ...calls.map(({ result }) => result)]),
];

/** Links each line to the one before, unless it names its parent. */
function linked(at: number, parent: string | null, drafts: readonly (Line & { readonly parentUuid?: string })[]): readonly Line[] {
  let last = parent;
  return drafts.map((draft, n) => {
    const line = {
      parentUuid: last,
      isSidechain: false,
      sessionId: 's',
      ...draft,
      uuid: draft.uuid ?? `${at}-${n}`,
      timestamp: stamp(at, n),
    };
    last = String(line.uuid);
    return line;
  });
}

const uuidOf = ({ uuid }: Line): string | null => (typeof uuid === 'string' ? uuid : null);

const claudeCode: Writer = {
  head: [{ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
  idOf: uuidOf,
  back: () => [],
  turn: (act, at, parent) => {
    const { prompt, replies } = textsOf(act, at);
    const asks = act.queued
      ? { type: 'attachment', attachment: { type: 'queued_command', prompt, commandMode: 'prompt' } }
      : { type: 'user', message: { role: 'user', content: prompt } };
    const lines = replies.flatMap(({ text, calls }, n) => {
      const part = (uuid: string, content: unknown): Line => ({
        type: 'assistant',
        uuid,
        message: { id: `msg_${at}_${n}`, role: 'assistant', content: [content] },
      });
      const uses = calls.map(({ id }) => part(`use-${id}`, { type: 'tool_use', id, name: 'read', input: {} }));
      const results = calls.map(({ id, result }) => ({
        ...{ type: 'user', uuid: `result-${id}`, parentUuid: `use-${id}` },
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
      }));
      const first = part(`text-${at}-${n}`, { type: 'text', text });
      if (act.replies[n]?.early !== true) return [first, ...uses, ...results];
      // The next call hangs on the call before it, whose result is there already.
      return [first, ...uses.flatMap((use, c) => [c === 0 ? use : { ...use, parentUuid: String(uses[c - 1]?.uuid) }, results[c] ?? {}])];
    });
    return { lines: linked(at, parent, [asks, ...lines]), said: saidIn({ prompt, replies }) };
  },
};

const qwenCode: Writer = {
  head: [],
  idOf: uuidOf,
  back: (_, at, to, parent) => [
    {
      type: 'system',
      subtype: 'rewind',
      uuid: `rewind-${at}-${to?.said[0]}`,
      sessionId: 's',
      parentUuid: parent,
      timestamp: stamp(at, 0),
      systemPayload: {},
    },
  ],
  turn: (act, at, parent) => {
    const { prompt, replies } = textsOf(act, at);
    const content = (role: string, parts: readonly unknown[]) => ({ message: { role, parts } });
    const lines = replies.flatMap(({ text, calls }) => [
      {
        type: 'assistant',
        ...content('model', [
          { text: 'hm', thought: true },
          { text },
          ...calls.map(({ id }) => ({ functionCall: { id, name: 'read', args: {} } })),
        ]),
      },
      ...calls.map(({ id, result }) => ({
        type: 'tool_result',
        ...content('user', [{ functionResponse: { id, name: 'read', response: { output: result } } }]),
      })),
    ]);
    return {
      lines: linked(at, parent, [{ type: 'user', ...content('user', [{ text: prompt }]) }, ...lines]),
      said: saidIn({ prompt, replies }),
    };
  },
};

const codex: Writer = {
  head: [{ timestamp: stamp(0, 0), type: 'session_meta', payload: { id: 's', cwd: '/w', base_instructions: { text: 'Be brief.' } } }],
  idOf: () => null,
  back: (turns, at) => [{ timestamp: stamp(at, 0), type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: turns } }],
  turn: (act, at) => {
    const { prompt, replies } = textsOf(act, at);
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
    });
    const items = replies.flatMap(({ text, calls }) => [
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      message('assistant', text),
      ...calls.map(({ id }) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' })),
      ...calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result })),
    ]);
    const context = message('user', `<environment_context>${at}</environment_context>`);
    const lines = [context, message('user', prompt), ...items].map((payload, n) => ({
      timestamp: stamp(at, n),
      type: 'response_item',
      payload,
    }));
    return { lines, said: saidIn({ prompt, replies }) };
  },
};

const geminiCli: Writer = {
  head: [{ sessionId: 's', projectHash: 'h', startTime: stamp(0, 0), kind: 'main' }],
  idOf: () => null,
  back: (_, at, to) => [{ $rewindTo: to?.lines[0]?.id ?? 'nothing' }, { $set: { lastUpdated: stamp(at, 0) } }],
  turn: (act, at) => {
    const { prompt, replies } = textsOf(act, at);
    const lines = replies.map(({ text, calls }, n) => ({
      ...{ id: `g${at}-${n}`, timestamp: stamp(at, n), type: 'gemini', content: text },
      toolCalls: calls.map(({ id, result }) => ({
        id,
        name: 'read',
        args: {},
        status: 'success',
        result: [{ functionResponse: { id, response: { output: result } } }],
      })),
    }));
    return {
      lines: [{ id: `u${at}`, timestamp: stamp(at, 0), type: 'user', content: [{ text: prompt }] }, ...lines],
      said: saidIn({ prompt, replies }),
    };
  },
};

const pi: Writer = {
  head: [{ type: 'session', version: 3, id: 's', timestamp: stamp(0, 0), cwd: '/w' }],
  idOf: ({ id }) => (typeof id === 'string' ? id : null),
  back: () => [],
  turn: (act, at, parent) => {
    const { prompt, replies } = textsOf(act, at);
    const messages = [
      { role: 'user', content: prompt },
      ...replies.flatMap(({ text, calls }): readonly Line[] => [
        {
          role: 'assistant',
          content: [{ type: 'text', text }, ...calls.map(({ id }) => ({ type: 'toolCall', id, name: 'read', arguments: {} }))],
        },
        ...calls.map(({ id, result }) => ({ role: 'toolResult', toolCallId: id, content: [{ type: 'text', text: result }] })),
      ]),
    ];
    let last = parent;
    const lines = messages.map((message, n) => {
      const line = { type: 'message', id: `e${at}-${n}`, parentId: last, timestamp: stamp(at, n), message };
      last = line.id;
      return line;
    });
    return { lines, said: saidIn({ prompt, replies }) };
  },
};

export const writers: Readonly<Record<string, Writer>> = {
  'claude-code': claudeCode,
  'qwen-code': qwenCode,
  codex,
  'gemini-cli': geminiCli,
  pi,
};

/** A history as one program writes it. What was left stays in the file. */
export function write({ head, turn, idOf, back }: Writer, history: readonly Act[]): Written {
  const lines = [...head];
  const left: string[] = [];
  let held: readonly WrittenTurn[] = [];
  let leftLines = 0;
  let lastId: string | null = null;
  const idIn = (last: Line | undefined): string | null => (last === undefined ? null : idOf(last));
  for (const [at, each] of history.entries()) {
    if (each.kind === 'turn') {
      const written = turn(each, at, lastId);
      lines.push(...written.lines);
      held = [...held, written];
      lastId = idIn(written.lines.at(-1));
    } else if (held.length > 0) {
      const gone = held.slice(-each.turns);
      held = held.slice(0, -each.turns);
      leftLines += gone.reduce((sum, one) => sum + one.lines.length, 0);
      left.push(...gone.flatMap(({ said }) => said));
      lastId = idIn(held.at(-1)?.lines.at(-1));
      const way = back(each.turns, at, gone[0], lastId);
      lines.push(...way);
      lastId = idIn(way.at(-1)) ?? lastId;
    }
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
        {},
      ),
    ),
    { maxLength: 3 },
  ),
  fields: fc.constantFrom<Line>({}, { later: { deep: [null] } }, { usage: null, model: 5 }),
  isReversed: fc.boolean(),
  end: fc.constantFrom('\n', '\r\n', '\n\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  /** A line that was cut off stands at the end. */
  isCut: fc.boolean(),
});

export type Mishaps = typeof mishaps extends fc.Arbitrary<infer Each> ? Each : never;

export function fileOf(lines: readonly Line[], { twice, foreign, fields, isReversed, end, mark, isCut }: Mishaps): string {
  const dressed = lines.map((line) => {
    const entries = Object.entries({ ...fields, ...line });
    return JSON.stringify(Object.fromEntries(isReversed ? entries.toReversed() : entries));
  });
  const doubled = dressed.flatMap((line, at) => [
    line,
    ...(twice.includes(at) ? [line] : []),
    ...foreign.filter(([place]) => place === at).map(([, other]) => JSON.stringify(other)),
  ]);
  const last = isCut ? `${JSON.stringify(lines.at(-1)).slice(0, -9)}` : '';
  return `${mark}${doubled.map((line) => `${line}${end}`).join('')}${last}`;
}
