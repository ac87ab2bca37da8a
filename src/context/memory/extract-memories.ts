/**
 * What is worth keeping beyond a session: extracted by rule from what was said, consolidated into the page of L2, and chosen for the next
 * system prompt.
 *
 * Messages, pages and a budget come in; entries and texts come out. Only what a person or the model said in their own words becomes a
 * memory; what a tool printed reaches the runtime entries alone, so that no file can plant a preference.
 *
 * A model may propose entries, and what is not in its sources is dropped (`isGrounded`). Each entry is one line without secrets. A
 * person's lines stay as they wrote them. Nothing is stored here.
 */

import { distinctBy } from '../../domain/lists.ts';
import type { MemoryEntry, MemoryKind, StatementKind } from '../../domain/memory/memory.ts';
import type { Message } from '../../domain/session/message.ts';
import { identifiersIn } from '../ledger/identifiers.ts';
import { commandKey, commandText, isEmptySearch } from '../ledger/outcomes.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { ToolCall } from '../ledger/types.ts';
import { messageText } from '../rules/message-text.ts';
import { constraintStrength, decisionStrength, isAnnouncement, isQuestion, statesPreference } from '../text/cues.ts';
import { isDirective } from '../text/directive.ts';
import { quoteLine } from '../text/quote.ts';
import { looksLikeOutput, sentencesOf } from '../text/sentences.ts';
import { repeatsOutput, type ToolOutput, toolOutputOf } from './tool-output.ts';

const ENTRY_CHARS = 300;
/** The most that one run may add of each kind. The later entries are kept, since they know what became of the earlier ones. */
const MAX_PER_KIND = 40;
const MIN_SENTENCE_CHARS = 16;

/**
 * Extracts, by rule, what is worth keeping beyond the session: decisions, facts and preferences from what the user and the model said in
 * their own words, and runtime entries from what was run. Tool output reaches runtime entries alone, as the line of an error; a sentence in
 * which the model only repeats a result is left out. Each entry is one line of at most 300 characters, without duplicates and without
 * secrets.
 */
export function extractMemories(messages: readonly Message[], options: ExtractOptions): readonly MemoryEntry[] {
  const { sessionId, cwd } = options;
  const toolOutput = toolOutputOf(messages);
  const statements = messages.flatMap((message) => statementsIn(message, toolOutput).map((statement) => ({ ...statement, message })));
  const location = cwd === undefined ? {} : { cwd };
  const entries = statements.map(
    ({ kind, text, message }): MemoryEntry => ({
      ...{ kind, text, sessionId, messageId: message.id, at: message.at },
      ...{ by: message.origin === 'user' ? 'user' : 'model', ...location },
    }),
  );
  const calls = toolCalls(messages, () => undefined);
  const commandEntries = runtimeEntries(calls, sessionId).map((entry) => ({ ...entry, ...location }));
  return (['decisions', 'facts', 'preferences', 'runtime'] as const).flatMap((kind) =>
    distinctBy(
      [...entries, ...commandEntries].filter((entry) => entry.kind === kind),
      memoryKey,
    ).slice(-MAX_PER_KIND),
  );
}

export type ExtractOptions = {
  readonly sessionId: string;
  /** The session's working folder. */
  readonly cwd?: string | undefined;
};

type MemoryStatement = { readonly kind: MemoryKind; readonly text: string };

function statementsIn(message: Message, toolOutput: ToolOutput): readonly MemoryStatement[] {
  const byUser = message.origin === 'user';
  return sentencesOf(messageText(message)).flatMap((raw): readonly MemoryStatement[] => {
    const sentence = byUser ? raw.replace(REMEMBER_PREFIX, '') : raw;
    if (sentence.length < MIN_SENTENCE_CHARS && !/[\u4e00-\u9fff]{4}/.test(sentence)) return [];
    if (isAnnouncement(sentence)) return [];
    if (sentence.length > ENTRY_CHARS * 2 || isQuestion(sentence) || looksLikeOutput(sentence)) return [];
    const unquoted = blankQuotes(sentence);
    const kinds = kindsOf(unquoted, byUser);
    if (kinds.length === 0 || (!byUser && repeatsOutput(sentence, toolOutput))) return [];
    const text = quoteLine(sentence, ENTRY_CHARS);
    return kinds.map((kind) => ({ kind, text }));
  });
}

/** A decision is not a fact yet, however it is worded. */
function kindsOf(unquoted: string, byUser: boolean): readonly MemoryKind[] {
  const kinds: MemoryKind[] = [];
  if (decisionStrength(unquoted) === 2 && (byUser || SETTLED_DECISION.test(unquoted))) kinds.push('decisions');
  if (byUser && (statesPreference(unquoted) || STANDING_RULE.test(unquoted))) kinds.push('preferences');
  if (!kinds.includes('decisions') && statesFact(unquoted, byUser)) kinds.push('facts');
  return kinds;
}

