import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { groupBy } from '../../domain/lists.ts';

/** A file by the name that a person is shown, and why it runs later, or why it could not be put back. */
type Named = { readonly name: string; readonly why: Bilingual };

/** `isBack`: it was deleted, and stands there again. */
type LeftName = Named & { readonly isBack: boolean };

export type LeftOutNames = { readonly files: readonly LeftName[]; readonly problems: readonly Named[]; readonly restore: string };

const MOST_NAMES = 8;

function listOf(all: readonly Named[]): Bilingual {
  const groups = [...groupBy(all, ({ why }) => why.en).values()];
  const most = Math.max(1, Math.floor(MOST_NAMES / groups.length));
  const shown = groups.slice(0, MOST_NAMES).map((group) => groupText(group, most));
  const rest = groups.slice(MOST_NAMES).flat().length;
  const list = joinTexts(shown, { en: ', ', zh: '、' });
  return rest > 0 ? { en: `${list.en} and ${rest} more`, zh: `${list.zh}以及另外 ${rest} 个文件` } : list;
}

function groupText(group: readonly Named[], most: number): Bilingual {
  const [names, rest] = [group.slice(0, most).map(({ name }) => name), group.length - most];
  const { en = '', zh = '' } = group[0]?.why ?? {};
  return {
    en: `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''} (${en})`,
    zh: `${names.join('、')}${rest > 0 ? ` 等 ${group.length} 个文件` : ''}（${zh}）`,
  };
}

function bothOf(files: readonly LeftName[], left: Bilingual, back: Bilingual): Bilingual {
  const part = (isBack: boolean, { en, zh }: Bilingual): readonly Bilingual[] => {
    const named = files.filter((each) => each.isBack === isBack);
    const list = listOf(named);
    return named.length === 0 ? [] : [{ en: `${en}${list.en}.`, zh: `${zh}${list.zh}。` }];
  };
  return joinTexts([...part(false, left), ...part(true, back)], { en: ' ', zh: '' });
}

export const keepQuestion = ({ files }: Pick<LeftOutNames, 'files'>): Bilingual =>
  bothOf(files, { en: 'This command left ', zh: '此命令留下了 ' }, { en: 'This command deleted ', zh: '此命令删除了 ' });

export function leftOutWarning({ files, problems, restore }: LeftOutNames): Bilingual {
  const parts: Bilingual[] = [];
  const done = bothOf(
    files,
    { en: 'Left out, since it runs by itself later: ', zh: '未保留，因为之后会自动运行：' },
    { en: 'Put back after it was deleted, since it runs by itself: ', zh: '删除后已放回，因为它会自动运行：' },
  );
  if (files.length > 0) parts.push({ en: `${done.en} To have it: ${restore}`, zh: `${done.zh}如需保留：${restore}` });
  if (problems.length > 0) parts.push(problemsText(problems));
  return joinTexts(parts, { en: '\n', zh: '\n' });
}

export function problemsText(problems: readonly Named[]): Bilingual {
  const { en, zh } = listOf(problems);
  return { en: `Left by a command, it runs by itself later, and is still there: ${en}`, zh: `由命令留下、之后会自动运行且仍在原处：${zh}` };
}

/** How it went on with what was left out: the person was asked, or nobody could be. */
export type LeftOutAnswer = 'kept' | 'no' | 'nobody' | 'unasked';

export function leftOutText({ files, problems, restore }: LeftOutNames, answer: LeftOutAnswer, said?: string): string {
  const lines: string[] = [];
  if (files.length > 0 && answer === 'kept') lines.push(`[runs by itself later, and the user said yes to it: ${listOf(files).en}]`);
  else if (files.length > 0) {
    const { en } = bothOf(files, NOT_THERE, THERE_AGAIN);
    const words = said === undefined ? '' : ` They say: ${said}`;
    lines.push(`[${en} ${ANSWERS[answer]}${words} It was kept aside; the user brings it back with: ${restore}]`);
  }
  if (problems.length > 0) lines.push(`[${problemsText(problems).en}]`);
  return lines.join('\n');
}

const NOT_THERE: Bilingual = { en: 'not there any more, since it runs by itself later: ', zh: '已不在，因为之后会自动运行：' };
const THERE_AGAIN: Bilingual = {
  en: 'deleted by the command and there again, since it runs by itself: ',
  zh: '被命令删除后已放回，因为它会自动运行：',
};

const ANSWERS: Readonly<Record<LeftOutAnswer, string>> = {
  kept: 'The user said yes to it.',
  no: 'The user was asked and said no: do not make it another way.',
  nobody: 'A person has to say yes to it, and there is nobody to ask.',
  unasked: 'Only a command that runs outside of the sandbox leaves it (needs: everything).',
};

export const leftOutNote = ({ files }: LeftOutNames, answer: LeftOutAnswer): Bilingual =>
  answer === 'kept'
    ? { en: `${files.length} kept that ${files.length === 1 ? 'runs' : 'run'} later`, zh: `保留 ${files.length} 个之后会运行的文件` }
    : { en: `${files.length} left out`, zh: `未保留 ${files.length} 个文件` };
