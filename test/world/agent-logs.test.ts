import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importTranscript } from '../../src/commands/sessions/recordings/import-transcript.ts';
import { isText, isToolUse } from '../../src/domain/session/message.ts';
import type { Transcript } from '../../src/domain/session/transcript.ts';
import { fewRuns } from '../support/runs.ts';
import { fileWriters } from './agent-files.ts';
import { lineWriters } from './agent-lines.ts';
import { fileOf, histories, mishaps, write } from './agent-logs.ts';

/** What stands for an image, a file or another part. */
const withoutParts = (text: string): string => text.replace(/\n\[\w+\]$/, '');

/** What came in of what was said, text for text: notices are the program's. */
const cameIn = ({ steps }: Transcript): readonly string[] =>
  steps.flatMap((step) => {
    if (step.type !== 'reply') return step.type === 'user' ? [withoutParts(step.text)] : [];
    return step.content.flatMap((block) => {
      if (isText(block)) return [block.text];
      return isToolUse(block) ? [step.results.find(({ toolUseId }) => toolUseId === block.id)?.content ?? 'none'] : [];
    });
  });

/** Texts of one reply that follow each other are one. */
const sameWords = (texts: readonly string[]): string => texts.join('\n');

const countOf = ({ leftOut }: Transcript, kind: string): number => leftOut.find((each) => each.kind === kind)?.count ?? 0;

test.each(Object.entries(lineWriters))(
  'a log of %s gives what the conversation still holds, once and in order, and counts the rest [B-43, B-44]',
  (name, writer) => {
    fc.assert(
      fc.property(histories, mishaps, (history, mishap) => {
        const { lines, said, leftLines } = write(writer, history);
        const file = fileOf(lines, mishap);
        const [transcript, ...others] = importTranscript('log', file.text);
        if (transcript === undefined) throw new Error('no conversation');
        expect([transcript.format, others]).toEqual([name, []]);
        expect(cameIn(transcript)).toEqual(said.held);
        expect(countOf(transcript, name === 'pi' ? 'other branch' : 'rewound') > 0).toBe(said.left.length > 0);
        if (name === 'qwen-code') expect(countOf(transcript, 'rewound')).toBe(leftLines);
        expect(transcript.damaged).toHaveLength(file.damaged);
      }),
      { numRuns: fewRuns(1_000) },
    );
  },
);

test.each(Object.entries(fileWriters))(
  'a file of %s gives what was said, once and in order, with each pair whole [B-43, B-44]',
  (name, writer) => {
    fc.assert(
      fc.property(histories, fc.constantFrom('', '\uFEFF', '\n\r\n'), (history, before) => {
        const { lines, said } = write(writer, history);
        const [transcript, ...others] = importTranscript('file', `${before}${writer.file(lines)}`);
        if (transcript === undefined) throw new Error('no conversation');
        expect([transcript.format, others]).toEqual([name.split(' ')[0], []]);
        expect(sameWords(cameIn(transcript))).toEqual(sameWords(said.held));
        expect(transcript.damaged).toEqual([]);
        if (name.endsWith('reverted')) expect(countOf(transcript, 'rewound')).toBe(2);
      }),
      { numRuns: fewRuns(1_000) },
    );
  },
);

test.each(['claude-code', 'qwen-code', 'pi'])(
  'a log of %s whose lines stand before those that they follow gives the same [B-43]',
  (name) => {
    const writer = lineWriters[name];
    if (writer === undefined) throw new Error(name);
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.boolean()), (history, dice) => {
        const { lines } = write(writer, history);
        const text = (all: readonly unknown[]) => all.map((line) => JSON.stringify(line)).join('\n');
        const ids = (line: Entry | undefined) => [line?.uuid ?? line?.id, line?.parentUuid ?? line?.parentId];
        const known = new Set<unknown>(lines.flatMap((line) => ids(line)[0] ?? []));
        const isLinked = (line: Entry | undefined) => line !== undefined && known.has(ids(line)[1]);
        const mixed = [...lines];
        for (let at = 1; at < mixed.length; at += 1) {
          const [before, line, after] = [mixed[at - 1], mixed[at], mixed[at + 1]];
          const follows = isLinked(before) && isLinked(line) && ids(line)[1] === ids(before)[0];
          if (follows && (after === undefined || isLinked(after)) && [...dice.take(1)][0] === true && before && line)
            mixed.splice(at - 1, 2, line, before);
        }
        const [asWritten, asMixed] = [text(lines), text(mixed)].map((log) => importTranscript('log', log)[0]);
        expect(asMixed && cameIn(asMixed)).toEqual(asWritten && cameIn(asWritten));
      }),
      { numRuns: fewRuns(1_000) },
    );
  },
);

