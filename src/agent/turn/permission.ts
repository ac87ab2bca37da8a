import { offeredPrefixes } from '../../context/permission/prefix-rule.ts';
import { provenPaths, readPaths } from '../../context/permission/reading-programs.ts';
import { changedScripts, mayRun, type RuledCall, rulesAllow, rulesAllowIrreversible, ruleTouches } from '../../context/permission/rules.ts';
import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { Irreversible } from '../../domain/permission.ts';
import { IN_SANDBOX, type PermissionMode, type PermissionOffer, type PermissionRequest } from '../../domain/permission.ts';
import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { hookTexts } from '../hooks/hooks.ts';
import type { ToolPlan } from '../ports/tools.ts';

export type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;

export type PermissionRules = {
  readonly mode: PermissionMode;
  /** Tools that a flag allows where nobody can be asked. */
  readonly allowed: ReadonlySet<string>;
  /** What the person allowed for the rest of this session; kept in memory only, never read from a transcript. */
  readonly grants: ReadonlySet<string>;
  /** The person's own rules. */
  readonly settings: PermissionSettings;
  /** The command of the call is proven to do nothing but read what may be read without asking. */
  readonly onlyReads: boolean;
  /** False where the working folder is the person's home or above it: a yes there is about one file, not about the folder. */
  readonly trustsFolder: boolean;
  /** What of the call nobody could bring back. */
  readonly irreversible?: Irreversible | undefined;
  /** What the person's hooks decide about this call; that they forbid it is known before. */
  readonly hook?: { readonly decision: 'allow' | 'ask'; readonly reason: string | undefined };
};

/** What a person may answer beside no and once. */
export type RememberChoices = Pick<PermissionRequest, 'session' | 'isHabit'> & { readonly offers: readonly PermissionOffer[] };

export type PermissionDecision =
  | { readonly kind: 'allow' /** For the person: what nobody can bring back. */; readonly irreversible?: Bilingual }
  | /** For the model. */ { readonly kind: 'deny'; readonly why: string }
  | ({
      readonly kind: 'ask';
      readonly why?: Bilingual /** No rule and no flag answers it. */;
      readonly eachTime?: true;
      readonly irreversible?: Bilingual;
    } & RememberChoices);

/**
 * Says whether a call may run. A deny rule wins over everything: while one names a program, a command that may hide it runs by no rule, no
 * flag and no earlier answer. Looking inside the working folder and at the session's own bodies is free,
 * files that hold secrets apart; everything else asks, unless the mode, a rule, a flag or an earlier answer covers it. What can make
 * something run later, and what an ask rule or a hook names, asks each time. A hook's yes is as strong as a rule's. What cannot be undone
 * asks as well, unless the mode is bypass or a rule says that it allows that too.
 */
export function decidePermission(tool: string, plan: ReadyPlan, rules: PermissionRules): PermissionDecision {
  const call = ruledCall(tool, plan);
  const decision = decideCall(tool, { plan, call }, rules);
  const { irreversible, mode, settings } = rules;
  if (irreversible === undefined || decision.kind === 'deny') return decision;
  const { text, commands } = irreversible;
  if (rulesAllowIrreversible(settings, call, commands)) return decision.kind === 'ask' ? { ...decision, irreversible: text } : decision;
  if (decision.kind === 'allow' && mode === 'bypass') return { ...decision, irreversible: text };
  const { why, eachTime } = decision.kind === 'ask' ? decision : {};
  if (eachTime === true) return { kind: 'ask', ...(why !== undefined && { why }), eachTime, irreversible: text, offers: [] };
  return { kind: 'ask', ...(why !== undefined && { why }), irreversible: text, offers: irreversibleOffers(tool, plan) };
}

