import { type Bilingual, because, quotedText } from '../../../domain/language.ts';
import { visibleLine } from '../../place/visible.ts';

export const shellNotStarted = (why: string): Bilingual =>
  because({ en: 'the shell could not be started', zh: '无法启动 shell' }, quotedText(visibleLine(why, 300)));

export const WATCHER_ENDED: Bilingual = {
  en: 'the process that was to watch over it ended at once',
  zh: '负责监视它的进程立刻结束了',
};
export const WATCHER_SILENT: Bilingual = {
  en: 'the process that was to watch over it did not answer',
  zh: '负责监视它的进程没有应答',
};