test('a log with lines gone, in another order or mixed with those of another program is refused or gives pairs that are whole [B-44]', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(lineWriters)),
      fc.constantFrom(...Object.values(lineWriters)),
      histories,
      fc.infiniteStream(fc.nat()),
      (one, other, history, dice) => {
        const lines = [...write(one, history).lines, ...write(other, history).lines];
        const kept = lines.filter(() => (dice.next().value ?? 0) % 5 !== 0);
        const mixed = kept.map((line) => [dice.next().value ?? 0, JSON.stringify(line)] as const).toSorted(([a], [b]) => (a % 3) - (b % 3));
        try {
          for (const { steps } of importTranscript('log', mixed.map(([, text]) => text).join('\n')))
            for (const step of steps)
              if (step.type === 'reply')
                expect(step.results.map(({ toolUseId }) => toolUseId)).toEqual(step.content.filter(isToolUse).map(({ id }) => id));
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
        }
      },
    ),
    { numRuns: fewRuns(1_000) },
  );
});

test('entries that a lost line end or a write that broke off left in one line are read, and what is torn is told [B-53]', () => {
  const [one, two, three] = [asks('1', null, 'one }{ "}{'), says('2', '1', 'first {"'), asks('3', '2', 'two')].map((line) =>
    JSON.stringify(line),
  );
  const [transcript] = importTranscript('log', `${one}${two}\n{"type":"pr-link","sessionId":"s","prNu${three}`);
  if (transcript === undefined) throw new Error('no conversation');
  expect([cameIn(transcript), transcript.damaged]).toEqual([['one }{ "}{', 'first {"', 'two'], ['line 2 is not a JSON object']]);
});

type Entry = Readonly<Record<string, unknown>>;
const asks = (uuid: string, parentUuid: string | null, content: unknown, more: Entry = {}): Entry => ({
  ...{ type: 'user', uuid, parentUuid, sessionId: 's', message: { role: 'user', content } },
  ...more,
});
const says = (uuid: string, parentUuid: string | null, content: unknown, more: Entry = {}): Entry => ({
  ...{ type: 'assistant', uuid, parentUuid, sessionId: 's', message: { id: `m${uuid}`, role: 'assistant', content } },
  ...more,
});
const uses = (id: string) => [{ type: 'tool_use', id, name: 'read', input: {} }];
const returns = (id: string, content: string) => [{ type: 'tool_result', tool_use_id: id, content }];
const heard = [asks('1', null, 'one'), says('2', '1', 'first')];

const parts = (type: string, uuid: string, parentUuid: string | null, texts: readonly string[], subtype?: string): Entry => ({
  ...{ type, uuid, parentUuid, sessionId: 's', message: { role: type, parts: texts.map((text) => ({ text })) } },
  ...(subtype !== undefined && { subtype }),
});
const system = (uuid: string, parentUuid: string, subtype: string): Entry => ({
  ...{ type: 'system', uuid, parentUuid, sessionId: 's', subtype, systemPayload: {} },
});
const HOOK = '<qwen:user-prompt-submit-context>\nby a hook\n</qwen:user-prompt-submit-context>';
const qwenHeard = [parts('user', '1', null, ['one']), parts('assistant', '2', '1', ['first'])];
const qwenLogs: readonly [string, readonly Entry[], readonly string[], readonly string[]][] = [
  [
    'Qwen Code: what was typed while a tool ran',
    [...qwenHeard, parts('user', '3', '2', ['\n[User message received during tool execution]: two'], 'mid_turn_user_message')],
    ['one', 'first', 'two'],
    [],
  ],
  ['Qwen Code: what a hook added', [...qwenHeard, parts('user', '3', '2', ['two', HOOK])], ['one', 'first', 'two'], []],
  ['Qwen Code: what a timer said', [...qwenHeard, parts('user', '3', '2', ['tick'], 'cron')], ['one', 'first'], []],
  [
    'Qwen Code: what is kept beside the conversation',
    [...qwenHeard, parts('user', '3', '2', ['two']), system('4', '1', 'session_artifact_event')],
    ['one', 'first', 'two'],
    ['1 system session_artifact_event'],
  ],
  [
    'Qwen Code: what a helper said in the same file',
    [
      qwenHeard[0] ?? {},
      { ...parts('user', 'a', '1', ['look for it']), isSidechain: true, agentId: 'x' },
      { ...parts('assistant', 'b', 'a', ['on it']), isSidechain: true, agentId: 'x' },
      { ...qwenHeard[1], isSidechain: false },
      { ...parts('assistant', 'c', 'b', ['found']), isSidechain: true, agentId: 'x' },
    ],
    ['one', 'first'],
    ['3 side conversation'],
  ],
  ['Qwen Code: the file of a helper', qwenHeard.map((line) => ({ ...line, isSidechain: true })), ['one', 'first'], []],
  [
    'Qwen Code: a way back to what is gone',
    [...qwenHeard, system('3', 'gone', 'rewind'), parts('user', '4', '3', ['two'])],
    ['two'],
    ['2 rewound', '1 system rewind'],
  ],
];

