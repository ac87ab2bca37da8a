import { SanbotError } from '../../domain/errors.ts';

export const memoryOff = (): SanbotError =>
  new SanbotError(
    'refused',
    { en: 'Memory is switched off', zh: '记忆功能已关闭' },
    { en: 'Set memory.enabled to true.', zh: '请将 memory.enabled 设为 true。' },
  );
