import { resolve } from 'node:path';
import { type Catalogue, parseCatalogue } from '../../domain/config/catalogue.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, localize, sameInBoth } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isLoopback } from '../../net/proxy.ts';
import { sendFor } from '../../net/send.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { MAX_CATALOGUE_BYTES } from '../../runtime/models/catalogue.ts';
import { unlinkIfExists, writeFileAtomic } from '../../store/files/atomic-write.ts';
import { ensureFolder } from '../../store/files/disk.ts';
import { readText } from '../../store/files/read-text.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

const DOWNLOAD_MS = 60_000;

/** Takes a catalogue from an address or a file, since the user has asked for it. The one in use stays where that fails. */
export async function refreshModels(from: string, options: HomeOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const url = /^https?:/i.test(from) ? orUndefined(() => new URL(from)) : undefined;
  const path = resolve(environment.cwd(), from);
  const text = url === undefined ? readText(path, MAX_CATALOGUE_BYTES) : await download(url, context);
  const source = url === undefined ? path : `${url.origin}${url.pathname}`;
  if (text === undefined) throw refused(source, { en: 'there is no such file', zh: '没有此文件' });
  const parsed = parseCatalogue(parseJson(text));
  if (parsed.kind === 'bad') throw refused(source, parsed.problem);
  const { disk, home, paths } = openHome(options, context);
  const kept = { from: source, at: environment.now().toISOString(), catalogue: parsed.value };
  ensureFolder(disk, home);
  writeFileAtomic(disk, paths.catalogue, Buffer.from(`${JSON.stringify(kept)}\n`), { point: 'catalogue' });
  const count = countOf(parsed.value);
  io.out(`${safeLine(localize({ en: `Taken from ${source}: ${count} models.`, zh: `已从 ${source} 取得 ${count} 个模型。` }))}\n`);
}

const countOf = ({ providers }: Catalogue): number => providers.reduce((sum, { models }) => sum + models.length, 0);

/** Prices that somebody on the way can change limit nothing, so over plain HTTP only from this machine. */
async function download(url: URL, { environment }: CommandContext): Promise<string> {
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw refused(url.origin, { en: 'only https is taken from another machine', zh: '来自其他机器时只接受 https' });
  const bounds = { received: MAX_CATALOGUE_BYTES, decoded: MAX_CATALOGUE_BYTES };
  const headers = { accept: 'application/json' };
  try {
    const answer = await sendFor(url, environment.env)(url, { headers, signal: environment.deadline(DOWNLOAD_MS), bounds });
    if (answer.ok) return await answer.text();
    answer.body.destroy();
    throw refused(url.origin, sameInBoth(`HTTP ${answer.status}`));
  } catch (error) {
    throw error instanceof SanbotError ? error : refused(url.origin, errorReason(error));
  }
}

const refused = (from: string, problem: Bilingual): SanbotError =>
  new SanbotError(
    'usage',
    because({ en: `No catalogue of models can be taken from ${from}`, zh: `无法从 ${from} 取得模型目录` }, problem),
    {
      en: 'What was used before stays. docs/models.md shows the form of a catalogue.',
      zh: '仍使用原来的数据。目录格式见 docs/models.md。',
    },
  );

export function forgetModels(options: HomeOptions, context: CommandContext): void {
  unlinkIfExists(openHome(options, context).paths.catalogue);
  context.io.out(`${localize({ en: 'The built-in table is used.', zh: '使用内置表。' })}\n`);
}
