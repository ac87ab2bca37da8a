import type { RecallKind } from '../../domain/recall.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import { isToolResult, isToolUse, type Message, resultText, type ToolUseBlock, textOf } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { errorLine, isFailure } from '../ledger/error-line.ts';
import { mayState, statesChoice } from '../sentence/judge.ts';
import { sentencesOf } from '../text/sentences.ts';

/** The tool whose own calls and results are not searched: they only repeat what was found. */
export const RECALL_TOOL = 'recall';

const kinds: Readonly<Partial<Record<Message['origin'], RecallKind>>> = { user: 'user', model: 'assistant', summary: 'summary' };

export function messageDocument(message: Message): { readonly kind: RecallKind; readonly text: string } | undefined {
  const text = textOf(message.content);
  return text.trim() === '' ? undefined : { kind: kinds[message.origin] ?? 'notice', text };
}

export function decisionAt(text: string): number | undefined {
  const start = text.slice(0, MAX_DECISION_TEXT);
  // Most texts have none of the words of a decision, and need not be cut into sentences.
  const sentence = mayState(start) ? sentencesOf(start).find((each) => mayState(each) && statesChoice(each)) : undefined;
  return sentence === undefined ? undefined : Math.max(0, text.indexOf(sentence.slice(0, ANCHOR_CHARS)));
}

/** Returns where in the text of a failed call its error stands; undefined when that is not one line. */
export function errorAt({ text, lead }: { readonly text: string; readonly lead: string }): number | undefined {
  const [line = ''] = errorLine(text.slice(lead.length)).split(' | ');
  const at = line === '' ? -1 : text.indexOf(line.slice(0, ANCHOR_CHARS), lead.length);
  return at < 0 ? undefined : at;
}

const MAX_DECISION_TEXT = 20_000;
const ANCHOR_CHARS = 24;

const OPENING_CHARS = 600;

export function callText(call: Pick<ToolUseBlock, 'name' | 'input'>, result: CallResult | undefined) {
  const invocation = invocationText(call);
  return {
    text: result === undefined ? invocation : `${invocation}\n\n${result.text}`,
    /** The beginning of the call, by which every part of a long text is found too. */
    lead: invocation.slice(0, OPENING_CHARS),
    failed: result !== undefined && isFailure(result.text, { isError: result.isError, command: commandIn(call.input) }),
  };
}

export type CallResult = { readonly text: string; readonly isError: boolean };

export function searchableTexts(messages: readonly Message[]): ReadonlySet<string> {
  const blocks = messages.flatMap(({ content }) => content);
  const results = new Map<string, CallResult>();
  for (const block of blocks)
    if (isToolResult(block)) results.set(block.tool_use_id, { text: resultText(block), isError: block.is_error === true });
  const calls = blocks.filter(isToolUse).map(calledTool);
  return new Set([
    ...messages.flatMap((message) => messageDocument(message)?.text ?? []),
    ...calls.map((call) => callText(call, results.get(call.id)).text),
  ]);
}

/** Returns the tool's name, then a string input as it is, or any other input with one line per argument; strings verbatim. */
function invocationText({ name, input }: Pick<ToolUseBlock, 'name' | 'input'>): string {
  if (typeof input === 'string') return `${name}\n${input}`;
  if (typeof input !== 'object' || input === null) return name;
  const lines = Object.entries(input).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`);
  return [name, ...lines].join('\n');
}

/** Only the result of a command ends with an exit status that says whether it failed. */
function commandIn(input: unknown): string | undefined {
  const { command, cmd, script } = isObject(input) ? input : {};
  const called = command ?? cmd ?? script;
  return Array.isArray(called) ? called.join(' ') : isString(called) ? called : undefined;
}
