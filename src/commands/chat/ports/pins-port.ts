import { pinCost, pinMessage, unpinMessage } from '../../../agent/memory/pins.ts';
import type { Session } from '../../../agent/session/session.ts';
import { pinOf } from '../../../context/history/pins.ts';
import type { Pin } from '../../../domain/session/context.ts';
import type { PinLine, PinsPort, PinsView } from '../../../terminal/chat/pins-port.ts';
import type { Current } from './current.ts';

export const createPinsPort = ({ conversation }: Current): PinsPort => ({
  choices: () => pinnableLines(conversation().session),
  view: async () => {
    const { session, deps } = conversation();
    return { pins: pinnedLines(session), ...pinCost(session, deps) };
  },
  pin: async (number) => {
    const { session, deps } = conversation();
    pinMessage(number - 1, session, deps);
  },
  unpin: async (messageId) => unpinMessage(messageId, conversation().session),
});

/** The messages of a session's context that can be pinned, as a person picks from them. */
function pinnableLines({ context: { messages, pins = [] } }: Session): readonly PinLine[] {
  const pinned = new Set(pins.map(({ messageId }) => messageId));
  return messages.flatMap((message, index): readonly PinLine[] => {
    const pin = pinOf(message, () => undefined);
    if (pin === undefined) return [];
    return [{ number: index + 1, messageId: message.id, who: speakers[pin.who], text: lineOf(pin.text), pinned: pinned.has(message.id) }];
  });
}

/** What is pinned, in the order it was pinned in. */
const pinnedLines = ({ context: { pins = [] } }: Session): PinsView['pins'] =>
  pins.map(({ messageId, who, text }) => ({ messageId, who: speakers[who], text: lineOf(text) }));

const speakers: Readonly<Record<Pin['who'], PinLine['who']>> = { user: 'you', model: 'assistant', tool: 'tool' };

const lineOf = (text: string): string => text.slice(0, 800).replaceAll(/\s+/g, ' ').trim().slice(0, 400).toWellFormed();
