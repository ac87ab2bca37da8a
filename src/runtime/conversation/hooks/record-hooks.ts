import { endAct, orWarnLater } from '../../../agent/turn/record-changes.ts';
import { changedText } from '../../../context/history/changes-text.ts';
import type { HookCommand, HookEvent } from '../../../domain/hook/hook.ts';
import type { HookResult } from '../../../domain/hook/hook-answer.ts';
import type { Runtime } from '../../runtime.ts';
import type { HookOwner } from './hook-transcript.ts';

/** Where what the hooks say goes to the model beside the result of a call. */
const AROUND_CALLS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse']);

type Moment = { readonly event: HookEvent; readonly commands: readonly HookCommand[] };

/**
 * Runs the hooks of one moment so that what they change can be undone, as one act; those that only read, by their settings, as they are.
 * What they changed is shown to the person and, around a call, to the model.
 */
export async function recordHooks(
  { event, commands }: Moment,
  { acts, emit, cwd }: HookOwner,
  { environment }: Runtime,
  run: () => Promise<HookResult>,
): Promise<HookResult> {
  const changing = commands.filter(({ onlyReads }) => !onlyReads);
  if (changing.length === 0) return run();
  const deps = { disk: { acts }, report: { emit } };
  const id = `hook-${environment.newId()}`;
  const title = `${event}: ${changing.map(({ command }) => command).join('; ')}`;
  const begun = await orWarnLater(() => acts.begin({ cwd, id, title, names: () => [] }), deps);
  let result: HookResult | undefined;
  try {
    result = await run();
  } finally {
    const set = endAct(begun, undefined, cwd, deps);
    const changed = set && changedText([set], cwd, set);
    if (changed !== undefined) {
      emit({ type: 'files_changed', note: { en: `${event} hook: ${changed.note.en}`, zh: `${event} 钩子：${changed.note.zh}` } });
      if (result !== undefined && AROUND_CALLS.has(event))
        result = { ...result, text: [...(result.text === undefined ? [] : [result.text]), changed.text].join('\n') };
    }
  }
  return result;
}
