import type { Message } from '../domain/message.ts';

/** Whether the content of this result in the message is a stub. */
export const isStubbed = (message: Message, toolUseId: string): boolean =>
  message.stubs?.some((stub) => stub.toolUseId === toolUseId) ?? false;
