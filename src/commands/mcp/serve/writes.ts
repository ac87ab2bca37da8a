import { NOTHING_IN_IT, whyNotKept } from '../../../agent/memory/remember.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { GroupOptions, HomeOptions } from '../../../runtime/home.ts';
import { readSettings } from '../../../runtime/settings.ts';
import { noSuchSession } from '../../../store/files/paths.ts';
import { sessionOfRef } from '../../../store/search/search-refs.ts';
import { allRecords } from '../../../store/session/peek-session.ts';
import type { Remember } from '../../../tools/session/remember.ts';
import type { CommandContext } from '../../command.ts';
import { keepStatement } from '../../memory/memory.ts';
import { openHome } from '../../open-home.ts';
import type { OpenRecords } from './records.ts';

/** What a client may write, of the sessions that it may see. */
export function openWrites({ list }: Pick<OpenRecords, 'list'>, options: HomeOptions & GroupOptions, context: CommandContext) {
  const remember: Remember = ({ text, kind }) => {
    const why = whyNotKept(text);
    const kept = why === undefined ? keepStatement({ ...options, text, kind, by: 'model' }, context) : undefined;
    return kept ?? { outcome: 'refused', why: why ?? NOTHING_IN_IT };
  };
  /** As /pin does. Rejects with session_locked while a conversation has the session open. */
  const pin = async (ref: string): Promise<string> => {
    const sessionId = sessionOfRef(ref);
    if (sessionId === undefined || !list().some((entry) => entry.sessionId === sessionId)) throw noSuchSession(sessionId ?? ref, []);
    return pinRef({ sessionId, n: Number(/:(\d+)/.exec(ref)?.[1]) }, options, context);
  };
  return { remember, pin };
}

type Place = { readonly sessionId: string; readonly n: number };

async function pinRef({ sessionId, n }: Place, options: HomeOptions, context: CommandContext): Promise<string> {
  const { environment, io } = context;
  const [{ buildUnattendedRuntime }, { openConversation }, { pinMessage }] = await Promise.all([
    import('../../../runtime/runtime.ts'),
    import('../../../runtime/conversation/conversation.ts'),
    import('../../../agent/memory/pins.ts'),
  ]);
  const { paths } = openHome(options, context);
  const settings = readSettings(environment, { home: options.home });
  const { session, deps, close } = openConversation(await buildUnattendedRuntime(environment, { settings, warn: io.warn }), sessionId);
  try {
    const record = [...allRecords(paths, sessionId)].find((each) => each.n === n);
    const id = record?.type === 'message' ? record.message.id : undefined;
    const index = session.context.messages.findIndex((message) => message.id === id);
    if (index < 0)
      throw new SanbotError('refused', {
        en: 'That message has left the context: only what stands in it can be pinned',
        zh: '该消息已不在上下文中：只能固定仍在其中的消息',
      });
    return pinMessage(index, session, deps).text;
  } finally {
    close();
  }
}
