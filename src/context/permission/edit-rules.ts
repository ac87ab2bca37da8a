import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type NumberedRule, type PermissionOffer, type RuleKind, ruleKinds } from '../../domain/permission.ts';
import { isTooBroad, prefixWords } from './prefix-rule.ts';

/** Deny rules first, as they are judged. */
export const numberedRules = (settings: PermissionSettings): readonly NumberedRule[] =>
  [...ruleKinds]
    .reverse()
    .flatMap((kind) => settings[kind].map((rule) => ({ kind, rule })))
    .map((each, i) => ({ number: i + 1, ...each }));

/** The settings with one more rule, in the place of one that is the same but for what scripts and repository were then; as they are when it is there already. */
export function withRule(settings: PermissionSettings, kind: RuleKind, rule: PermissionRule): PermissionSettings {
  const rules = settings[kind];
  const at = rules.findIndex((each) => isSame(each, rule));
  if (at === -1) return { ...settings, [kind]: [...rules, rule] };
  const bounds = (each: PermissionRule | undefined): string => JSON.stringify([each?.scripts, each?.repository]);
  return bounds(rules[at]) === bounds(rule) ? settings : { ...settings, [kind]: rules.with(at, rule) };
}

export function withoutRule(settings: PermissionSettings, number: number): PermissionSettings | undefined {
  const found = numberedRules(settings)[number - 1];
  return found && { ...settings, [found.kind]: settings[found.kind].filter((rule) => rule !== found.rule) };
}

export const withOffer = (settings: PermissionSettings, offer: PermissionOffer): PermissionSettings =>
  offer.kind === 'rule' ? withRule(settings, 'allow', offer.rule) : { ...settings, readOnlyCommands: 'run' };

/** A rule from what a person types: for commands the text, with ` *` at its end a beginning; for other tools a path. */
export function ruleOf(tool: string, pattern: string): PermissionRule {
  if (pattern === '') return { tool };
  if (tool === 'fetch_url') return { tool, host: pattern };
  if (tool !== 'run_command') return { tool, path: pattern };
  return pattern.endsWith(' *') ? { tool, prefix: pattern.slice(0, -2).trim() } : { tool, command: pattern };
}

/** Why a rule would never allow anything; undefined when it may. */
export function uselessReason(kind: RuleKind, { tool, command, prefix, file, path, host }: PermissionRule): Bilingual | undefined {
  if (kind !== 'allow') return undefined;
  if (prefix !== undefined && isTooBroad(prefixWords(prefix)))
    return { en: `"${prefix}" alone says nothing of what would run`, zh: `仅凭“${prefix}”看不出会运行什么` };
  if (!BUILT_IN.has(tool) || [command, prefix, file, path, host].some((each) => each !== undefined)) return undefined;
  const what = needs[tool] ?? { en: 'path', zh: '路径' };
  return { en: `${tool} needs a ${what.en}`, zh: `${tool} 需要指定${what.zh}` };
}

const needs: Readonly<Record<string, Bilingual>> = { run_command: { en: 'command', zh: '命令' }, fetch_url: { en: 'host', zh: '主机' } };

const BUILT_IN: ReadonlySet<string> = new Set('* run_command read_file write_file edit_file list_files search fetch_url'.split(' '));

const isSame = (a: PermissionRule, b: PermissionRule): boolean => identity(a) === identity(b);
const identity = ({ scripts: _, repository: _repository, ...rule }: PermissionRule): string =>
  JSON.stringify(Object.fromEntries(Object.entries(rule).sort()));
