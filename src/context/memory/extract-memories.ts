/**
 * What is worth keeping beyond a session: extracted by rule, consolidated into the page of L2, and chosen for the next system prompt.
 *
 * Only what a person or the model said in their own words becomes a memory; what a tool printed reaches the runtime entries alone, and what
 * was imported is nobody's word, so that no file can plant a preference. A model may propose entries; what is not in its sources is
 * dropped.
 *
 * Each entry is one line without secrets. Nothing is stored here.
 */

import { distinctBy } from '../../domain/lists.ts';
import type { MemoryEntry, StatementKind } from '../../domain/memory/memory.ts';
import type { Message } from '../../domain/session/message.ts';
import { anyOf, isOneOf } from '../../domain/value/word-list.ts';
import { messageText } from '../ledger/exchange/exchanges.ts';
import { identifiersIn } from '../ledger/identifiers.ts';
import { isQuestion } from '../sentence/asks.ts';
import { namesOne, saysOne } from '../sentence/form.ts';
import { isOpen, isSettled, judge, memoryKind } from '../sentence/judge.ts';
import { correctsTask } from '../sentence/task.ts';
import { isAnnouncement } from '../sentence/work.ts';
import { looksLikeOutput, quoteLine, sentencesOf } from '../text/sentences.ts';
import { chosenOption } from './chosen-option.ts';
import { type ExtractOptions, failureEntries, isImported, repeatsOutput, type ToolOutput, toolOutputOf } from './runtime-entries.ts';

export const ENTRY_CHARS = 300;
/** The most that one run may add of each kind. The later entries are kept, since they know what became of the earlier ones. */
const MAX_PER_KIND = 40;
const MIN_SENTENCE_CHARS = 16;

/** By rule: what the user and the model stated at the prompt, and what failed. What answers a permission question is about that call. */
export const extractMemories = (messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] => [
  ...extractStatements(messages, options),
  ...distinctBy(failureEntries(messages, options), memoryKey).slice(-MAX_PER_KIND),
];

export function extractStatements(messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] {
  const { sessionId, cwd } = options;
  const toolOutput = toolOutputOf(messages);
  const location = cwd === undefined ? {} : { cwd };
  let asked = '';
  const entries = messages.flatMap((message): readonly MemoryEntry[] => {
    if (isImported(message)) return [];
    const said = messageText(message);
    const byUser = message.origin === 'user';
    const statements = byUser ? userStatements(said, asked, toolOutput) : modelStatements(said, toolOutput);
    if (byUser) asked = '';
    else if (message.origin === 'model' && said.trim() !== '') asked = said;
    return statements
      .filter(({ text }) => !isPassing(text))
      .map(({ kind, text }) => ({
        ...{ kind, text, sessionId, messageId: message.id, at: message.at },
        ...{ by: byUser ? 'user' : 'model', ...location },
      }));
  });
  return (['decisions', 'facts', 'preferences'] as const).flatMap((kind) =>
    distinctBy(
      entries.filter((entry) => entry.kind === kind),
      memoryKey,
    ).slice(-MAX_PER_KIND),
  );
}

type MemoryStatement = { readonly kind: StatementKind; readonly text: string };

function userStatements(said: string, asked: string, toolOutput: ToolOutput): readonly MemoryStatement[] {
  const chosen = asked === '' ? undefined : chosenOption(asked, said);
  if (chosen !== undefined) {
    const isPrinted = chosen.parts.some((part) => repeatsOutput(part, toolOutput));
    return isPrinted ? [] : [{ kind: 'decisions', text: quoteLine(chosen.text, ENTRY_CHARS) }];
  }
  const isLong = said.length > MAX_TOLD_CHARS;
  const sentences = sentencesOf(said.replace(PRINTED, ''));
  return sentences
    .filter((_, at) => !correctsTask(sentences, at))
    .flatMap(pieces)
    .flatMap((raw): readonly MemoryStatement[] => {
      const sentence = raw.replace(REMEMBER_PREFIX, '');
      if (isLong && (looksLikeOutput(sentence) || KEY_AND_VALUE.test(sentence))) return [];
      const kind = isCode(sentence) ? undefined : memoryKind(judge(blankQuotes(sentence)));
      return kind === undefined || (isLong && kind === 'facts') ? [] : [{ kind, text: quoteLine(sentence, ENTRY_CHARS) }];
    });
}

