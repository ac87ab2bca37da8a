import type { PermissionOffer } from '../../domain/permission.ts';
import type { AgentDeps } from '../deps.ts';
import type { Permissions } from '../ports/tools.ts';
import { errorMessage, type Session } from '../session/session.ts';
import { decidePermission, grantKey, provesReading, type ReadyPlan } from './permission.ts';

/** What the model is told when a call is not allowed; undefined when it is. */
export async function permissionRefusal(
  tool: string,
  plan: ReadyPlan,
  session: Session,
  { person, report }: Pick<AgentDeps, 'person' | 'report'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { mode, allowed, permissions, trustsFolder, askPermission } = person;
  const settings = permissions.current();
  const limits = { trustsFolder, onlyReads: await provesReading(plan, settings) };
  const rules = { mode, allowed, grants: session.grants, settings, ...limits };
  const decision = decidePermission(tool, plan, rules);
  if (decision.kind === 'allow') return undefined;
  if (decision.kind === 'deny') return `Not allowed: ${decision.why}. Do not try it another way; tell the user.`;
  const { access, title, preview } = plan;
  const { why, session: lasting, offers } = decision;
  const answer = await askPermission(
    {
      ...{ tool, access, title, preview, outside: plan.place === 'outside', offers },
      ...(why === undefined ? {} : { caution: why }),
      ...(lasting === undefined ? {} : { session: lasting }),
    },
    signal,
  );
  if (answer === 'nobody') return nobodyToAsk(tool, plan, why);
  if (answer === 'no') return 'Not allowed: the user said no. Do not try it another way; ask what to do instead.';
  if (answer === 'session' && lasting !== undefined) session.grants.add(grantKey(tool, plan, rules));
  if (typeof answer === 'object') keepAnswer(answer, permissions, report);
  return undefined;
}

function nobodyToAsk(tool: string, plan: ReadyPlan, why: string | undefined): string {
  const reason = why ?? (plan.place === 'outside' ? 'it is outside the working folder' : undefined);
  const wayOut = plan.caution?.eachTime === true ? 'no rule or flag covers it' : `--allow ${tool} allows it`;
  return `Not allowed: it needs a person's yes${reason === undefined ? '' : ` (${reason})`}, and there is nobody to ask (${wayOut}). Do not try it another way; say what you would need.`;
}

/** The yes holds for this call also when the disk does not take it for later ones. */
function keepAnswer(offer: PermissionOffer, { keep }: Permissions, { emit }: AgentDeps['report']): void {
  try {
    keep(offer);
  } catch (error) {
    emit({ type: 'warning', message: `Allowed this once, since it could not be saved: ${errorMessage(error)}` });
  }
}
