/** Sessions in one piece, as their programs write them: nothing in them is rewound but by the file itself. */
import { geminiMessages } from './agent-lines.ts';
import { type Line, resultsIn, saidIn, type Texts, type Writer } from './agent-logs.ts';

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const geminiChat: Writer = {
  head: [],
  turn: (texts) => ({ lines: geminiMessages({ ...texts, isRestated: false }), said: saidIn(texts) }),
  file: (messages) => pretty({ sessionId: 's', projectHash: 'h', messages }),
};

const geminiCheckpoint: Writer = {
  head: [{ role: 'user', parts: [{ text: 'This is the Gemini CLI. We are setting up the context for our chat.' }] }],
  turn: (given) => {
    const texts = byOrder(given);
    const image = texts.hasImage ? [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] : [];
    return {
      lines: [
        { role: 'user', parts: [{ text: texts.prompt }, ...image] },
        ...texts.replies.flatMap((reply): readonly Line[] => [
          {
            role: 'model',
            parts: [
              { thought: true, text: 'hm' },
              ...(reply.text === '' ? [] : [{ text: reply.text, thoughtSignature: 'x' }]),
              // Without an id, as older versions write it.
              ...reply.calls.map(() => ({ functionCall: { name: 'read', args: {} } })),
            ],
          },
          ...resultsIn(reply, (_, output) => output).map((output) => ({
            role: 'user',
            parts: [{ functionResponse: { name: 'read', response: { output } } }],
          })),
        ]),
      ],
      said: saidIn(texts),
    };
  },
  file: (history) => JSON.stringify({ history, authType: 'x' }),
};

/** Where results are told by their order alone, only the last calls of a turn are without one. */
function byOrder(texts: Texts): Texts {
  const last = texts.replies.length - 1;
  const replies = texts.replies.map((reply, n) => ({
    ...reply,
    calls: reply.calls
      .map(({ id, result }) => ({ id, result: n === last ? result : (result ?? 'nothing') }))
      .toSorted((a, b) => Number(a.result === undefined) - Number(b.result === undefined)),
  }));
  return { ...texts, replies };
}

const opencode: Writer = {
  head: [],
  turn: (texts) => {
    const { at, prompt, hasImage, around } = texts;
    const of = (id: string, info: Line, parts: readonly Line[]): Line => ({
      info: { id, sessionID: 's', time: { created: at }, ...info },
      parts,
    });
    return {
      lines: [
        of(`u${at}`, { role: 'user' }, [
          { type: 'text', text: prompt },
          ...(hasImage ? [{ type: 'file', mime: 'image/png', url: 'data:' }] : []),
          ...(around.includes('added') ? [{ type: 'text', synthetic: true, text: 'called the read tool' }] : []),
          ...(around.includes('helper') ? [{ type: 'text', ignored: true, text: 'shown on the screen alone' }] : []),
        ]),
        ...texts.replies.map((reply, n) =>
          of(`a${at}-${n}`, { role: 'assistant' }, [
            { type: 'step-start' },
            { type: 'reasoning', text: 'hm' },
            ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
            ...reply.calls.map(({ id, result }) => ({
              ...{ type: 'tool', callID: id, tool: 'read' },
              state: result === undefined ? { status: 'running', input: {} } : { status: 'completed', input: {}, output: result },
            })),
            { type: 'step-finish' },
          ]),
        ),
        ...(around.includes('compacted')
          ? [of(`c${at}`, { role: 'assistant', summary: true }, [{ type: 'text', text: 'a summary' }])]
          : []),
        ...(around.includes('empty') ? [of(`e${at}`, { role: 'assistant', error: { name: 'MessageAbortedError' } }, [])] : []),
      ],
      said: saidIn(texts),
    };
  },
  file: (messages) => pretty({ info: { id: 's', directory: '/w' }, messages }),
};

/** Of what is reverted, the file still has the messages. */
const opencodeReverted: Writer = {
  ...opencode,
  file: (messages) =>
    pretty({
      info: { id: 's', directory: '/w', revert: { messageID: 'gone' } },
      messages: [
        ...messages,
        { info: { id: 'gone', role: 'user' }, parts: [{ type: 'text', text: 'never mind' }] },
        { info: { id: 'gone-2', role: 'assistant' }, parts: [{ type: 'text', text: 'done that' }] },
      ],
    }),
};

