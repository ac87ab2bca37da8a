import { distinctBy } from '../../domain/lists.ts';
import { isText, isToolUse } from '../../domain/session/message.ts';
import type { Step, Transcript } from '../../domain/session/transcript.ts';
import { commandOf, firstErrorLine, hasFailed, onlyLooks, pathsChangedBy } from './mine-calls.ts';
import { mineIdentifiers, mineSentences, statesConstraint, statesDecision } from './mine-text.ts';

export const probeKinds = ['file', 'error', 'constraint', 'decision', 'identifier'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** A fact from the conversation, with what somebody who has forgotten it would still know to search by. */
export type Probe = {
  readonly kind: ProbeKind;
  /** Verbatim, as recorded. */
  readonly answer: string;
  /** Words around the fact, from which the query is made; the answer's own words are removed from it. */
  readonly cue: string;
  /** What the fact is about. The query for a sentence, which has no other name, includes it too. */
  readonly topic: string;
  /** The block that contains it: its text, or `call` and the id of the call. */
  readonly source: string;
  /** Index of the step in which it appeared. */
  readonly step: number;
};

export const callSource = (id: string): string => `call ${id}`;

/** A longer text is a pasted page, not sentences of a person. */
const MAX_PROSE_CHARS = 6_000;
const CUE_CHARS = 400;

/** Returns all facts of a conversation in the order in which they came up, each kind and answer once, where it first appeared. */
export function mineProbes({ steps }: Pick<Transcript, 'steps'>): readonly Probe[] {
  let userText = '';
  const probes = steps.flatMap((step, index) => {
    const found = [...probesFromCalls(step, index, userText), ...probesFromText(step, index, steps)];
    if (step.type === 'user') userText = textOfStep(step).slice(0, CUE_CHARS);
    return found;
  });
  return distinctBy(probes, ({ kind, answer }) => `${kind} ${answer}`);
}

function probesFromCalls(step: Step, index: number, userText: string): readonly Probe[] {
  if (step.type !== 'reply') return [];
  const replyText = textOfStep(step).slice(0, CUE_CHARS);
  return step.content.filter(isToolUse).flatMap((call): readonly Probe[] => {
    const result = step.results.find((each) => each.toolUseId === call.id);
    if (result === undefined) return [];
    const command = commandOf(call.input);
    if (command !== undefined) {
      const error = hasFailed(result) && !onlyLooks(command) ? firstErrorLine(result.content) : undefined;
      if (error === undefined) return [];
      return [{ kind: 'error', answer: error, cue: command.slice(0, CUE_CHARS), topic: '', source: result.content, step: index }];
    }
    const paths = result.ok ? pathsChangedBy(call.name, call.input) : [];
    return paths.map((path) => ({
      kind: 'file',
      answer: path,
      cue: `${replyText} ${userText}`,
      topic: call.name,
      source: callSource(call.id),
      step: index,
    }));
  });
}

function probesFromText(step: Step, index: number, steps: readonly Step[]): readonly Probe[] {
  if (step.type === 'notice') return [];
  return textsIn(step)
    .filter((text) => text.length <= MAX_PROSE_CHARS)
    .flatMap((text) => {
      const sentences = mineSentences(text);
      const surrounding = neighbours(steps, index);
      return sentences.flatMap((sentence, at): readonly Probe[] => {
        const adjacent = `${sentences[at - 1] ?? ''} ${sentences[at + 1] ?? ''}`;
        const base = { source: text, step: index };
        const sentenceProbe = { ...base, answer: sentence, cue: `${adjacent} ${surrounding}`, topic: topicOf(sentence) };
        return [
          ...(step.type === 'user' && statesConstraint(sentence) ? [{ ...sentenceProbe, kind: 'constraint' as const }] : []),
          ...(statesDecision(sentence) ? [{ ...sentenceProbe, kind: 'decision' as const }] : []),
          ...mineIdentifiers(sentence).map((answer) => ({
            ...base,
            kind: 'identifier' as const,
            answer,
            cue: '',
            topic: topicOf(sentence.replaceAll(answer, ' '), IDENTIFIER_TOPIC_WORDS),
          })),
        ];
      });
    });
}

export const textOfStep = (step: Step): string => textsIn(step).join(' ');

const textsIn = (step: Step): readonly string[] =>
  step.type === 'reply' ? step.content.filter(isText).map((block) => block.text) : [step.text];

const neighbours = (steps: readonly Step[], index: number): string =>
  [steps[index - 1], steps[index + 1]].map((step) => (step === undefined ? '' : textOfStep(step).slice(0, CUE_CHARS / 2))).join(' ');

const TOPIC_WORDS = 3;
const IDENTIFIER_TOPIC_WORDS = 4;

/** Returns the longest words of a sentence, or for Chinese its first six characters: what a person would remember of its topic. */
function topicOf(sentence: string, maxWords = TOPIC_WORDS): string {
  const words = sentence.match(/[\p{Script=Latin}\d_-]{4,}/gu) ?? [];
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, maxWords);
  const han = sentence.match(/\p{Script=Han}+/gu)?.join('') ?? '';
  return [...longest, [...han].slice(0, 6).join('')].join(' ');
}
