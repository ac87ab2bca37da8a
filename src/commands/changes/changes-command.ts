import { SanbotError } from '../../domain/errors.ts';
import { defineCommand, grammarOf, option, parseWholeNumber, sessionOption } from '../command.ts';

export const changesCommand = defineCommand({
  grammar: () =>
    grammarOf('changes', {
      en: 'list what each command and edit of a session changed in files, and undo any of it',
      zh: '列出会话中每个命令和编辑对文件的更改，并可撤销其中任意一个',
    })
      .add(sessionOption({ en: 'the session', zh: '会话' }))
      .option('--diff', { en: 'show the differences too', zh: '同时显示差异' })
      .add(
        option('--restore <n>', {
          en: 'undo the change of this number; what later ones or somebody else changed too is left alone',
          zh: '撤销此编号的更改；之后的更改或他人也改过的内容不动',
        }).argParser((text) => parseWholeNumber('--restore', text, 1)),
      )
      .option('--and-later', { en: 'with --restore: undo everything since as well', zh: '与 --restore 一起使用：同时撤销之后的所有更改' })
      .option('--file <path>', { en: 'only this file, or what is in this folder', zh: '只限此文件，或此文件夹中的内容' })
      .option('--dry-run', {
        en: 'with --restore: show what would change, but change nothing',
        zh: '与 --restore 一起使用：只显示将发生的更改，不实际更改',
      })
      .option('--yes', {
        en: 'with --restore: do not ask: yes to what touches only what SanBot itself wrote, also to removing what it made',
        zh: '与 --restore 一起使用：不询问：同意只涉及 SanBot 自己所写内容的更改，包括删除它新建的文件',
      })
      .json('diff')
      .notes({
        en: 'A restore is listed like any other change, and can be undone in the same way.',
        zh: '恢复操作与其他更改一样列出，也可以同样撤销。',
      })
      .examples({
        'sanbot changes': {
          en: 'the changes of the last session of this folder, the newest first',
          zh: '此文件夹中最近使用的会话的更改，最新的在最前',
        },
        'sanbot changes --restore 3': { en: 'see what undoing number 3 would do, then say yes or no', zh: '查看撤销第 3 项的效果，再决定' },
        'sanbot changes --session ID --restore 3 --file src/a.ts --yes': {
          en: 'undo it in one file, without a question',
          zh: '不经询问，只撤销其中一个文件的更改',
        },
      }),
  load: () => import('./changes.ts'),
  run: async ({ restore, andLater, dryRun, yes, diff, ...options }, context, load) => {
    if (restore !== undefined && diff) throw needs('--diff', false);
    if (restore === undefined && (andLater ?? dryRun ?? yes)) throw needs(andLater ? '--and-later' : dryRun ? '--dry-run' : '--yes', true);
    const { listChanges, restoreChange } = await load();
    if (restore === undefined) return listChanges({ ...options, diff }, context);
    return restoreChange({ ...options, number: restore, andLater, dryRun, yes }, context);
  },
});

const needs = (flag: string, isNeeded: boolean): SanbotError =>
  new SanbotError(
    'usage',
    isNeeded
      ? { en: `${flag} only works with --restore`, zh: `${flag} 只能与 --restore 一起使用` }
      : {
          en: `${flag} cannot be used with --restore; --dry-run shows what it would do`,
          zh: `${flag} 不能与 --restore 一起使用；--dry-run 显示其效果`,
        },
  );