const sweAgent: Writer = {
  head: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Here is a demonstration of it', is_demo: true },
  ],
  turn: (texts) => ({
    lines: [
      {
        role: 'user',
        content: texts.hasImage
          ? [
              { type: 'text', text: texts.prompt },
              { type: 'image_url', image_url: {} },
            ]
          : texts.prompt,
      },
      ...texts.replies.flatMap((reply): readonly Line[] => [
        {
          role: 'assistant',
          content: reply.text,
          tool_calls: reply.calls.map(({ id }) => ({ id, type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } })),
        },
        ...resultsIn(reply, (id, content) => ({ role: 'tool', content, tool_call_ids: [id] })),
      ]),
      ...(texts.around.includes('stray') ? [{ role: 'tool', content: 'x', tool_call_ids: ['nobody'] }] : []),
    ],
    said: saidIn(texts),
  }),
  file: (history) => pretty({ trajectory: [], history, info: {} }),
};

/** It has no calls: what the model says beside them is all there is. */
const aider: Writer = {
  head: [],
  turn: ({ prompt, replies, at, around, hasImage: _, ...texts }) => {
    const words = prompt.slice(0, 200);
    const [{ text } = { text: '' }] = replies;
    const answer = `${text || 'Done.'}\n\n\`\`\`\n> quoted ${at}\n#### no\n\`\`\``.replace('#### no\n', '');
    const marks = around.includes('added') ? ['> Applied edit to a.py', '> Commit 1a2b3c4'] : [];
    const lines = [
      '',
      `# aider chat started at 2026-01-0${1 + (at % 9)} 00:00:00`,
      '',
      `#### ${words}`,
      '',
      ...answer.split('\n'),
      '',
      ...marks,
    ];
    return { ...texts, lines: [{ text: lines.join('\n') }], said: [words, answer] };
  },
  file: (lines) => lines.map(({ text }) => text).join('\n'),
};

const anthropic: Writer = {
  head: [],
  turn: (texts) => ({
    lines: [
      {
        role: 'user',
        content: texts.hasImage
          ? [
              { type: 'text', text: texts.prompt },
              { type: 'image', source: {} },
            ]
          : texts.prompt,
      },
      ...texts.replies.flatMap((reply): readonly Line[] => {
        const results = resultsIn(reply, (id, content) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: [{ type: 'text', text: content }],
        }));
        const uses = reply.calls.map(({ id }) => ({ type: 'tool_use', id, name: 'read', input: {} }));
        const said = reply.text === '' ? [] : [{ type: 'text', text: reply.text }];
        return [
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }, ...said, ...uses] },
          ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
        ];
      }),
      ...(texts.around.includes('stray')
        ? [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }] }]
        : []),
      ...(texts.around.includes('empty') ? [{ role: 'assistant', content: '' }] : []),
    ],
    said: saidIn(texts),
  }),
  file: (messages) => JSON.stringify({ model: 'x', system: [{ type: 'text', text: 'Be brief.' }], messages }),
};

const openai: Writer = {
  head: [{ role: 'developer', content: 'Be brief.' }],
  turn: (texts) => ({
    lines: [
      {
        role: 'user',
        content: texts.hasImage
          ? [
              { type: 'text', text: texts.prompt },
              { type: 'image_url', image_url: { url: 'data:' } },
            ]
          : texts.prompt,
      },
      ...texts.replies.flatMap((reply): readonly Line[] => [
        {
          role: 'assistant',
          content: reply.text === '' ? null : reply.text,
          ...(reply.calls.length === 0
            ? {}
            : { tool_calls: reply.calls.map(({ id }) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })) }),
        },
        ...resultsIn(reply, (id, content) => ({ role: 'tool', tool_call_id: id, content })),
      ]),
      ...(texts.around.includes('stray') ? [{ role: 'tool', tool_call_id: 'nobody', content: 'x' }] : []),
      ...(texts.around.includes('unknown') ? [{ role: 'function', name: 'x', content: 'x' }] : []),
    ],
    said: saidIn(texts),
  }),
  file: (messages) => pretty(messages),
};

export const fileWriters: Readonly<Record<string, Writer & { readonly file: (lines: readonly Line[]) => string }>> = {
  'gemini-cli chat': withFile(geminiChat),
  'gemini-cli checkpoint': withFile(geminiCheckpoint),
  opencode: withFile(opencode),
  'opencode reverted': withFile(opencodeReverted),
  'swe-agent': withFile(sweAgent),
  aider: withFile(aider),
  anthropic: withFile(anthropic),
  openai: withFile(openai),
};

function withFile(writer: Writer): Writer & { readonly file: (lines: readonly Line[]) => string } {
  return { ...writer, file: writer.file ?? pretty };
}
