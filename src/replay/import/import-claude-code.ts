import { collectSteps, type StepCollector } from './collect-steps.ts';
import { isJsonObject, type JsonObject, linesOf, objectAt, type Recording, stringAt, tryParseJson } from './json.ts';
import { anthropicReply, anthropicUser } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/**
 * Imports Claude Code's session log, in which a reply is spread over lines with one message id. Leaves out its own summaries (the messages
 * they replace are all there), side conversations of sub-agents, and lines about the program itself.
 */
export function importClaudeCode(recording: Recording): readonly Transcript[] {
  const collector = collectSteps();
  for (const { number, text: line } of linesOf(recording)) {
    const entry = tryParseJson(line);
    if (!isJsonObject(entry)) collector.damage(`line ${number} is no JSON object`);
    else takeEntry(entry, collector);
  }
  return [collector.finish('claude-code')];
}

function takeEntry(entry: JsonObject, collector: StepCollector): void {
  const type = stringAt(entry, 'type');
  if (type !== 'user' && type !== 'assistant') {
    collector.leaveOut([type || 'unknown', stringAt(entry, 'subtype')].join(' ').trim());
    return;
  }
  if (entry.isSidechain === true) {
    collector.leaveOut('side conversation');
    return;
  }
  if (entry.isCompactSummary === true) {
    collector.leaveOut('summary by Claude Code');
    return;
  }
  if (entry.isApiErrorMessage === true) {
    collector.leaveOut('error message');
    return;
  }
  collector.cwd(stringAt(entry, 'cwd'));
  const message = objectAt(entry, 'message');
  if (type === 'assistant') {
    if (stringAt(message, 'model') === '<synthetic>') {
      collector.leaveOut('synthetic reply');
      return;
    }
    collector.reply(anthropicReply(message.content, collector), stringAt(message, 'id') || stringAt(entry, 'uuid'));
    return;
  }
  anthropicUser(message.content, collector, (text) => {
    const isTyped = entry.isMeta !== true && !NOT_TYPED.test(text);
    (isTyped ? collector.user : collector.notice)(text);
  });
}

/** What the program itself adds to the user's messages: local commands and their output, skills, interruptions. */
const NOT_TYPED =
  /^\s*(?:<(?:command-|local-command-|bash-|system-reminder|task-notification)|Base directory for this skill|\[Request interrupted|Caveat: The messages below)/;
