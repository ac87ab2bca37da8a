import type { Bilingual } from '../../domain/language.ts';
import { quantity } from '../tool.ts';
import { noBashText } from './bash-only.ts';
import { shellLanguage } from './find-shell.ts';
import { findBashOnly } from './parse-command.ts';

/** Linux accepts at most 128 KiB in one argument. */
const MAX_COMMAND_BYTES = 120_000;

type Order = { readonly command: string; readonly background: boolean; readonly keep: boolean };

/** Why no shell could run a command as it is; undefined where one can try. */
export async function commandFault({ command, background, keep }: Order, shell: string): Promise<Bilingual | undefined> {
  if (keep && !background)
    return { en: 'keep is for a command in the background; set background too', zh: 'keep 用于后台命令；请同时设置 background' };
  if (command.includes('\0')) return { en: 'a command cannot contain a NUL character', zh: '命令不能包含 NUL 字符' };
  if (!command.isWellFormed()) return { en: 'the command has half a character (a lone surrogate)', zh: '命令含有半个字符（孤立的代理项）' };
  const bytes = Buffer.byteLength(command);
  if (bytes > MAX_COMMAND_BYTES)
    return {
      en: `the command is ${quantity(bytes, 'byte')} long, at most ${MAX_COMMAND_BYTES} are possible; write a script and run that`,
      zh: `命令长 ${bytes} 字节，最多 ${MAX_COMMAND_BYTES} 字节；请写成脚本再运行`,
    };
  if (command.trim() === '') return { en: 'the command is empty', zh: '命令为空' };
  const bashOnly = shellLanguage(shell) === 'bash' ? undefined : await findBashOnly(command);
  return bashOnly && noBashText(bashOnly);
}
