import type { MemoryEntry, MemoryKind, SaidKind } from '../../domain/memory/memory.ts';
import type { Message } from '../../domain/session/message.ts';
import { identifiersIn } from '../ledger/identifiers.ts';
import { commandKey, foundNothing, shownCommand } from '../ledger/outcomes.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { ToolCall } from '../ledger/types.ts';
import { saidIn } from '../rules/said.ts';
import { announces, constraintStrength, decisionStrength, isQuestion, prefers } from '../text/cues.ts';
import { isDirective } from '../text/directive.ts';
import { quotedLine } from '../text/quote.ts';
import { looksPrinted, sentencesOf } from '../text/sentences.ts';
import { type Printed, printedIn, repeats } from './printed.ts';

const ENTRY_CHARS = 300;
/** What one run may add of each kind; the later ones stay, since they know what became of the earlier. */
const MOST_OF_A_KIND = 40;
const SHORTEST = 16;

/**
 * What is worth keeping beyond the session, by rule: decisions, facts and preferences from what the user and the model said in
 * their own words, runtime from what was run. What tools printed reaches runtime alone, as an error's line, and a sentence that the
 * model only repeats from a result is nobody's decision. Each entry is one line of at most 300 characters, each once, without secrets.
 */
export function extractMemories(messages: readonly Message[], from: ExtractFrom): readonly MemoryEntry[] {
  const { sessionId, cwd } = from;
  const printed = printedIn(messages);
  const said = messages.flatMap((message) => saidEntries(message, printed).map((found) => ({ ...found, message })));
  const where = cwd === undefined ? {} : { cwd };
  const entries = said.map(
    ({ kind, text, message }): MemoryEntry => ({
      ...{ kind, text, sessionId, messageId: message.id, at: message.at },
      ...{ by: message.origin === 'user' ? 'user' : 'model', ...where },
    }),
  );
  const run = runtimeEntries(
    toolCalls(messages, () => undefined),
    sessionId,
  ).map((entry) => ({ ...entry, ...where }));
  return (['decisions', 'facts', 'preferences', 'runtime'] as const).flatMap((kind) =>
    distinct([...entries, ...run].filter((entry) => entry.kind === kind)).slice(-MOST_OF_A_KIND),
  );
}

export type ExtractFrom = {
  readonly sessionId: string;
  /** The working folder of the session. */
  readonly cwd?: string | undefined;
};

type Found = { readonly kind: MemoryKind; readonly text: string };

function saidEntries(message: Message, printed: Printed): readonly Found[] {
  const byUser = message.origin === 'user';
  return sentencesOf(saidIn(message)).flatMap((said): readonly Found[] => {
    const sentence = byUser ? said.replace(ASKS_TO_REMEMBER, '') : said;
    if (sentence.length < SHORTEST && !/[\u4e00-\u9fff]{4}/.test(sentence)) return [];
    if (announces(sentence)) return [];
    if (sentence.length > ENTRY_CHARS * 2 || isQuestion(sentence) || looksPrinted(sentence)) return [];
    const own = withoutQuotes(sentence);
    const kinds = kindsOf(own, byUser);
    if (kinds.length === 0 || (!byUser && repeats(sentence, printed))) return [];
    const text = quotedLine(sentence, ENTRY_CHARS);
    return kinds.map((kind) => ({ kind, text }));
  });
}

/** What is decided is no fact yet, in whatever words it is put. */
function kindsOf(own: string, byUser: boolean): readonly MemoryKind[] {
  const kinds: MemoryKind[] = [];
  if (decisionStrength(own) === 2 && (byUser || SETTLED.test(own))) kinds.push('decisions');
  if (byUser && (prefers(own) || STANDING.test(own))) kinds.push('preferences');
  if (!kinds.includes('decisions') && states(own, byUser)) kinds.push('facts');
  return kinds;
}

/** The model speaks of deciding more often than it decides. */
const SETTLED =
  /\b(?:decided|chose|chosen|agreed|settled on|opted for|go(?:ing)? with|went with|we(?:'ll| will) (?:use|keep)|I(?:'ll| will) use|switch(?:ed|ing)? to|approved)\b|\bdecision:|决定|采用|改用|敲定|定为|最终方案|选用|选定/i;

