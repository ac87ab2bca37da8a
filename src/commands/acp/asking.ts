import type { Confirm } from '../../agent/ports/effects.ts';
import type { AskPermission, AskPerson } from '../../agent/ports/tools.ts';
import { localize } from '../../domain/language.ts';
import type { PermissionRequest } from '../../domain/permission.ts';
import { noText, yesText } from '../../terminal/input/input-text.ts';
import { permissionChoices, permissionRows, SAY_WHY } from '../../terminal/input/permission-prompt.ts';
import type { Questions } from '../../terminal/input/questions.ts';
import { NO_ANSWER, otherText } from '../../terminal/input/questions.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Editor, PermissionChoice } from './editor.ts';
import type { ToolCall, ToolCallContent } from './protocol.ts';
import { COLUMNS, diffContents, fenced, textContent } from './tool-calls.ts';

export type AskingTurn = {
  readonly signal: () => AbortSignal;
  /** Ends it: the editor answered a question by cancelling. */
  readonly cancel: () => void;
  /** The call of this id as the editor is told of it, now where it was not; undefined for one that is none of the model's own. */
  readonly announce: (toolUseId: string) => ToolCall | undefined;
  readonly newId: () => string;
};

export type Asking = { readonly askPermission: AskPermission; readonly confirm: Confirm; readonly askPerson: AskPerson } & {
  /** For slash commands. */
  readonly questions: Questions;
};

type Named<T> = { readonly name: string; readonly value: T };

/** More than this, nobody chooses from in a dialog. */
const MAX_CHOICES = 30;

/** The questions of a conversation, put to whoever sits at the editor. No answer is never a yes. */
export function createAsking(editor: Editor, { signal: current, cancel, announce, newId }: AskingTurn): Asking {
  /** A question that has a card of its own, since no call of the model's is about it. */
  const pick = async <T>(message: string, choices: readonly (Named<T> & Partial<PermissionChoice>)[], signal: AbortSignal) => {
    const toolCallId = newId();
    const options = choices.slice(0, MAX_CHOICES).map(({ name, kind = 'allow_once' }) => ({ name: unnumbered(name), kind }));
    const at = await editor.choose({ toolCallId, title: safeLine(message), kind: 'other', status: 'pending' }, options, signal);
    return at === undefined ? undefined : choices[at];
  };
  const type = async (message: string, signal: AbortSignal): Promise<string> =>
    editor.canType ? ((await editor.type(safeLine(message), signal))?.trim() ?? '') : '';
  return {
    askPermission: async (request, signal) => {
      const call = request.toolUseId === undefined ? undefined : announce(request.toolUseId);
      const choices = permissionChoices(request)
        .flatMap((choice) => choice.opens ?? [choice])
        .filter(({ value }) => value !== SAY_WHY || editor.canType);
      const at = await editor.choose(
        await askedCall(request, call ?? { toolCallId: newId(), title: safeLine(request.title) }, editor),
        choices.map(({ name, value }) => ({ name: unnumbered(name), kind: kindOf(value) })),
        signal,
      );
      const answer = at === undefined ? undefined : choices[at]?.value;
      if (answer === undefined) cancel();
      if (answer === undefined || answer === 'stop') return 'no';
      if (answer !== SAY_WHY) return answer;
      const why = await type(localize({ en: 'No. What should it do instead?', zh: '否。应该改做什么？' }), signal);
      return why === '' ? 'no' : { kind: 'refusal', why };
    },
    confirm: async (question, signal) => {
      const [yes, no] = [
        { name: yesText(), value: true },
        { name: noText(), value: false, kind: 'reject_once' as const },
      ];
      return (await pick(question, [yes, no], signal))?.value === true;
    },
    askPerson: async ({ question, choices }, signal) => {
      const other = editor.canType ? [{ name: otherText(), value: undefined }] : [];
      const chosen = await pick(question, [...choices.map((text) => ({ name: safeLine(text), value: text })), ...other], signal);
      if (chosen === undefined) return NO_ANSWER;
      if (chosen.value !== undefined) return { kind: 'chosen', text: chosen.value };
      const text = await type(question, signal);
      return text === '' ? NO_ANSWER : { kind: 'typed', text };
    },
    questions: {
      find: async (message, choices) => (await pick(message, choices, current()))?.value,
      type: async (message, signal) => (await type(message, AbortSignal.any([signal, current()]))) || undefined,
      decide: async (message, choices, signal, how = {}) => {
        const [first] = choices;
        if (first === undefined) throw new Error('A question needs an answer to choose');
        const all = choices.flatMap((choice) => choice.opens ?? [choice]);
        const chosen = await pick(message, all, AbortSignal.any([...(signal === undefined ? [] : [signal]), current()]));
        return chosen?.value ?? how.left ?? first.value;
      },
    },
  };
}

/** A terminal has a key for each. */
const unnumbered = (name: string): string => name.replace(/^\d /, '');

function kindOf(answer: ReturnType<typeof permissionChoices>[number]['value']): PermissionChoice['kind'] {
  if (answer === 'once') return 'allow_once';
  return answer === 'no' || answer === SAY_WHY ? 'reject_once' : 'allow_always';
}

/** The call with all that a person must see before they allow it, in the words of the terminal. */
async function askedCall(request: PermissionRequest, call: ToolCall, editor: Editor): Promise<ToolCall> {
  const path = call.locations?.[0]?.path;
  const isUnsaved = request.access === 'write' && path !== undefined && (await editor.hasUnsaved(path));
  const rows = permissionRows(request, { paint: createPaint(false), columns: COLUMNS }).map((row) => row.trimEnd());
  const diff: readonly ToolCallContent[] = request.access === 'write' && path !== undefined ? diffContents(path, request.preview) : [];
  const unsaved = isUnsaved ? [textContent(unsavedText(path))] : [];
  return {
    ...{ kind: request.access === 'run' ? 'execute' : request.access === 'write' ? 'edit' : 'read', ...call },
    ...{ status: 'pending', content: [textContent(fenced(rows.join('\n'))), ...unsaved, ...diff] },
  };
}

export const unsavedText = (path: string): string =>
  localize({
    en: `${safeLine(path)} has changes in the editor that are not saved. SanBot works with the file on disk.`,
    zh: `${safeLine(path)} 在编辑器中有未保存的更改。SanBot 使用磁盘上的文件。`,
  });
