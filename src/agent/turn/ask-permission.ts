import { type Bilingual, because, joinTexts } from '../../domain/language.ts';
import type { PermissionOffer, PermissionRequest } from '../../domain/permission.ts';
import { type AgentDeps, orWarn, warn } from '../deps.ts';
import { hookTexts, notify } from '../hooks/hooks.ts';
import type { HookedCall } from '../hooks/tool-hooks.ts';
import type { Permissions } from '../ports/tools.ts';
import type { Session } from '../session/session.ts';
import {
  decidePermission,
  grantKey,
  irreversibleOf,
  isOfPerson,
  type PermissionDecision,
  type PermissionRules,
  provesReading,
  type ReadyPlan,
} from './permission.ts';

/** What the model is told when a call is not allowed, and the short line for a person; undefined when it is allowed. */
export async function permissionRefusal(
  tool: string,
  {
    plan,
    onYes,
    ...hooked
  }: Pick<HookedCall, 'plan' | 'isChanged' | 'decision' | 'reason'> & {
    /** A person, or a rule or flag of theirs, allows this very call, and not all that stay in the sandbox. */
    readonly onYes?: () => void;
  } & Pick<PermissionRequest, 'toolUseId'>,
  session: Session,
  deps: Pick<AgentDeps, 'person' | 'report'>,
  signal: AbortSignal,
): Promise<HookedCall['refusal']> {
  const { mode, allowed, permissions, trustsFolder } = deps.person;
  const onlyReads = await provesReading(plan, permissions.current());
  const hook = hooked.decision === undefined ? {} : { hook: { decision: hooked.decision, reason: hooked.reason } };
  const facts = { mode, allowed, trustsFolder, onlyReads, ...hook };
  const current = (): PermissionRules => ({ ...facts, grants: session.consent.grants, settings: permissions.current() });
  const first = decidePermission(tool, plan, current());
  if (first.kind === 'deny') return refused(first.why);
  const irreversible = onlyReads ? undefined : await irreversibleOf(plan);
  const rules = (): PermissionRules => ({ ...current(), irreversible });
  const decision = decidePermission(tool, plan, rules());
  if (decision.kind === 'allow') {
    if (isOfPerson(tool, plan, rules())) onYes?.();
    if (decision.irreversible !== undefined) warn(deps.report.emit, cannotBeUndone(decision.irreversible));
    return undefined;
  }
  if (decision.kind === 'deny') return refused(decision.why);
  return session.consent.inTurn(async () => {
    // The answer to another question may have been one to this.
    const now = decidePermission(tool, plan, rules());
    if (now.kind === 'deny') return refused(now.why);
    if (now.kind === 'ask' || isOfPerson(tool, plan, rules())) onYes?.();
    if (now.kind === 'allow') return undefined;
    const key = grantKey(tool, plan, rules());
    const { isChanged, toolUseId } = hooked;
    return ask({ tool, toolUseId, plan, isChanged, decision: withHabit(now, session), session, key }, deps, signal);
  }, signal);
}

type Question = Pick<HookedCall, 'plan' | 'isChanged'> & {
  readonly tool: string;
  readonly toolUseId: string | undefined;
  readonly decision: Extract<PermissionDecision, { kind: 'ask' }>;
  readonly session: Pick<Session, 'consent'>;
  /** What a yes for the rest of the session is remembered by. */
  readonly key: string;
};

/** So many yeses to commands that begin alike, and the rule for the beginning is offered first. */
const HABIT = 3;

/** The decision with the rule in front that would have answered what was asked before. */
function withHabit(decision: Question['decision'], { consent }: Question['session']): Question['decision'] {
  const habit = decision.offers.find((offer) => (consent.beginnings.get(beginningOf(offer) ?? '') ?? 0) >= HABIT);
  if (habit === undefined) return decision;
  return { ...decision, offers: [habit, ...decision.offers.filter((offer) => offer !== habit)], isHabit: true };
}

const beginningOf = (offer: PermissionOffer): string | undefined => (offer.kind === 'rule' ? offer.rule.prefix : undefined);