/** The same without a thought of what cannot be undone. */
function decideCall(
  tool: string,
  { plan, call }: { readonly plan: ReadyPlan; readonly call: RuledCall },
  rules: PermissionRules,
): PermissionDecision {
  const { mode, settings } = rules;
  const isRead = plan.access === 'read';
  if (settings.deny.some((rule) => ruleTouches(rule, call))) return { kind: 'deny', why: 'a deny rule of the user covers it' };
  const hookAsks = rules.hook?.decision === 'ask' ? askOnce(hookTexts.asks(rules.hook.reason)) : undefined;
  if (mode === 'bypass') return mayRun(settings.deny, call) ? HIDES_PROGRAMS : (hookAsks ?? ALLOW);
  if (!isRead && mode === 'read-only') return { kind: 'deny', why: 'the permission mode is read-only' };
  if (mode === 'plan' && (plan.access === 'write' || (plan.access === 'run' && !rules.onlyReads))) return PLAN_FIRST;
  if (settings.ask.some((rule) => ruleTouches(rule, call)))
    return askOnce({ en: 'a rule of yours says to ask', zh: '你的一条规则要求询问' });
  if (mayRun([...settings.deny, ...settings.ask], call)) return askOnce(UNCLEAR);
  if (plan.caution?.eachTime === true) return askOnce(plan.caution.why);
  if (hookAsks !== undefined) return hookAsks;
  if (rulesAllow(settings, call) || isNamed(rules.allowed, tool) || rules.grants.has(grantKey(tool, plan, rules))) return ALLOW;
  if (rules.hook?.decision === 'allow') return ALLOW;
  if (mode === 'read-only' && plan.host !== undefined)
    return { kind: 'deny', why: 'the permission mode is read-only, in which only a rule of the user opens a host' };
  if (isRead && plan.place !== 'outside' && plan.caution === undefined) return ALLOW;
  if (plan.access === 'write' && (plan.place === 'inside' || plan.place === 'temporary') && mode === 'accept-edits') return ALLOW;
  const isHeld = plan.command?.isHeld === true;
  if (isHeld && (rules.onlyReads || settings.sandboxedCommands === 'run')) return ALLOW;
  if (rules.onlyReads && settings.readOnlyCommands === 'run') return ALLOW;
  const changed = changedScripts(settings, call);
  const why = changed.length === 0 ? plan.caution?.why : changedText(changed);
  return { kind: 'ask', ...(why !== undefined && { why }), ...rememberChoices(tool, plan, rules) };
}

/** True where a call that may run would also if nothing ran unasked for staying in the sandbox: somebody means this very call. */
export const isOfPerson = (tool: string, plan: ReadyPlan, rules: PermissionRules): boolean =>
  rules.mode !== 'bypass' &&
  decidePermission(tool, plan, { ...rules, onlyReads: false, settings: { ...rules.settings, sandboxedCommands: 'ask' } }).kind === 'allow';

/** True for a command proven to do nothing but read, whatever it reads. */
export const provesOnlyReading = ({ command }: ReadyPlan): boolean =>
  command !== undefined && (command.viewed !== undefined || provenPaths(command.parsed) !== undefined);

/** True for a command proven to do nothing but read what is free to read, with no deny or ask rule about it. Never rejects. */
export async function provesReading(
  { command, cwd }: ReadyPlan,
  { deny, ask }: Pick<PermissionSettings, 'deny' | 'ask'>,
): Promise<boolean> {
  const paths = command?.viewed ?? (command === undefined ? undefined : provenPaths(command.parsed));
  const read = paths === undefined ? undefined : await command?.freeToRead(paths);
  const reads = (path: string): RuledCall => ({ tool: 'read_file', cwd, paths: [path], command: undefined });
  return read?.every((path) => ![...deny, ...ask].some((rule) => ruleTouches(rule, reads(path)))) === true;
}

/** What of a call nobody could bring back; undefined where there is nothing. Never rejects. */
export async function irreversibleOf({ command }: ReadyPlan): Promise<Irreversible | undefined> {
  if (command === undefined) return undefined;
  const { lossesOf } = await import('../../context/permission/irreversible/losses.ts');
  const losses = lossesOf(command.parsed);
  return losses.length === 0 ? undefined : command.irreversible(losses);
}

/**
 * What "yes, for this session" covers: edits inside the working folder as a whole, and all commands that stay in the sandbox, but another
 * command or path only exactly as it is, byte for byte. A host is covered for addresses without a query string, which can carry what stands in a file; with one, that address alone.
 */
export function grantKey(tool: string, plan: ReadyPlan, { trustsFolder }: Pick<PermissionRules, 'trustsFolder'>): string {
  if (plan.access === 'write' && plan.place === 'inside' && trustsFolder) return 'write inside';
  if (plan.command?.isHeld === true) return 'run inside';
  const page = plan.query === undefined ? plan.host : plan.preview;
  return JSON.stringify([tool, plan.command?.text ?? plan.path ?? page ?? plan.preview, plan.command?.needs, plan.command?.scripts]);
}

