import type { PlanAnswer, PlanQuestion } from '../../agent/ports/tools.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import type { Screen } from '../screen/screen.ts';
import type { EditResult } from '../slash/command.ts';
import { safeLine } from '../text/safe-text.ts';
import { NO, type TypableChoice, YES } from './questions.ts';

/** `why` asks for the words of a no, which a dialog in lines has at once. */
export type PlanChoice = PermissionMode | 'edit' | 'no' | 'why' | { readonly why: string };

export type PlanDialog = {
  /** A plan as a reply is shown, in Markdown. */
  readonly show: (plan: string) => void;
  readonly tell: (line: string) => void;
  readonly choose: (question: string, choices: readonly TypableChoice<PlanChoice>[]) => Promise<PlanChoice>;
  /** Undefined where it was left. */
  readonly type: (question: string) => Promise<string | undefined>;
  readonly edit: (plan: string) => Promise<EditResult>;
};

/** What a dialog shows goes to the screen as a reply does. */
export const planShownOn = ({
  block,
  reply,
  settle,
  line,
}: Pick<Screen, 'block' | 'reply' | 'settle' | 'line'>): Pick<PlanDialog, 'show' | 'tell'> => ({
  show: (plan) => {
    // So that it stands apart from what the model said before.
    block('');
    reply(plan);
    settle();
  },
  tell: (text) => line(text, 'notice'),
});

/** Shows a plan and asks until the person accepts it, as often as they change it in their editor, or says no. */
export async function askToAccept({ plan, modes, problem }: PlanQuestion, dialog: PlanDialog): Promise<PlanAnswer> {
  let text = plan;
  dialog.show(text);
  for (;;) {
    const choice = await dialog.choose(localize({ en: 'Go on with this plan?', zh: '按此计划继续吗？' }), planChoices(modes));
    if (choice === 'no') return { kind: 'refused' };
    if (typeof choice === 'object') return { kind: 'refused', ...choice };
    if (choice === 'why') {
      const why = (await dialog.type(localize({ en: 'No. What should be different?', zh: '否。应该怎样改？' })))?.trim() ?? '';
      return { kind: 'refused', ...(why !== '' && { why }) };
    }
    if (choice !== 'edit') return { kind: 'accepted', plan: text, mode: choice };
    const edited = await dialog.edit(text);
    const why = edited.kind === 'failed' ? safeLine(edited.why) : refusalOf(edited.text, problem);
    if (edited.kind === 'edited' && why === undefined) {
      text = edited.text.trim();
      dialog.show(text);
    } else dialog.tell(`${why}${localize({ en: ' The plan is unchanged.', zh: '计划未改变。' })}`);
  }
}

function refusalOf(text: string, problem: PlanQuestion['problem']): string | undefined {
  const why = text.trim() === '' ? { en: 'the plan is empty', zh: '计划为空' } : problem(text);
  return why && localize({ en: `${why.en[0]?.toUpperCase()}${why.en.slice(1)}.`, zh: `${why.zh}。` });
}

/** The numbers of every question: 1 yes, 2 a yes that covers more, 3 no, 4 no with words. */
function planChoices(modes: readonly PermissionMode[]): readonly TypableChoice<PlanChoice>[] {
  const words = ['a', 'always', '2'];
  return [
    { name: localize({ en: '1 Yes, and ask before changes', zh: '1 是，更改前询问' }), value: 'ask', words: [...YES, '1'] },
    ...(modes.includes('accept-edits') ? [{ name: localize(EDITS), value: 'accept-edits', words } as const] : []),
    { name: localize({ en: '3 No', zh: '3 否' }), value: 'no', words: [...NO, '3'] },
    { name: localize({ en: '4 No, because…', zh: '4 否，因为…' }), value: 'why', words: ['w', '4'] },
    { name: localize({ en: '5 Change it in the editor first', zh: '5 先在编辑器中修改' }), value: 'edit', words: ['e', '5'] },
  ];
}

const EDITS: Bilingual = { en: '2 Yes, and make edits without asking', zh: '2 是，编辑时不再询问' };