test.each<[string, readonly (Entry | string)[], readonly string[], readonly string[]]>([
  ['lines that follow themselves', [asks('1', '1', 'one'), says('2', '2', 'first'), asks('3', '3', 'two')], ['one', 'first', 'two'], []],
  [
    'a circle in the middle',
    [...heard, asks('3', '5', 'two'), says('4', '3', 'second'), asks('5', '4', 'three')],
    ['one', 'first', 'two', 'second', 'three'],
    [],
  ],
  [
    'a result before its call',
    [asks('1', null, 'one'), asks('2', '1', returns('t', 'early')), says('3', '2', uses('t'))],
    ['one', 'early'],
    [],
  ],
  [
    'results of no call',
    [...heard, asks('3', '2', returns('t', 'a')), asks('4', '3', returns('t', 'b'))],
    ['one', 'first'],
    ['2 result without its call'],
  ],
  [
    'messages that say nothing',
    [...heard, asks('3', '2', null), says('4', '3', null), asks('5', '4', []), asks('6', '5', 'two')],
    ['one', 'first', 'two'],
    ['3 empty message'],
  ],
  [
    'what a helper said in what the program printed',
    [
      asks('1', null, 'one'),
      says('2', '1', uses('t')),
      asks('3', null, 'do it', { parent_tool_use_id: 't' }),
      says('4', null, 'on it', { parent_tool_use_id: 't' }),
      asks('5', null, returns('t', 'done'), { parent_tool_use_id: null }),
    ],
    ['one', 'done'],
    ['2 side conversation'],
  ],
  [
    'copies of the first lines, appended without their parents',
    [
      ...heard,
      asks('3', '2', 'two'),
      says('4', '3', 'second'),
      { ...asks('3', null, 'two'), forkedFrom: {} },
      { ...heard[0], version: '2' },
    ],
    ['one', 'first', 'two', 'second'],
    ['2 line that was written twice'],
  ],
  [
    'a prompt that was written again otherwise, without its parent',
    [...heard, asks('3', '2', 'too'), says('4', '3', 'second'), asks('3', null, 'two')],
    ['one', 'first', 'two', 'second'],
    ['1 earlier state of a message'],
  ],
  [
    'lines before those that they follow',
    [asks('3', '2', 'two'), says('2', '1', 'first'), asks('1', null, 'one'), asks('5', '4', 'three'), says('4', '3', 'second')],
    ['one', 'first', 'two', 'second', 'three'],
    [],
  ],
  [
    'lines before those that they follow, and one that was left',
    [...heard, asks('x', '2', 'left'), says('4', '3', 'second'), asks('3', '2', 'two')],
    ['one', 'first', 'two', 'second'],
    ['1 rewound'],
  ],
  ...qwenLogs,
  ['a line behind what a crash left', [...heard, `\0\0\0${JSON.stringify(asks('3', '2', 'two'))}`], ['one', 'first', 'two'], []],
])('%s: what was said comes in once and in order, the rest is counted [B-43, B-44]', (_, lines, said, left) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\r\n');
  const [transcript] = importTranscript('log', text);
  if (transcript === undefined) throw new Error('no conversation');
  expect(cameIn(transcript)).toEqual(said);
  expect(transcript.leftOut.map(({ kind, count }) => `${count} ${kind}`)).toEqual(left);
  expect(transcript.damaged).toEqual([]);
});