function rememberChoices(tool: string, plan: ReadyPlan, { trustsFolder, onlyReads }: PermissionRules): RememberChoices {
  const { command, path, cwd, access, place, host } = plan;
  if (host !== undefined) {
    const offers: readonly PermissionOffer[] = [{ kind: 'rule', rule: { tool, host } }];
    return plan.byRuleAlone === true ? { offers } : { session: plan.query === undefined ? 'this host' : 'exactly this', offers };
  }
  if (plan.offers !== undefined) return { session: 'exactly this', offers: plan.offers.map((rule) => ({ kind: 'rule', rule })) };
  if (command !== undefined)
    return {
      session: command.isHeld ? IN_SANDBOX : 'exactly this',
      offers: commandOffers(tool, command, { cwd, onlyReads }),
    };
  // A change outside of the working folder is looked at each time.
  if (access === 'write' && place === 'outside') return { offers: [] };
  if (access === 'write' && place === 'inside' && trustsFolder) return { session: 'all edits in the working folder', offers: [] };
  return { session: 'exactly this', offers: path === undefined ? [] : [{ kind: 'rule', rule: { tool, file: path } }] };
}

/** Exactly this command, in this folder, also when it cannot be undone. */
const irreversibleOffers = (tool: string, { command, cwd }: ReadyPlan): readonly PermissionOffer[] =>
  command === undefined ? [] : [{ kind: 'rule', rule: { tool, command: command.text, ...ruleBounds(command, cwd), irreversible: true } }];

/** The whole command as it is, and beginnings of it; only for this folder, since the same words do another thing in another. */
function commandOffers(
  tool: string,
  { text, parsed, needs, scripts }: NonNullable<ReadyPlan['command']>,
  { cwd, onlyReads }: { readonly cwd: string | undefined; readonly onlyReads: boolean },
): readonly PermissionOffer[] {
  const folder = ruleBounds({ needs, scripts }, cwd);
  // What only shortens or counts what comes through a pipe needs no rule.
  const [only, ...more] = parsed.commands.filter(({ words }) => readPaths(words)?.length !== 0);
  const prefixes =
    only !== undefined && more.length === 0 && parsed.isPlain
      ? offeredPrefixes(only, cwd).filter((prefix) => prefix !== text || !/ -/.test(text))
      : [];
  return [
    { kind: 'rule', rule: { tool, command: text, ...folder } },
    ...prefixes.map((prefix): PermissionOffer => ({ kind: 'rule', rule: { tool, prefix, ...folder } })),
    ...(onlyReads ? [{ kind: 'read_only_commands' } as const] : []),
  ];
}

const ruleBounds = (
  { needs, scripts }: Pick<NonNullable<ReadyPlan['command']>, 'needs' | 'scripts'>,
  cwd: string | undefined,
): Pick<PermissionRule, 'needs' | 'scripts' | 'folder'> => ({
  ...(needs === undefined ? {} : { needs }),
  ...(scripts === undefined ? {} : { scripts }),
  ...(cwd === undefined ? {} : { folder: cwd }),
});

const ruledCall = (tool: string, { cwd, path, given, aliases = [], command, host }: ReadyPlan): RuledCall => ({
  ...{ tool, cwd, command, host },
  paths: [path, given, ...aliases].filter((each) => each !== undefined),
});

/** A flag names tools of MCP servers also by a beginning: mcp__files__*. */
const isNamed = (allowed: ReadonlySet<string>, tool: string): boolean =>
  allowed.has(tool) || [...allowed].some((name) => name.startsWith(MCP_PREFIX) && matchesGlob(name, tool));

const askOnce = (why: Bilingual): PermissionDecision => ({ kind: 'ask', why, eachTime: true, offers: [] });

const changedText = (paths: readonly string[]): Bilingual => ({
  en: `changed since you allowed it: ${paths.join(', ')}`,
  zh: `在你允许之后已更改：${paths.join('、')}`,
});

const UNCLEAR: Bilingual = {
  en: 'what it runs cannot be told beforehand, and a rule of yours names a program',
  zh: '无法事先判断它会运行什么，而你的一条规则指名了某个程序',
};
const PLAN_FIRST: PermissionDecision = {
  kind: 'deny',
  why: 'the permission mode is plan, in which only what is proven to read runs until the user has accepted your plan',
};
const ALLOW: PermissionDecision = { kind: 'allow' };
const HIDES_PROGRAMS: PermissionDecision = {
  kind: 'deny',
  why: 'what it runs cannot be told beforehand, and a deny rule of the user names a program',
};
