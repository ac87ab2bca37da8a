import { distinctBy } from '../../domain/lists.ts';
import { isText, isToolUse } from '../../domain/session/message.ts';
import type { RecordedResult, Step, Transcript } from '../../domain/session/transcript.ts';
import { isObject } from '../../domain/value/json.ts';
import { isOneOf } from '../../domain/value/word-list.ts';

/** What people and models say in sentences, found with word lists of its own (see fidelity.ts). */

const MIN_SENTENCE_CHARS = 8;
const MAX_SENTENCE_CHARS = 320;

/** Returns the sentences and list items of prose, without code blocks, quoted lines, tables, and lines too long for a sentence. */
export function mineSentences(text: string): readonly string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '\n');
  return prose
    .split('\n')
    .filter((line) => !/^\s*(?:[>|]|#{1,6} |\d+[→│|]| {4}\S|<\/?\w)/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?])\s+|(?<=[。！？；])/))
    .map((sentence) => sentence.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, '').trim())
    .filter(
      (sentence) => sentence.length >= MIN_SENTENCE_CHARS && sentence.length <= MAX_SENTENCE_CHARS && !/[=;{}]\s*$|^[$%]\s/.test(sentence),
    );
}

const binds = isOneOf(
  /\b(?:must(?: not)?|mustn't|never|always|shouldn't|should (?:not|only|never|always|be))\b/i,
  /\b(?:make sure|be sure to|avoid|at (?:most|least)|instead of|no longer|without (?:\w+ing))\b/i,
  /\bonly (?:use|change|touch|edit|do|when|if|for|in)\b/i,
  /\b(?:keep (?:it|the|this|all)|please (?:don't|do not|use|keep|only))\b/i,
  /(?:^|[,;:] |\bbut |\band |\bplease |\bwe |\balso )(?:do not|don't|dont)\b/i,
  /(?<!要)不要|(?<!能)不能(?!够|和)|不许|不得(?!不)|(?<!说)不准/,
  /必须|务必|一定要|只能|禁止|切勿|严禁|千万别|请用|请勿|一律/,
);
const bindsNobody = isOneOf(
  /\b(?:i|they|you|it) (?:do not|don't|dont) (?:know|think|see|understand|remember|have|believe)\b/i,
  /\?$|？$|吗[。.]?$/,
);

export const statesConstraint = (sentence: string): boolean => binds(sentence) && !bindsNobody(sentence);

const decides = isOneOf(
  /\bwe(?:'ll| will| should| want to) (?:use|keep|remove|drop|rename|move|switch|skip|ignore)\b/i,
  /\b(?:switch(?:ed|ing)? to \w|sticking with|the plan is|better to\b|decided|decision:|agreed\b)/i,
  /\b(?:go with|choose|prefer|recommend|take|think|pick) option [A-D1-4]\b/i,
  /\b(?:let's (?:go|use|stick|keep|take|do it)\b|(?:going|go|went) (?:with|for)\b)/i,
  /\b(?:opt(?:ed|ing)? for|settled? on|chose|chosen)/i,
  /\b(?:i|we)(?:'ll| will) (?:use|go with|stick|take|switch to)\b/i,
  /\bthe (?:best|right|correct) (?:fix|approach|option|solution) is/i,
  /决定|选择了|选定|选用|采用|就用|改用|定为|确定用/,
);

/** The next step, what somebody else chose, or what would be if. */
const decidesNothing = isOneOf(
  /[?？]$|^if\b/i,
  /\blet's (?:take|have|go) (?:a |another |one )?(?:\w+ )?(?:look|ahead|through|over|back)\b/i,
  /\b(?:i|we)(?:'ll| will) (?:now )?use (?:the )?[\w-]+ (?:agent|tool|skill|command)\b/i,
  /\b(?:user|he|she|they|claude|model|agent) (?:ha(?:s|ve|d) )?(?:decided|chose|chosen|picked)\b/i,
);

export const statesDecision = (sentence: string): boolean => decides(sentence) && !decidesNothing(sentence);

const IDENTIFIER_PATTERNS: readonly RegExp[] = [
  /https?:\/\/[^\s<>"'`)\]，。]+/g,
  /`([^`\s]{4,80})`/g,
  /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g,
  /\b[A-Z][A-Z0-9]{1,9}-\d+\b/g,
  /(?<![\w&])#\d{1,6}\b/g,
  /\bv?\d+\.\d+\.\d+(?:[-+][\w.]+)?\b/g,
  /(?<![\w.])\d{4,}(?![\w.])/g,
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g,
  /\b[a-z]\w*_\w*[a-z0-9]\b/g,
  /(?:^|(?<=[\s(]))[\w.@~-]*(?:\/[\w.@-]+)+\.\w{1,5}\b/g,
  /《[^《》]{2,30}》/g,
];

/** Everyday words in code marks, and years: they would be found anywhere. */
const EVERYDAY_WORD = /^(?:[A-Za-z]?[a-z]+|(?:19|20)\d\d)$/;

/** Returns what means nothing when reworded: code names, paths, hashes, versions, issue numbers, long figures, URLs, titles. */
export function mineIdentifiers(text: string): readonly string[] {
  const matches = IDENTIFIER_PATTERNS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([all, inner]) => (inner ?? all).replace(/^["'([]+|["'.,;:!?()[\]]+$/g, '')),
  );
  const identifiers = [...new Set(matches)].filter((name) => name.length >= 3 && /[\p{L}\d]/u.test(name) && !EVERYDAY_WORD.test(name));
  return identifiers.filter((name) => !identifiers.some((other) => other !== name && other.includes(name)));
}

export const probeKinds = ['file', 'error', 'constraint', 'decision', 'identifier'] as const;
export type ProbeKind = (typeof probeKinds)[number];

/** A fact from the conversation, with what somebody who has forgotten it would still know to search by. */
export type Probe = {
  readonly kind: ProbeKind;
  readonly answer: string;
  /** Words around the fact, from which the query is made; the answer's own words are removed from it. */
  readonly cue: string;
  /** What the fact is about. The query for a sentence, which has no other name, includes it too. */
  readonly topic: string;
  /** The block that contains it: its text, or `call` and the id of the call. */
  readonly source: string;
  readonly step: number;
};

export const callSource = (id: string): string => `call ${id}`;

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

export function commandOf(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const command = input.command ?? input.cmd ?? input.script;
  if (Array.isArray(command)) return command.filter((word) => typeof word === 'string').join(' ');
  return typeof command === 'string' && !('path' in input) && command.trim() !== '' ? command : undefined;
}

const CHANGES = /write|edit|creat|patch|replace|insert|append/i;
const NO_FILE = /todo|plan|memory|note(?!book)/i;
const PATH_FIELDS = ['file_path', 'path', 'filename', 'file', 'notebook_path', 'target_file', 'filePath', 'absolute_path'];

export function pathsChangedBy(tool: string, input: unknown): readonly string[] {
  if (!isObject(input) || !CHANGES.test(tool) || NO_FILE.test(tool) || input.command === 'view') return [];
  const fieldPaths = PATH_FIELDS.map((field) => input[field]).filter(
    (path): path is string => typeof path === 'string' && path.trim() !== '',
  );
  const inPatch = Object.values(input)
    .filter((value) => typeof value === 'string')
    .flatMap((value) => [...value.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(([, path]) => (path ?? '').trim()));
  return [...new Set([...fieldPaths.slice(0, 1), ...inPatch])].filter((path) => path.length <= 300 && !path.includes('\n'));
}

const isRefused = isOneOf(
  /^\s*(?:the user|user) (?:doesn|did not|didn|rejected|declined|denied)/i,
  /operation was (?:rejected|cancelled)|interrupted by user/i,
);
const endsBadly = isOneOf(
  /\bexit(?:ed with)?(?: code| status)?:? [1-9]\d*\b/i,
  /^Traceback \(most recent call last\)|: command not found$/im,
);

const hasFailed = ({ ok, content }: RecordedResult): boolean =>
  (!ok || endsBadly(content.slice(0, 100_000))) && !isRefused(content.slice(0, 300));

const namesFault = isOneOf(
  /\b(?:errors?|fail|failed|failure|fails|fatal|exception|panic|panicked|aborted|timed out)\b/i,
  /\b(?:cannot|can't|unable|undefined|not found|no such|denied)\b/i,
  /\b(?:refused|invalid|unexpected|missing)\b/i,
  /\w(?:Error|Exception)\b|[✗✖]/i,
);
const SAYS_NOTHING = /^(?:exit code:? \d+|error:?|traceback \(most recent call last\):?|\[?error\]?)$/i;
/** What a debugger that is attached prints beside the output of every command. */
const DEBUGGER = /js-debug bootloader|^Waiting for the debugger/;
const LINE_CHARS = 120;

/** A look at what is not there changed nothing: nobody has to remember it. */
const ONLY_LOOKS = /^\s*(?:cd \S+ && )?(?:ls|cat|grep|rg|find|head|tail|wc|stat|which|sed -n)\b[^&;]*$/;

export const onlyLooks = (command: string): boolean => ONLY_LOOKS.test(command.slice(0, 1_000));

export function firstErrorLine(output: string): string | undefined {
  const lines = output
    .slice(0, 200_000)
    .split('\n')
    .map((line) => line.trim());
  const first = lines.find(
    (line) => line.length >= 10 && !DEBUGGER.test(line) && line.length <= 2_000 && namesFault(line) && !SAYS_NOTHING.test(line),
  );
  return first?.slice(0, LINE_CHARS).trim();
}