async function ask(
  { tool, toolUseId, plan, isChanged, decision, session, key }: Question,
  { person, report }: Pick<AgentDeps, 'person' | 'report'>,
  signal: AbortSignal,
): Promise<HookedCall['refusal']> {
  const { access, title, preview, byRuleAlone = false } = plan;
  const { why, irreversible, session: lasting, offers, isHabit } = decision;
  const cautions = [why, isChanged ? hookTexts.changed : undefined].filter((each) => each !== undefined);
  notify({ type: 'permission_prompt', title: 'Permission needed', message: hookTexts.asking(tool) }, person, signal);
  const answer = await person.askPermission(
    {
      ...{ tool, access, title, preview, outside: isOutside(plan), offers },
      ...(toolUseId !== undefined && { toolUseId }),
      ...(byRuleAlone && { byRuleAlone }),
      ...(isHabit === true && { isHabit }),
      ...(irreversible === undefined ? {} : { irreversible }),
      ...(cautions.length === 0 ? {} : { caution: joinTexts(cautions, { en: '; ', zh: '；' }) }),
      ...(lasting === undefined ? {} : { session: lasting }),
    },
    signal,
  );
  if (answer === 'nobody') {
    if (irreversible !== undefined) warn(report.emit, notRunText(irreversible, decision));
    return denied(nobodyToAsk(tool, plan, decision));
  }
  if (answer === 'no') return denied('Not allowed: the user said no. Do not try it another way; ask what to do instead.');
  if (typeof answer === 'object' && answer.kind === 'refusal')
    return {
      ...denied(`Not allowed: the user said no, and says: ${answer.why}\nDo as they say; do not try the same call another way.`),
      note: { en: `denied: ${answer.why}`, zh: `已拒绝：${answer.why}` },
      said: answer.why,
    };
  for (const beginning of offers.map(beginningOf))
    if (beginning !== undefined) session.consent.beginnings.set(beginning, (session.consent.beginnings.get(beginning) ?? 0) + 1);
  if (answer === 'session' && lasting !== undefined) session.consent.grants.add(key);
  if (typeof answer === 'object') keepAnswer(answer, person.permissions, report);
  return undefined;
}

const refused = (why: string): HookedCall['refusal'] => denied(`Not allowed: ${why}. Do not try it another way; tell the user.`);

const denied = (content: string): NonNullable<HookedCall['refusal']> => ({ content, note: { en: 'denied', zh: '已拒绝' } });

/** A page of the web is in no folder. */
const isOutside = ({ place, host }: ReadyPlan): boolean => place === 'outside' && host === undefined;

function nobodyToAsk(tool: string, plan: ReadyPlan, { why, eachTime, irreversible, offers }: Question['decision']): string {
  const reasons = [
    why?.en ?? (isOutside(plan) ? 'it is outside the working folder' : undefined),
    irreversible && `it cannot be undone: ${irreversible.en}`,
  ];
  const reason = reasons.filter((each) => each !== undefined).join('; ');
  const rule = irreversible && ruleToAdd(offers);
  const wayOut =
    plan.byRuleAlone === true
      ? 'only an allow rule of the user that names the host opens it'
      : eachTime === true
        ? 'no rule or flag covers it'
        : rule !== undefined
          ? `this rule in permissions.allow of the user's settings allows it: ${rule}`
          : `--allow ${tool} allows it`;
  return `Not allowed: it needs a person's yes${reason === '' ? '' : ` (${reason})`}, and there is nobody to ask (${wayOut}). Do not try it another way; say what you would need.`;
}

/** The rule as a person would write it: without the digests of scripts, which only a program can write. */
function ruleToAdd(offers: readonly PermissionOffer[]): string | undefined {
  const [offer] = offers;
  if (offer?.kind !== 'rule') return undefined;
  const { scripts: _, ...rule } = offer.rule;
  return JSON.stringify(rule);
}

const cannotBeUndone = (what: Bilingual): Bilingual => because({ en: 'Cannot be undone', zh: '无法撤销' }, what);

function notRunText(what: Bilingual, { offers }: Question['decision']): Bilingual {
  const rule = ruleToAdd(offers);
  const notRun = because({ en: 'Not run, since it cannot be undone', zh: '未运行，因为无法撤销' }, what);
  if (rule === undefined) return notRun;
  return {
    en: `${notRun.en}. This rule in permissions.allow allows it: ${rule}`,
    zh: `${notRun.zh}。permissions.allow 中的这条规则可允许它：${rule}`,
  };
}

/** The yes holds for this call also when the disk does not take it for later ones. */
const keepAnswer = (offer: PermissionOffer, { keep }: Permissions, { emit }: AgentDeps['report']): void =>
  orWarn(emit, { en: 'Allowed this once, since it could not be saved', zh: '无法保存，仅允许这一次' }, () => keep(offer));
