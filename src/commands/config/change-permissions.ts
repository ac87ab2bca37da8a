import { numberedRules, ruleOf, uselessReason, withoutRule, withRule } from '../../context/permission/edit-rules.ts';
import type { PermissionRule } from '../../domain/config/permission-rule.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type NumberedRule, type RuleKind, toolNames } from '../../domain/permission.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import type { PermissionBook } from '../../runtime/conversation/permissions.ts';

/** Writes one more rule into the person's settings. Throws usage for one that could never do anything. */
export function addRule(
  { change }: PermissionBook,
  kind: RuleKind,
  { tool, pattern, folder }: { readonly tool: string; readonly pattern: string; readonly folder?: string },
): PermissionRule {
  const known = toolNames.includes(tool) || tool.includes('*') ? undefined : nearest(tool, toolNames);
  if (known !== undefined) throw new SanbotError('usage', `There is no tool ${inspectText(tool)}. Did you mean ${known}?`);
  const rule = { ...ruleOf(tool, pattern), ...(folder === undefined ? {} : { folder }) };
  const why = uselessReason(kind, rule);
  if (why !== undefined)
    throw new SanbotError('usage', `This rule would allow nothing: ${why}`, { hint: 'docs/settings.md says what rules cover.' });
  change((settings) => withRule(settings, kind, rule));
  return rule;
}

/** Takes a rule out of the person's settings. Throws not_found when there is none of that number. */
export function removeRule({ change, written }: PermissionBook, number: number): NumberedRule {
  const rule = numberedRules(written())[number - 1];
  if (rule === undefined)
    throw new SanbotError('not_found', `There is no rule ${number}`, { hint: 'sanbot permissions lists them with their numbers.' });
  change((settings) => {
    const again = numberedRules(settings).find(
      ({ kind, rule: each }) => kind === rule.kind && JSON.stringify(each) === JSON.stringify(rule.rule),
    );
    return (again && withoutRule(settings, again.number)) ?? settings;
  });
  return rule;
}
