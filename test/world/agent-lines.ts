/** Logs of a line for each entry, as their programs write them. */
import { type Around, type Line, resultsIn, saidIn, stamp, type Texts, type Writer } from './agent-logs.ts';

/** Links each line to the one before, unless it names its parent. */
function linked(
  { at, minutesBack }: Texts,
  parent: string | null,
  drafts: readonly (Line & { readonly parentUuid?: string | null })[],
): readonly Line[] {
  let last = parent;
  return drafts.map((draft, n) => {
    const line = {
      parentUuid: last,
      isSidechain: false,
      sessionId: 's',
      ...draft,
      uuid: draft.uuid ?? `${at}-${n}`,
      timestamp: stamp(at, n, minutesBack),
    };
    if (line.isSidechain === false) last = String(line.uuid);
    return line;
  });
}

const uuidOf = ({ uuid }: Line): string | null => (typeof uuid === 'string' ? uuid : null);
const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const chosen = <Each>(texts: Texts, kinds: Partial<Readonly<Record<Around, readonly Each[]>>>): readonly Each[] =>
  texts.around.flatMap((kind) => kinds[kind] ?? []);

function claudeReplies({ at, replies }: Texts): readonly Line[] {
  return replies.flatMap((each, n) => {
    const { text, calls, early } = each;
    const part = (uuid: string, content: unknown): Line => ({
      type: 'assistant',
      uuid,
      message: { id: `msg_${at}_${n}`, role: 'assistant', content: [content] },
    });
    const uses = calls.map(({ id }) => part(`use-${id}`, { type: 'tool_use', id, name: 'read', input: {} }));
    const resultOf = (id: string, result: string): Line => ({
      ...{ type: 'user', uuid: `result-${id}`, parentUuid: `use-${id}` },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    });
    const first = [
      part(`think-${at}-${n}`, { type: 'thinking', thinking: 'hm', signature: '' }),
      ...(text === '' ? [] : [part(`text-${at}-${n}`, { type: 'text', text })]),
    ];
    if (!early) return [...first, ...uses, ...resultsIn(each, resultOf)];
    // The next call hangs on the call before it, whose result is there already.
    return [
      ...first,
      ...uses.flatMap((use, c) => [
        c === 0 ? use : { ...use, parentUuid: String(uses[c - 1]?.uuid) },
        ...resultsIn({ ...each, calls: calls.slice(c, c + 1) }, resultOf),
      ]),
    ];
  });
}

