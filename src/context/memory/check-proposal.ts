import { type MemoryEntry, type StatementKind, statementKinds } from '../../domain/memory/memory.ts';
import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { Message } from '../../domain/session/message.ts';
import { redact } from '../../domain/value/redact.ts';
import { messageText } from '../ledger/exchange/exchanges.ts';
import { isDirective, needsReferent } from '../sentence/asks.ts';
import { isOpen, judge, memoryKind } from '../sentence/judge.ts';
import { looksLikeOutput, quoteLine, sentencesOf } from '../text/sentences.ts';
import { blankQuotes, ENTRY_CHARS, isCode, isPassing, pieces } from './extract-memories.ts';
import type { ExtractOptions } from './runtime-entries.ts';
import { isImported, repeatsOutput, toolOutputOf } from './runtime-entries.ts';

/** What a reply that summarises names as worth keeping: a kind, and words of the user. */
export type MemoryProposal = { readonly kind: StatementKind; readonly text: string };

const MAX_PROPOSALS = 12;
const HEADING = /^\s{0,3}#{1,6}\s+\W{0,4}memories\W{0,4}$/im;
const PROPOSAL = /^\s{0,9}[-*]\s+[*_`]{0,4}(decision|fact|preference)s?[*_`]{0,4}[:：][*_`]{0,4}\s*(\S.*)$/i;

/** Parts a reply into its summary and the memories that it names behind it, which never become part of the summary. */
export function splitMemories(reply: string): { readonly text: string; readonly memories: readonly MemoryProposal[] } {
  const start = HEADING.exec(reply)?.index;
  if (start === undefined) return { text: reply.trim(), memories: [] };
  const [, ...lines] = reply.slice(start).trimStart().split('\n');
  const end = lines.findIndex((line) => /^\s{0,3}#{1,6}\s/.test(line));
  const memories = (end === -1 ? lines : lines.slice(0, end)).flatMap((line): readonly MemoryProposal[] => {
    const [, name = '', text = ''] = PROPOSAL.exec(line.slice(0, ENTRY_CHARS * 2)) ?? [];
    const kind = statementKinds.find((each) => each === `${name.toLowerCase()}s`);
    return kind === undefined ? [] : [{ kind, text: bareWords(text) }];
  });
  const rest = end === -1 ? [] : lines.slice(end);
  return { text: [reply.slice(0, start), ...rest].join('\n').trim(), memories: memories.slice(0, MAX_PROPOSALS) };
}

const bareWords = (text: string): string => text.replace(/\s+/g, ' ').replace(/^[\s"“”「『'`]+|[\s"“”」』'`.。!！;；…]+$/g, '');

/**
 * The proposals that the user said word for word in one of these messages, each as the whole sentence; none that asks, supposes or only
 * answers, holds a secret, or that a tool had printed before.
 */
export function proposedMemories(
  proposals: readonly MemoryProposal[],
  messages: readonly Message[],
  { sessionId, cwd }: ExtractOptions,
): readonly MemoryEntry[] {
  const location = cwd === undefined ? {} : { cwd };
  return proposals.flatMap(({ kind, text }): readonly MemoryEntry[] => {
    const at = messages.findLastIndex((message) => sentencesWith(text, message).length > 0);
    const message = messages[at];
    if (message === undefined) return [];
    const sentences = sentencesWith(text, message);
    const said = sentences.join(' ');
    if (said.length > ENTRY_CHARS || redact(said) !== said || !sentences.every(mayLast)) return [];
    if (sentences.some((sentence) => wasPrinted(sentence, messages, at))) return [];
    return [{ kind, text: quoteLine(said, ENTRY_CHARS), sessionId, messageId: message.id, at: message.at, by: 'user', ...location }];
  });
}

/** The sentences of the user's that hold these words outside quotation marks, or that these words are made of. */
function sentencesWith(words: string, message: Message): readonly string[] {
  if (message.origin !== 'user' || isImported(message) || words.length < MIN_WORDS_CHARS) return [];
  const sentences = sentencesOf(messageText(message)).flatMap(pieces);
  const holding = sentences.find((sentence) => oneSpaced(blankQuotes(sentence)).includes(words) || bareWords(sentence) === words);
  if (holding !== undefined) return [holding];
  const parts = sentences.filter((sentence) => words.includes(bareWords(sentence)));
  return bareWords(parts.join(' ')) === words || bareWords(parts.join('')) === words ? parts : [];
}

const MIN_WORDS_CHARS = 4;
const oneSpaced = (text: string): string => text.replace(/\s+/g, ' ');

const mayLast = (sentence: string): boolean =>
  ![isOpen, onlyAnswers, looksLikeOutput, isDirective, isCode, isPassing].some((isNoMemory) => isNoMemory(sentence));

const onlyAnswers = (sentence: string): boolean => needsReferent(sentence) && senseOf(sentence).terms.length < 3;

const wasPrinted = (sentence: string, messages: readonly Message[], at: number): boolean =>
  repeatsOutput(sentence, toolOutputOf(messages.slice(0, at)));

/** Both, in the order in which they were said. Of a sentence that rules find too, the kind is the one that was proposed. */
export function withProposed(found: readonly MemoryEntry[], proposed: readonly MemoryEntry[]): readonly MemoryEntry[] {
  const isCovered = (entry: MemoryEntry): boolean =>
    entry.kind !== 'runtime' && proposed.some(({ messageId, text }) => messageId === entry.messageId && text.includes(entry.text));
  return [...found.filter((entry) => !isCovered(entry)), ...proposed].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** A sentence with this share of an entry's words is one that the entry comes from. */
const MIN_SHARED = 0.5;

/** True for a proposal that its message says, from sentences that are neither open nor contrary, and that states something lasting. */
export function isKeepable(entry: string, message: string): boolean {
  if (isPassing(entry) || !isGrounded(entry, [message])) return false;
  const { terms, negated } = senseOf(entry);
  const sources = sentencesOf(message).filter((sentence) => shareOf(terms, new Set(senseOf(sentence).terms)) >= MIN_SHARED);
  const standing = sources.filter((sentence) => !isOpen(sentence) && !isPassing(sentence) && senseOf(sentence).negated === negated);
  if (sources.length > 0 && standing.length === 0) return false;
  return [...standing, inOwnVoice(entry)].some((sentence) => memoryKind(judge(sentence)) !== undefined);
}

/** A model says "the user prefers"; the forms are those of "I prefer". */
const inOwnVoice = (entry: string): string =>
  entry
    .replace(/\b(?:the )?user['’]s\b/gi, 'my')
    .replace(/\b(?:the )?user\b/gi, 'I')
    .replace(/\bI (is|has|does)\b/g, (_, verb: string) => ({ is: 'I am', has: 'I have', does: 'I do' })[verb] ?? `I ${verb}`)
    .replace(/\bI ([a-z]{2,20}[a-rt-z])s\b/g, 'I $1')
    .replace(/用户(?=的|都|一般|通常|偏|喜|习|叫|姓|在|住|用|负责|要求|希望|不)/g, '我');

/** Other words are fine, other content is not: this share of the words must come from the sources. */
const MIN_KNOWN_SHARE = 0.5;

/** True when a statement says what its sources say: at least half of its words, and every number, path and name in it, are theirs. */
export function isGrounded(statement: string, sources: readonly string[]): boolean {
  const { terms, exact } = senseOf(statement);
  const sourceTerms = new Set(sources.flatMap((source) => senseOf(source).terms));
  return exact.every((term) => sourceTerms.has(term)) && shareOf(terms, sourceTerms) >= MIN_KNOWN_SHARE;
}

const shareOf = (terms: readonly string[], known: ReadonlySet<string>): number =>
  terms.filter((term) => known.has(term)).length / terms.length;
