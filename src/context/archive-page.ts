import type { Message } from '../domain/message.ts';
import type { BodyOf } from './ledger.ts';

export type ArchivePage = {
  readonly title: string;
  readonly at: string;
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly bodyOf: BodyOf;
};

export function archiveTitle(_messages: readonly Message[]): string {
  return '';
}

export function archivePage(page: ArchivePage): string {
  return page.title;
}
