import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import type { PermissionRequest } from '../../domain/permission.ts';
import { callName } from '../../domain/session/call-name.ts';

export type Detail =
  | {
      readonly kind: 'tool';
      readonly title: string;
      readonly toolUseId: string;
      readonly isLive?: () => boolean;
      readonly diff?: string | undefined;
    }
  | { readonly kind: 'thinking'; readonly title: string; readonly text: string };

const COMMAND = 'run_command';

const MAX_DETAILS = 100;
const MAX_THINKING_CHARS = 200_000;

export function createDetails() {
  let details: readonly Detail[] = [];
  let asked: readonly Detail[] = [];
  let isSummary = false;
  const titles = new Map<string, string>();
  const commands = new Set<string>();
  const liveDetail = (toolUseId: string): Detail => {
    const title = titles.get(toolUseId) ?? toolUseId;
    return { kind: 'tool', title, toolUseId, isLive: () => commands.has(toolUseId) };
  };
  const add = (detail: Detail): void => {
    details = [...details.slice(1 - MAX_DETAILS), detail];
  };
  const think = (text: string, last: Detail | undefined): void => {
    if (last?.kind !== 'thinking') add({ kind: 'thinking', title: localize({ en: 'Thinking', zh: '思考' }), text });
    else details = [...details.slice(0, -1), { ...last, text: (last.text + text).slice(-MAX_THINKING_CHARS) }];
  };
  return {
    list: (): readonly Detail[] => [...details, ...[...commands].map((toolUseId) => liveDetail(toolUseId)), ...asked],
    /** What a question is about, for as long as it is open: the last of all. */
    ask: (about: Pick<PermissionRequest, 'title' | 'preview'> | undefined): void => {
      asked = about === undefined ? [] : [{ kind: 'tool', title: callName(about.title), toolUseId: '', diff: about.preview }];
    },
    onEvent: (event: SanbotEvent): void => {
      switch (event.type) {
        case 'session_started':
          details = [];
          commands.clear();
          return;
        case 'request':
          isSummary = event.purpose === 'summary';
          return;
        case 'thinking':
          if (!isSummary) think(event.text, details.at(-1));
          return;
        case 'tool_started':
          titles.set(event.toolUseId, callName(event.title));
          if (event.tool === COMMAND) commands.add(event.toolUseId);
          return;
        case 'tool_ended':
          add({ kind: 'tool', title: titles.get(event.toolUseId) ?? event.tool, toolUseId: event.toolUseId, diff: event.diff?.text });
          titles.delete(event.toolUseId);
          commands.delete(event.toolUseId);
          return;
        default:
          return;
      }
    },
  };
}
