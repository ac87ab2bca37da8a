import { readFileSync, statSync } from 'node:fs';
import { AbortedError } from '../../domain/errors.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import {
  type AgentContext,
  type ClientCapabilities,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  type ReadTextFileRequest,
  type ReadTextFileResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type ToolCall,
} from './protocol.ts';

/** The editor at the other end, as one session sees it. */
export type Editor = Readonly<ReturnType<typeof createEditor>>;

/** What the editor said of itself, and the way to it. */
export type Client = { readonly context: AgentContext; readonly capabilities: ClientCapabilities };

const MAX_COMPARED_BYTES = 1_000_000;

export function createEditor({ context, capabilities }: Client, sessionId: () => string) {
  /** Rejects with AbortedError when the signal aborts or the editor has gone. */
  const answered = async <T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw new AbortedError('Interrupted');
    try {
      return await ask();
    } catch (cause) {
      throw new AbortedError('The editor gave no answer', { cause });
    }
  };
  return {
    ...{ capabilities, hearsCompactions: capabilities.session?.compaction != null },
    canType: capabilities.elicitation?.form != null,
    /** Never rejects: an editor that has gone hears nothing. */
    send: (update: SessionUpdate): Promise<void> =>
      context.notify(methods.client.session.update, { sessionId: sessionId(), update }).catch(() => undefined),
    /** Which of the options is chosen, by its place; undefined for none. */
    choose: async (toolCall: ToolCall, options: readonly PermissionChoice[], signal: AbortSignal): Promise<number | undefined> => {
      const named = options.map(({ name, kind }, at) => ({ optionId: String(at), name, kind }));
      const ask = () =>
        context.request<RequestPermissionResponse, RequestPermissionRequest>(
          methods.client.session.requestPermission,
          { sessionId: sessionId(), toolCall, options: named },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        );
      const { outcome } = await answered(signal, ask);
      // Nothing that merely reads like an id is a choice.
      const at = outcome.outcome === 'selected' ? named.findIndex(({ optionId }) => optionId === outcome.optionId) : -1;
      return at < 0 ? undefined : at;
    },
    /** A line of words; undefined where none came. Only an editor that `canType` is asked. */
    type: async (message: string, signal: AbortSignal): Promise<string | undefined> => {
      const answer = await answered(signal, () =>
        context.request<CreateElicitationResponse, CreateElicitationRequest>(
          methods.client.elicitation.create,
          {
            ...{ mode: 'form', sessionId: sessionId(), message },
            requestedSchema: { type: 'object', properties: { answer: { type: 'string', title: message } }, required: ['answer'] },
          },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        ),
      );
      const content = answer.action === 'accept' && 'content' in answer ? answer.content : undefined;
      return isObject(content) && isString(content.answer) ? content.answer : undefined;
    },
    /** Whether the editor holds another text of a file than the disk: changes that are not saved. False where that cannot be told. */
    hasUnsaved: async (path: string): Promise<boolean> => {
      if (capabilities.fs?.readTextFile !== true) return false;
      const size = orUndefined(() => statSync(path).size);
      if (size === undefined || size > MAX_COMPARED_BYTES) return false;
      // It may be changed meanwhile by what is about to run.
      const before = textOf(path);
      const held = await context
        .request<ReadTextFileResponse, ReadTextFileRequest>(methods.client.fs.readTextFile, { sessionId: sessionId(), path })
        .catch(() => undefined);
      const saved = [before, textOf(path)].filter((text) => text !== undefined);
      return held !== undefined && saved.length > 0 && saved.every((text) => lines(text) !== lines(held.content));
    },
  };
}

export type PermissionChoice = {
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once';
};

const textOf = (path: string): string | undefined => orUndefined(() => readFileSync(path, 'utf8'));

/** Editors leave out a byte order mark, the kind of line end, and the last of them. */
const lines = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '');
