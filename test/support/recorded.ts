/** A conversation as an agent might have recorded it, and writers of it in the formats of several programs. Everything in it is made up. */
export type RecordedCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly result: string;
  readonly ok: boolean;
};
export type Recorded = readonly ({ readonly user: string } | { readonly says: string; readonly calls: readonly RecordedCall[] })[];

export const small: Recorded = [
  { user: 'Rename parseTable. Never touch the vendor folder.' },
  {
    says: 'I look at both files.',
    calls: [
      { id: 'c1', name: 'read', input: { path: 'src/table.ts' }, result: 'export function parseTable() {}', ok: true },
      { id: 'c2', name: 'bash', input: { command: 'npm test' }, result: 'Error: cannot find parseTabel\nexit code 1', ok: false },
    ],
  },
  {
    says: 'I rename it.',
    calls: [{ id: 'c3', name: 'edit', input: { path: 'src/table.ts', text: 'readTable' }, result: 'done', ok: true }],
  },
  { says: 'It is renamed to readTable.', calls: [] },
  { user: '谢谢。以后必须先跑测试。' },
  { says: '好的，先跑测试。', calls: [] },
];

/** A long session: reads of large files, edits, failing commands, standing orders now and then. */
export function longSession({ turns, bodyLines }: { readonly turns: number; readonly bodyLines: number }): Recorded {
  return Array.from({ length: turns }, (_, n): Recorded => {
    const body = Array.from(
      { length: bodyLines },
      (_line, at) => `export const row_${n}_${at} = compute(${n * 7919 + at}, "alpha ${at % 13}");`,
    );
    const failing = `src/area${n}/unit.ts(12,5): error TS2304: Cannot find name 'shape${n}'.`;
    return [
      { user: `Please port area ${n} to the new shape. Never rename the exported value row_${n}_0 in that file.` },
      {
        says: `I read the unit of area ${n} first.`,
        calls: [{ id: `r${n}`, name: 'read', input: { path: `src/area${n}/unit.ts` }, result: body.join('\n'), ok: true }],
      },
      {
        says: `I change area ${n} and compile it.`,
        calls: [
          { id: `e${n}`, name: 'edit', input: { path: `src/area${n}/unit.ts`, text: `shape${n}` }, result: 'edited', ok: true },
          { id: `t${n}`, name: 'bash', input: { command: `npx tsc -p src/area${n}` }, result: `${failing}\nexit code 2`, ok: false },
        ],
      },
      { says: `Area ${n} is ported, ticket AREA-${1000 + n} can be closed.`, calls: [] },
    ];
  }).flat();
}

const lines = (entries: readonly unknown[]): string => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** One line for each block of a reply, with the results of the first call before the second, as Claude Code writes them. */
export function asClaudeCode(recorded: Recorded): string {
  return lines(
    recorded.flatMap((step, n): readonly unknown[] => {
      if ('user' in step) return [{ type: 'user', uuid: `u${n}`, cwd: '/home/dev/app', message: { role: 'user', content: step.user } }];
      const reply = (block: unknown) => ({
        type: 'assistant',
        uuid: `a${n}`,
        message: { id: `msg_${n}`, role: 'assistant', content: [block] },
      });
      return [
        reply({ type: 'text', text: step.says }),
        ...step.calls.flatMap((call) => [
          reply({ type: 'tool_use', id: call.id, name: call.name, input: call.input }),
          {
            type: 'user',
            uuid: `r${call.id}`,
            message: {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: call.id, content: call.result, ...(call.ok ? {} : { is_error: true }) }],
            },
          },
        ]),
      ];
    }),
  );
}

export function asPi(recorded: Recorded): string {
  return lines([
    { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/home/dev/app' },
    ...recorded.flatMap((step): readonly unknown[] => {
      if ('user' in step) return [{ type: 'message', message: { role: 'user', content: [{ type: 'text', text: step.user }] } }];
      const calls = step.calls.map((call) => ({ type: 'toolCall', id: call.id, name: call.name, arguments: call.input }));
      return [
        { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text: step.says }, ...calls] } },
        ...step.calls.map((call) => ({
          type: 'message',
          message: { role: 'toolResult', toolCallId: call.id, content: [{ type: 'text', text: call.result }], isError: !call.ok },
        })),
      ];
    }),
  ]);
}

export function asGeminiCli(recorded: Recorded): string {
  const messages = recorded.map((step, n) =>
    'user' in step
      ? { id: `m${n}`, type: 'user', content: step.user }
      : {
          id: `m${n}`,
          type: 'gemini',
          content: step.says,
          toolCalls: step.calls.map(({ id, name, input, result, ok }) => ({
            id,
            name,
            args: input,
            status: ok ? 'success' : 'error',
            result: [{ functionResponse: { id, name, response: ok ? { output: result } : { error: result } } }],
          })),
        },
  );
  return JSON.stringify({ sessionId: 's', projectHash: 'h', messages }, null, 2);
}

export function asAnthropic(recorded: Recorded): string {
  const messages = recorded.flatMap((step): readonly unknown[] => {
    if ('user' in step) return [{ role: 'user', content: step.user }];
    const uses = step.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
    const results = step.calls.map(({ id, result, ok }) => ({ type: 'tool_result', tool_use_id: id, content: result, is_error: !ok }));
    const said = { role: 'assistant', content: [{ type: 'text', text: step.says }, ...uses] };
    return results.length === 0 ? [said] : [said, { role: 'user', content: results }];
  });
  return JSON.stringify({ system: 'Be brief.', messages });
}

/** Chat completions say nothing of whether a call failed. */
export function asOpenai(recorded: Recorded): string {
  const messages = recorded.flatMap((step): readonly unknown[] => {
    if ('user' in step) return [{ role: 'user', content: step.user }];
    const calls = step.calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
    return [
      { role: 'assistant', content: step.says, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
      ...step.calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
    ];
  });
  return JSON.stringify([{ role: 'system', content: 'Be brief.' }, ...messages]);
}

export function asCodex(recorded: Recorded): string {
  const item = (payload: unknown) => ({ timestamp: '2026-01-01T00:00:00.000Z', type: 'response_item', payload });
  return lines([
    { timestamp: '2026-01-01T00:00:00.000Z', type: 'session_meta', payload: { id: 's', cwd: '/home/dev/app', instructions: 'Be brief.' } },
    ...recorded.flatMap((step): readonly unknown[] => {
      if ('user' in step) return [item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: step.user }] })];
      return [
        item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: step.says }] }),
        ...step.calls.map(({ id, name, input }) => item({ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) })),
        ...step.calls.map(({ id, result, ok }) =>
          item({
            type: 'function_call_output',
            call_id: id,
            output: JSON.stringify({ output: result, metadata: { exit_code: ok ? 0 : 1 } }),
          }),
        ),
      ];
    }),
  ]);
}

/** Entire's transcripts of version 1: each call has its result inside it. */
export function asEntire(recorded: Recorded): string {
  const line = (entry: object) => ({ v: 1, agent: 'claude-code', cli_version: '0.5.1', ts: '2026-01-01T00:00:00.000Z', ...entry });
  return lines(
    recorded.map((step, at) =>
      'user' in step
        ? line({ type: 'user', content: [{ text: step.user }] })
        : line({
            type: 'assistant',
            id: `m${at}`,
            content: [
              { type: 'text', text: step.says },
              ...step.calls.map(({ id, name, input, result, ok }) => ({
                ...{ type: 'tool_use', id, name, input, result: { output: result, status: ok ? 'success' : 'error' } },
              })),
            ],
          }),
    ),
  );
}
