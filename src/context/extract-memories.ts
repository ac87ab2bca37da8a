import type { MemoryEntry, MemoryKind } from '../domain/memory.ts';
import { isToolResult, type Message, resultText } from '../domain/message.ts';
import { decisionStrength, isQuestion, prefers } from './cues.ts';
import { identifiersIn } from './identifiers.ts';
import { commandKey, shownCommand } from './outcomes.ts';
import { quotedLine } from './quote.ts';
import { saidIn } from './said.ts';
import { looksPrinted, sentencesOf } from './sentences.ts';
import { type ToolCall, toolCalls } from './tool-calls.ts';

const ENTRY_CHARS = 300;
/** What one run may add of each kind; the later ones stay, since they know what became of the earlier. */
const MOST_OF_A_KIND = 40;
const SHORTEST = 8;

/**
 * What is worth keeping beyond the session, by rule: decisions, facts and preferences from what the user and the model said in
 * their own words, runtime from what was run. What tools printed reaches runtime alone, as an error's line, and a sentence that the
 * model only repeats from a result is nobody's decision. Each entry is one line of at most 300 characters, each once, without secrets.
 */
export function extractMemories(messages: readonly Message[], { sessionId }: { readonly sessionId: string }): readonly MemoryEntry[] {
  const printed = messages.flatMap(printedIn);
  const said = messages.flatMap((message) => saidEntries(message, printed).map((found) => ({ ...found, message })));
  const entries = said.map(({ kind, text, message }): MemoryEntry => ({ kind, text, sessionId, messageId: message.id, at: message.at }));
  const run = runtimeEntries(toolCalls(messages, () => undefined), sessionId);
  return (['decisions', 'facts', 'preferences', 'runtime'] as const).flatMap((kind) =>
    distinct([...entries, ...run].filter((entry) => entry.kind === kind)).slice(-MOST_OF_A_KIND),
  );
}

type Found = { readonly kind: MemoryKind; readonly text: string };

function saidEntries(message: Message, printed: readonly string[]): readonly Found[] {
  const byUser = message.origin === 'user';
  return sentencesOf(saidIn(message)).flatMap((sentence): readonly Found[] => {
    if (sentence.length < SHORTEST && !/[\u4e00-\u9fff]{4}/.test(sentence)) return [];
    if (sentence.length > ENTRY_CHARS * 2 || isQuestion(sentence) || looksPrinted(sentence)) return [];
    const own = withoutQuotes(sentence);
    const kinds = kindsOf(own, byUser);
    if (kinds.length === 0 || (!byUser && printed.some((text) => text.includes(sentence)))) return [];
    const text = quotedLine(sentence, ENTRY_CHARS);
    return kinds.map((kind) => ({ kind, text }));
  });
}

function kindsOf(own: string, byUser: boolean): readonly MemoryKind[] {
  const kinds: MemoryKind[] = [];
  if (decisionStrength(own) === 2) kinds.push('decisions');
  if (byUser && (prefers(own) || STANDING.test(own))) kinds.push('preferences');
  if (states(own, byUser)) kinds.push('facts');
  return kinds;
}

/** A rule of the user for every time, not for this once. */
const STANDING = /\b(?:always|never|from now on|in (?:the )?future|every time|by default|as a rule)\b|以后|今后|始终|永远|一律|每次|默认|总是|从不/i;

/** Says where something is, what it is called, what it runs on or how it is set. */
function states(sentence: string, byUser: boolean): boolean {
  if (!STATES.test(sentence) || ASKS_FOR.test(sentence)) return false;
  const named = identifiersIn(sentence).some(([, weight]) => weight >= (byUser ? 1 : 2));
  return (named || NAMED.test(sentence)) && (byUser || ABOUT_PROJECT.test(sentence));
}

const STATES =
  /\b(?:is|are|was|were|uses?|using|runs?|lives?|located|stored|named|called|requires?|depends|listens?|configured|set to|supports?|has|have|deployed|hosted|written in|based on|points to|defaults? to|means)\b|是|在|叫|用|使用|位于|路径|配置|端口|版本|运行|部署|存放|依赖|基于|采用|项目名|名为/i;
const NAMED = /\b(?:project|repo(?:sitory)?|branch|server|database|port|path|folder|directory|config(?:uration)?|version|environment|setting|endpoint)\b|项目|仓库|分支|服务器|数据库|端口|路径|目录|配置|版本|环境|设置|接口/i;
const ABOUT_PROJECT =
  /\b(?:project|repo(?:sitory)?|branch|server|database|port|config(?:uration)?|version|environment|setting|endpoint|file|test suite|package|module|service|api|default)\b|项目|仓库|分支|服务器|数据库|端口|配置|版本|环境|设置|接口|文件|模块|服务|默认/i;
/** Orders and plans are no facts. */
const ASKS_FOR = /^(?:please|can|could|would|let'?s|let me|i'll|i will|now|next|add|fix|make|create|update|remove|change|run|write|read|check|look|show|use)\b|^(?:请|帮|让|把|给我|我来|我先|接下来)/i;

/** What somebody says about a quotation counts; what is in the quotation does not. */
const withoutQuotes = (sentence: string): string => sentence.replace(/"[^"]{0,400}"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|‘[^’]{0,400}’/g, '""');

const PRINTED_CHARS = 400_000;

/** The texts of a message's results, each with its white space as in a sentence of ours. */
const printedIn = (message: Message): readonly string[] =>
  message.content.filter(isToolResult).map((block) => resultText(block).slice(0, PRINTED_CHARS).replace(/\s+/g, ' '));

/** One line for each command and each changed file, by its last outcome; looking at things leaves none unless it failed. */
function runtimeEntries(calls: readonly ToolCall[], sessionId: string): readonly MemoryEntry[] {
  const entries = new Map<string, MemoryEntry>();
  for (const call of calls) {
    if (call.denied || call.result === undefined || (!call.failed && call.kind !== 'run' && call.kind !== 'write')) continue;
    const what = shownCommand(call);
    const error = call.failed ? quotedLine(call.error ?? '', 140) : '';
    const text = quotedLine(`${quotedLine(what, 140)}: ${call.failed ? `failed: ${error}` : 'ok'}`, ENTRY_CHARS);
    const key = commandKey(what);
    entries.delete(key);
    entries.set(key, { kind: 'runtime', text, sessionId, messageId: call.messageId, at: call.at });
  }
  return [...entries.values()];
}

const distinct = (entries: readonly MemoryEntry[]): readonly MemoryEntry[] => {
  const seen = new Set<string>();
  return entries.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[\s.。!！"]+/g, '');
    return !seen.has(key) && seen.add(key);
  });
};