const claudeCode: Writer = {
  head: [{ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
  idOf: uuidOf,
  back: () => [],
  turn: (texts, parent) => {
    const { at, prompt, queued, hasImage, isPhantom, isRestated } = texts;
    const content = hasImage ? [{ type: 'text', text: prompt }, PICTURE] : prompt;
    const from = { uuid: `${at}-0`, ...(isPhantom ? { parentUuid: 'never written' } : {}) };
    const ask = (words: unknown) =>
      queued
        ? { type: 'attachment', ...from, attachment: { type: 'queued_command', prompt: words, commandMode: 'prompt' } }
        : { type: 'user', ...from, message: { role: 'user', content: words } };
    const asks = [
      ...(isRestated ? [{ ...ask(hasImage ? [{ type: 'text', text: 'an earlier draft' }] : 'an earlier draft'), parentUuid: parent }] : []),
      { ...ask(content), ...(isPhantom ? {} : { parentUuid: parent }) },
    ];
    const user = (uuid: string, words: unknown, more: Line = {}) => ({
      type: 'user',
      uuid,
      message: { role: 'user', content: words },
      ...more,
    });
    const beside = chosen<Line>(texts, {
      helper: [
        user(`h${at}`, 'look for it', { isSidechain: true, parentUuid: null }),
        {
          type: 'assistant',
          uuid: `i${at}`,
          isSidechain: true,
          parentUuid: `h${at}`,
          message: { id: `hm${at}`, role: 'assistant', content: [{ type: 'text', text: 'aside' }] },
        },
      ],
      stray: [user(`y${at}`, [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }])],
      added: [user(`m${at}`, 'Caveat: be brief', { isMeta: true })],
      unknown: [{ type: 'novelty', uuid: `n${at}`, message: { role: 'novel', content: 'x' } }],
      empty: [{ type: 'assistant', uuid: `e${at}`, message: { id: `em${at}`, role: 'assistant', content: [] } }],
      compacted: [
        {
          type: 'system',
          subtype: 'compact_boundary',
          uuid: `b${at}`,
          parentUuid: null,
          ...(at % 2 === 0 ? { logicalParentUuid: 'never written' } : {}),
        },
        user(`c${at}`, 'This session is being continued', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      ],
    });
    return { lines: linked(texts, parent, [...asks, ...claudeReplies(texts), ...beside]), said: saidIn(texts) };
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
  turn: (texts, parent) => {
    const content = (role: string, parts: readonly unknown[]) => ({ message: { role, parts } });
    const lines = texts.replies.flatMap((reply) => [
      {
        type: 'assistant',
        ...content('model', [
          { text: 'hm', thought: true },
          ...(reply.text === '' ? [] : [{ text: reply.text }]),
          ...reply.calls.map(({ id }) => ({ functionCall: { id, name: 'read', args: {} } })),
        ]),
      },
      ...resultsIn(reply, (id, result) => ({
        type: 'tool_result',
        ...content('user', [{ functionResponse: { id, name: 'read', response: { output: result } } }]),
      })),
    ]);
    const image = texts.hasImage ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : [];
    const asks = {
      type: 'user',
      ...(texts.isPhantom ? { parentUuid: 'never written' } : {}),
      ...content('user', [{ text: texts.prompt }, ...image]),
    };
    const beside = chosen<Line>(texts, {
      stray: [
        { type: 'tool_result', ...content('user', [{ functionResponse: { id: 'nobody', name: 'read', response: { output: 'x' } } }]) },
      ],
      unknown: [{ type: 'system', subtype: 'ui_telemetry', systemPayload: {} }],
      compacted: [{ type: 'system', subtype: 'chat_compression', systemPayload: {} }],
      empty: [{ type: 'assistant', ...content('model', []) }],
      added: [{ type: 'user', subtype: 'notification', ...content('user', [{ text: 'a job ended' }]) }],
    });
    const none = beside.filter((line) => !('message' in line)).length;
    return { lines: linked(texts, parent, [asks, ...lines, ...beside]), said: saidIn(texts), beside: none };
  },
};

const codex: Writer = {
  head: [{ timestamp: stamp(0, 0), type: 'session_meta', payload: { id: 's', cwd: '/w', base_instructions: { text: 'Be brief.' } } }],
  back: (turns, at) => [{ timestamp: stamp(at, 0), type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: turns } }],
  turn: (texts) => {
    const { at, prompt, replies, hasImage, minutesBack } = texts;
    const message = (role: string, text: string, more: readonly unknown[] = []) => ({
      type: 'message',
      role,
      content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }, ...more],
    });
    const items = replies.flatMap((reply) => [
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      ...(reply.text === '' ? [] : [message('assistant', reply.text)]),
      ...reply.calls.map(({ id }) => ({ type: 'function_call', call_id: id, name: 'read', arguments: '{}' })),
      ...resultsIn(reply, (id, output) => ({ type: 'function_call_output', call_id: id, output })),
    ]);
    const image = hasImage ? [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] : [];
    const beside = chosen<Line>(texts, {
      stray: [{ type: 'function_call_output', call_id: 'nobody', output: 'x' }],
      added: [message('user', '<turn_aborted>by hand</turn_aborted>')],
      unknown: [{ type: 'ghost_snapshot', ghost_commit: {} }],
      empty: [message('assistant', '')],
    });
    const other = chosen<Line>(texts, {
      compacted: [{ type: 'compacted', payload: { message: 'a summary', replacement_history: [message('user', prompt)] } }],
      helper: [{ type: 'event_msg', payload: { type: 'user_message', message: prompt } }],
    });
    const context = message('user', `<environment_context>${at}</environment_context>`);
    const lines = [context, message('user', prompt, image), ...items, ...beside].map((payload) => ({ type: 'response_item', payload }));
    return { lines: [...lines, ...other].map((line, n) => ({ timestamp: stamp(at, n, minutesBack), ...line })), said: saidIn(texts) };
  },
};

const geminiCli: Writer = {
  head: [{ sessionId: 's', projectHash: 'h', startTime: stamp(0, 0), kind: 'main' }],
  back: (_, at, to) => [{ $rewindTo: to?.lines[0]?.id ?? 'nothing' }, { $set: { lastUpdated: stamp(at, 0) } }],
  turn: (texts) => ({
    lines: [...geminiMessages(texts), ...chosen(texts, { unknown: [{ $set: { summary: 'x' } }] })],
    said: saidIn(texts),
  }),
};