/** Who writes more at once has pasted a part: logs, reports and pages state facts, but not the user's. Rules and decisions still count. */
const MAX_TOLD_CHARS = 1_200;
const KEY_AND_VALUE = /^[\w .-]{1,40}[:=]\s*\S+$/;
/** What programs print at the beginning of a line. */
const PRINTED = /^(?:npm (?:err!|warn) |(?:fatal|warning|error(?: \w*\d+)?): ).*$/gim;
export const isCode = isOneOf(
  /^[\w.[\]]+(?:, ?[\w.[\]]+)* (?:=|:=|\+=) |[;{]$/,
  /^\s*(?:def|class|const|let|var|function) \w[\w.]*\s*(?:[({:=;,<]|extends\b|$)/,
  /^\s*(?:import|from \w+ import|return|if \() ?\w[\w.]*\s*(?:[({:=;,<]|from\b|$)/,
);

/** Dictation has no full stops: what is too long for one entry is judged clause by clause. */
export const pieces = (sentence: string): readonly string[] =>
  sentence.length <= ENTRY_CHARS
    ? [sentence]
    : sentence
        .split(/[,，;；]\s*|\s+(?=(?:and|so|but|um|uh|also|then|oh)\s)|\s*(?=然后|另外|还有)/)
        .filter((piece) => piece.length <= ENTRY_CHARS);

/** The model talks about rules, choices and settings all the time: of its words only what is settled, and what it names exactly, counts. */
const modelStatements = (said: string, toolOutput: ToolOutput): readonly MemoryStatement[] =>
  sentencesOf(said).flatMap((sentence): readonly MemoryStatement[] => {
    if (sentence.length < MIN_SENTENCE_CHARS && !/[\u4e00-\u9fff]{4}/.test(sentence)) return [];
    if (sentence.length > ENTRY_CHARS * 2 || isAnnouncement(sentence) || isQuestion(sentence) || looksLikeOutput(sentence)) return [];
    const unquoted = blankQuotes(sentence);
    const settled = isSettled(judge(unquoted, 'model'));
    if ((!settled && !statesSetting(unquoted)) || isOpen(unquoted) || repeatsOutput(sentence, toolOutput)) return [];
    return [{ kind: settled ? 'decisions' : 'facts', text: quoteLine(sentence, ENTRY_CHARS) }];
  });

/** True when a sentence says where something is, what it is called, what it runs on or how it is set, and names it exactly. */
const statesSetting = (sentence: string): boolean =>
  !asksFor(sentence) && setsThing(sentence) && isThing(sentence) && identifiersIn(sentence).some(([, weight]) => weight >= 2);

const setsThing = namesOne('SETTING');
const isThing = namesOne('SET_THING');
const asksFor = saysOne(
  () => `
asks for: ^{ASKS_FOR}
  + Now add the port. - The port is 8443.
  + 把端口改成 8443 - 端口是 8443
`,
);

export const REMEMBER_PREFIX = /^(?:please )?(?:remember|note)(?: that)?[:,]?\s+(?=\S)|^(?:请)?记住[:：，,]?\s*/i;

/** Empties quotations: what somebody says about a quotation counts, what is in it does not. */
export const blankQuotes = (sentence: string): string =>
  sentence.replace(/"[^"]{0,400}"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|‘[^’]{0,400}’/g, '""');

/** Returns the kind of a statement that somebody asked to remember; facts when nothing in it suggests another. */
export function kindOfStatement(text: string): StatementKind {
  // What comes later in a long text does not change what kind of statement it is, and would be read again for each pattern.
  const unquoted = blankQuotes(text.slice(0, ENTRY_CHARS * 2));
  const judged = judge(unquoted);
  return memoryKind(judged) ?? (judged.kind === 'correction' ? 'preferences' : isSettled(judge(unquoted, 'model')) ? 'decisions' : 'facts');
}

const memoryKey = ({ text }: MemoryEntry): string => text.toLowerCase().replace(/[\s.。!！"]+/g, '');

/** True for what by its own words ends with one attempt, and for a line that is meant for a shell. */
export const isPassing = (sentence: string): boolean => isForOnce(sentence) || isShellLine(sentence);

const TRIED = anyOf('experiment, trial, attempt, demo, session, run, round, build, task, ticket');
const isForOnce = isOneOf(
  /(?<!\bnot )\b(?:only|just) (?:for )?(?:this time|(?:this )?once|now|today)\b/i,
  /\bthis (?:one )?time only\b/i,
  new RegExp(`(?<!\\bnot (?:only |just )?)\\b(?:for|in|during) this (?:one )?${TRIED}\\b`, 'i'),
  /(?<![不非])(?:[只仅就](?:是|限|在|有)?(?:[这此本]一?[次回])|仅此一[次回])|下不为例/,
  /(?<![不非][只仅止]?是?在?)(?:[这此本][次个场轮回]?)(?:实验|试验|会话)(?!室)/,
);

const PROGRAM = anyOf(
  'awk, bash, bun, cargo, cat, cd, chmod, chown, cp, curl, docker, echo, env, export, git, grep, jq, kubectl, ln, ls, mkdir, mv, node, npm, npx, pip, pnpm, ps, psql, pytest, python, python3, rg, rm, rsync, scp, sed, sh, ssh, sudo, tail, tar, uv, wget, xargs, yarn, zsh',
);
const isShellLine = isOneOf(
  /^(?:(?:please )?run:? |! ?|\$ )?exec \S/i,
  new RegExp(
    `^(?:(?:please )?run:? |! ?|\\$ )?(?:\\w+=\\S+ )*${PROGRAM} .*(?:&&|\\|\\|| \\| |; *(?:\\w+=\\S+ )*(?:${PROGRAM}|exit|make|test|true)\\b)`,
  ),
  new RegExp(
    `^(?:! ?|\\$ )?${PROGRAM} (?!.*\\b(?:is|are|was|we|i|you|the|never|always|must|should|only|when|for|to|with|how)\\b)[\\x20-\\x7e]* --?[a-z]`,
    'i',
  ),
);