/** A rule of the user for every time, not for this once. */
const STANDING =
  /\b(?:always|never|from now on|in future(?=[,.]|$)|every time|by default|as a rule)\b|以后|今后|始终|永远|一律|每次|默认|总是|从不/i;

/** Says where something is, what it is called, what it runs on or how it is set: of the model only where it names it exactly. */
function states(sentence: string, byUser: boolean): boolean {
  if (ASKS_FOR.test(sentence) || !(byUser ? STATES : STATES_SETTING).test(sentence)) return false;
  const exact = identifiersIn(sentence).some(([, weight]) => weight >= 2);
  return byUser ? exact || SETTING.test(sentence) : exact && SETTING.test(sentence);
}

const STATES =
  /\b(?:is|are|uses?|using|runs?|lives?|located|stored|named|called|requires?|depends|listens?|configured|set to|supports?|deployed|hosted|written in|based on|points to|defaults? to)\b|是|叫|使用|位于|存放|依赖|基于|采用|名为|部署|运行|用的|设为|在/i;
const STATES_SETTING =
  /\b(?:uses|runs on|lives in|is (?:at|in|on|located|stored|named|called|configured|deployed|hosted|written in|based on|set to)|are (?:in|stored|located)|requires|depends on|listens on|points to|defaults? to)\b|使用|位于|存放|依赖|基于|采用|名为|部署|运行在|设为|监听|默认/i;
const SETTING =
  /\b(?:project|repo(?:sitory)?|server|database|port|path|folder|directory|config(?:uration)?|version|environment|settings?|endpoint|url|host|service|package manager|framework|time ?zone|deadline)\b|项目|仓库|服务器|数据库|端口|路径|目录|配置|版本|环境|设置|接口|服务|框架|时区|截止/i;
/** Orders and plans are no facts. */
const ASKS_FOR =
  /^(?:please|can|could|would|let'?s|let me|i'll|i will|now|next|add|fix|make|create|update|remove|change|run|write|read|check|look|show|use)\b|^(?:请|帮|让|把|给我|我来|我先|接下来)/i;

const ASKS_TO_REMEMBER = /^(?:please )?(?:remember|note)(?: that)?[:,]?\s+(?=\S)|^(?:请)?记住[:：，,]?\s*/i;

/** What somebody says about a quotation counts; what is in the quotation does not. */
const withoutQuotes = (sentence: string): string =>
  sentence.replace(/"[^"]{0,400}"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|‘[^’]{0,400}’/g, '""');

/** One line for each command and each changed file, by its last outcome; looking at things leaves none unless it failed. What was stopped says nothing. */
function runtimeEntries(calls: readonly ToolCall[], sessionId: string): readonly MemoryEntry[] {
  const entries = new Map<string, MemoryEntry>();
  for (const call of calls) {
    if (call.denied || call.stopped !== undefined || call.result === undefined || foundNothing(call)) continue;
    if (!call.failed && call.kind !== 'run' && call.kind !== 'write') continue;
    const what = shownCommand(call);
    const error = call.failed
      ? quotedLine(isDirective(call.error ?? '') ? '(an error whose text gives orders)' : (call.error ?? ''), 140)
      : '';
    const text = quotedLine(`${quotedLine(what, 140)}: ${call.failed ? `failed: ${error}` : 'ok'}`, ENTRY_CHARS);
    const key = commandKey(what);
    entries.delete(key);
    entries.set(key, { kind: 'runtime', text, sessionId, messageId: call.messageId, at: call.at });
  }
  return [...entries.values()];
}

/** What kind a statement is that somebody asked to remember; facts, when nothing in it says otherwise. */
export function kindOfStatement(text: string): SaidKind {
  const own = withoutQuotes(text);
  if (prefers(own) || STANDING.test(own) || constraintStrength(own) === 3) return 'preferences';
  return decisionStrength(own) === 2 ? 'decisions' : 'facts';
}

const distinct = (entries: readonly MemoryEntry[]): readonly MemoryEntry[] => {
  const seen = new Set<string>();
  return entries.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[\s.。!！"]+/g, '');
    return !seen.has(key) && seen.add(key);
  });
};