export function geminiMessages(texts: Texts): readonly Line[] {
  const { at, prompt, replies, hasImage, isRestated, minutesBack } = texts;
  const answers = replies.map((reply, n) => ({
    ...{ id: `g${at}-${n}`, timestamp: stamp(at, n, minutesBack), type: 'gemini', content: reply.text },
    thoughts: [{ subject: 'hm' }],
    toolCalls: reply.calls.map(({ id, result }) => ({
      ...{ id, name: 'read', args: {} },
      ...(result === undefined
        ? { status: 'cancelled' }
        : { status: 'success', result: [{ functionResponse: { id, response: { output: result } } }] }),
    })),
  }));
  const image = hasImage ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : [];
  const first = answers[0];
  return [
    { id: `u${at}`, timestamp: stamp(at, 0), type: 'user', content: [{ text: prompt }, ...image] },
    ...(isRestated && first !== undefined ? [{ ...first, content: 'an earlier draft', toolCalls: [] }] : []),
    ...answers,
    ...chosen<Line>(texts, {
      added: [{ id: `i${at}`, type: 'info', content: 'updated' }],
      compacted: [{ id: `c${at}`, type: 'info', content: 'compressed' }],
      stray: [{ id: `w${at}`, type: 'error', content: 'x' }],
    }),
  ];
}

const pi: Writer = {
  head: [{ type: 'session', version: 3, id: 's', timestamp: stamp(0, 0), cwd: '/w' }],
  idOf: ({ id }) => (typeof id === 'string' ? id : null),
  back: () => [],
  turn: (texts, parent) => {
    const { at, prompt, replies, hasImage, isPhantom, isRestated, minutesBack } = texts;
    const image = hasImage ? [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] : [];
    const said = (message: Line): Line => ({ type: 'message', message });
    const asks = (text: string) => ({
      ...said({ role: 'user', content: [{ type: 'text', text }, ...image] }),
      id: `e${at}-0`,
      parentId: isPhantom ? 'gone' : parent,
    });
    const lines = [
      ...(isRestated ? [asks('an earlier draft')] : []),
      asks(prompt),
      ...replies.flatMap((reply): readonly Line[] => [
        said({
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
            ...reply.calls.map(({ id }) => ({ type: 'toolCall', id, name: 'read', arguments: {} })),
          ],
        }),
        ...resultsIn(reply, (id, text) => said({ role: 'toolResult', toolCallId: id, content: [{ type: 'text', text }] })),
      ]),
      ...chosen<Line>(texts, {
        compacted: [{ type: 'compaction', summary: 'x', firstKeptEntryId: `e${at}-0` }],
        unknown: [{ type: 'custom', customType: 'x', data: {} }],
        added: [{ type: 'model_change', provider: 'x', modelId: 'y' }],
        stray: [said({ role: 'toolResult', toolCallId: 'nobody', content: [{ type: 'text', text: 'x' }] })],
        helper: [said({ role: 'bashExecution', command: 'ls', output: 'x' })],
        empty: [said({ role: 'assistant', content: [] })],
      }),
    ];
    let last = parent;
    const inTree = lines.map((draft, n) => {
      const line = { id: `e${at}-${n}`, parentId: last, timestamp: stamp(at, n, minutesBack), ...draft };
      last = line.id;
      return line;
    });
    return { lines: inTree, said: saidIn(texts) };
  },
};

const entire: Writer = {
  head: [],
  turn: (texts) => {
    const of = (line: Line, n: number): Line => ({ v: 1, agent: 'claude-code', cli_version: '0.5.0', ts: stamp(texts.at, n), ...line });
    const lines = [
      { type: 'user', content: [{ text: texts.prompt, id: `p${texts.at}` }, ...(texts.hasImage ? [{ type: 'image' }] : [])] },
      ...texts.replies.map(({ text, calls }, n) => ({
        type: 'assistant',
        id: `r${texts.at}-${n}`,
        content: [
          ...(text === '' ? [] : [{ type: 'text', text }]),
          ...calls.map(({ id, result }) => ({
            ...{ type: 'tool_use', id, name: 'Read', input: {} },
            ...(result === undefined ? {} : { result: { output: result, status: 'success' } }),
          })),
        ],
      })),
      ...chosen<Line>(texts, { unknown: [{ type: 'novelty' }], empty: [{ type: 'assistant', id: `e${texts.at}`, content: [] }] }),
    ];
    return { lines: lines.map(of), said: saidIn(texts) };
  },
};

export const lineWriters: Readonly<Record<string, Writer>> = {
  'claude-code': claudeCode,
  'qwen-code': qwenCode,
  codex,
  'gemini-cli': geminiCli,
  pi,
  entire,
};