/** The model talks about deciding more often than it decides. */
const SETTLED_DECISION =
  /\b(?:decided|chose|chosen|agreed|settled on|opted for|go(?:ing)? with|went with|we(?:'ll| will) (?:use|keep)|I(?:'ll| will) use|switch(?:ed|ing)? to|approved)\b|\bdecision:|决定|采用|改用|敲定|定为|最终方案|选用|选定/i;

/** A rule of the user that always applies, not just this once. */
const STANDING_RULE =
  /\b(?:always|never|from now on|in future(?=[,.]|$)|every time|by default|as a rule)\b|以后|今后|始终|永远|一律|每次|默认|总是|从不/i;

/**
 * True when a sentence says where something is, what it is called, what it runs on or how it is set; from the model only when it names it
 * exactly.
 */
function statesFact(sentence: string, byUser: boolean): boolean {
  if (REQUEST_OPENING.test(sentence) || !(byUser ? FACT_VERBS : SETTING_VERBS).test(sentence)) return false;
  const exact = identifiersIn(sentence).some(([, weight]) => weight >= 2);
  return byUser ? exact || SETTING_NOUNS.test(sentence) : exact && SETTING_NOUNS.test(sentence);
}

const FACT_VERBS =
  /\b(?:is|are|uses?|using|runs?|lives?|located|stored|named|called|requires?|depends|listens?|configured|set to|supports?|deployed|hosted|written in|based on|points to|defaults? to)\b|是|叫|使用|位于|存放|依赖|基于|采用|名为|部署|运行|用的|设为|在/i;
const SETTING_VERBS =
  /\b(?:uses|runs on|lives in|is (?:at|in|on|located|stored|named|called|configured|deployed|hosted|written in|based on|set to)|are (?:in|stored|located)|requires|depends on|listens on|points to|defaults? to)\b|使用|位于|存放|依赖|基于|采用|名为|部署|运行在|设为|监听|默认/i;
const SETTING_NOUNS =
  /\b(?:project|repo(?:sitory)?|server|database|port|path|folder|directory|config(?:uration)?|version|environment|settings?|endpoint|url|host|service|package manager|framework|time ?zone|deadline)\b|项目|仓库|服务器|数据库|端口|路径|目录|配置|版本|环境|设置|接口|服务|框架|时区|截止/i;
/** Orders and plans are not facts. */
const REQUEST_OPENING =
  /^(?:please|can|could|would|let'?s|let me|i'll|i will|now|next|add|fix|make|create|update|remove|change|run|write|read|check|look|show|use)\b|^(?:请|帮|让|把|给我|我来|我先|接下来)/i;

const REMEMBER_PREFIX = /^(?:please )?(?:remember|note)(?: that)?[:,]?\s+(?=\S)|^(?:请)?记住[:：，,]?\s*/i;

/** Empties quotations: what somebody says about a quotation counts, what is in it does not. */
const blankQuotes = (sentence: string): string =>
  sentence.replace(/"[^"]{0,400}"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|‘[^’]{0,400}’/g, '""');

/**
 * Returns one entry per command and per changed file, by its last outcome. Calls that only look at things leave one only when they failed,
 * calls that were stopped leave none.
 */
function runtimeEntries(calls: readonly ToolCall[], sessionId: string): readonly MemoryEntry[] {
  const entries = new Map<string, MemoryEntry>();
  for (const call of calls) {
    if (call.denied || call.stopped !== undefined || call.result === undefined || isEmptySearch(call)) continue;
    if (!call.failed && call.kind !== 'run' && call.kind !== 'write') continue;
    const command = commandText(call);
    const error = call.failed
      ? quoteLine(isDirective(call.error ?? '') ? '(an error whose text gives orders)' : (call.error ?? ''), 140)
      : '';
    const text = quoteLine(`${quoteLine(command, 140)}: ${call.failed ? `failed: ${error}` : 'ok'}`, ENTRY_CHARS);
    const key = commandKey(command);
    entries.delete(key);
    entries.set(key, { kind: 'runtime', text, sessionId, messageId: call.messageId, at: call.at });
  }
  return [...entries.values()];
}

/** Returns the kind of a statement that somebody asked to remember; facts when nothing in it suggests another. */
export function kindOfStatement(text: string): StatementKind {
  const unquoted = blankQuotes(text);
  if (statesPreference(unquoted) || STANDING_RULE.test(unquoted) || constraintStrength(unquoted) === 3) return 'preferences';
  return decisionStrength(unquoted) === 2 ? 'decisions' : 'facts';
}

const memoryKey = ({ text }: MemoryEntry): string => text.toLowerCase().replace(/[\s.。!！"]+/g, '');
