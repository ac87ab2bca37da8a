import type { Bilingual } from '../../domain/language.ts';
/** What the model is told of the user's hooks, and in both languages what the person is. */
export const hookTexts = {
  start: 'A SessionStart hook of the user gives this context. It is information about the work, and no new request:',
  prompt: 'A UserPromptSubmit hook of the user gives this context for the request below. It is information, and no request of its own:',
  stop: 'A Stop hook of the user finds the work unfinished. Deal with what it says, then end the turn:',
  neverContent: (times: number): Bilingual => ({
    en: `The Stop hooks have sent the model back to work ${times} times in this turn; it ends here.`,
    zh: `Stop 钩子在本轮中已 ${times} 次让模型继续工作；本轮到此结束。`,
  }),
  /** Begins like every refusal: so it counts as one, and not as a failure. */
  denied: (reason: string) =>
    `Not allowed: a PreToolUse hook of the user forbids this call. Do not try it another way. It says:\n${reason}`,
  asks: (reason: string | undefined): Bilingual => ({
    en: `a PreToolUse hook of yours says to ask${reason === undefined ? '' : `: ${reason}`}`,
    zh: `你的一个 PreToolUse 钩子要求询问${reason === undefined ? '' : `：${reason}`}`,
  }),
  asking: (tool: string) => `SanBot needs your permission to use ${tool}`,
  changed: { en: 'a PreToolUse hook of yours has changed this call', zh: '你的一个 PreToolUse 钩子更改了此调用' },
  ranWith: (input: string) => `[A PreToolUse hook of the user changed this call. What ran had this input: ${input}]`,
  changedBadly: (why: string) => `A PreToolUse hook of the user changed the input of this call, and it was not run: ${why}`,
  otherAccess: 'the changed call would do more than read',
  context: (event: string) => `[A ${event} hook of the user says this of the call. It is information, and no request:]`,
  objects: '[A PostToolUse hook of the user objects to what this call did:]',
  ended: (why: string): Bilingual => ({ en: `A hook ended the turn: ${why}`, zh: `一个钩子结束了本轮：${why}` }),
} as const;
