import { SanbotError } from '../domain/errors.ts';
import { type Bilingual, localize } from '../domain/language.ts';
import type { StandardStreams } from '../runtime/environment.ts';
import type { IoStreams } from '../runtime/io-streams.ts';
import { confirmOnTerminal } from '../terminal/input/confirm.ts';
import type { CommandContext } from './command.ts';

export const say = ({ out }: IoStreams, text: Bilingual): void => out(`${localize(text)}\n`);

type JsonOptions = { readonly json?: boolean | undefined };

export const answer = (io: IoStreams, { json }: JsonOptions, object: unknown, text: Bilingual): void =>
  json ? io.out(`${JSON.stringify(object)}\n`) : say(io, text);

/** Whether there is somebody to ask: a person at a terminal, where no program reads JSON. */
export const canAsk = ({ stdin, stdout }: Omit<StandardStreams, 'stderr'>, { json }: JsonOptions = {}): boolean =>
  stdin.isTTY === true && stdout.isTTY === true && !json;

type Change = { readonly what: Bilingual; readonly hint: Bilingual };

/** Throws refused for what needs a yes, where it was not given with --yes and cannot be asked for. */
export function requireYes(
  options: JsonOptions & { readonly yes?: boolean | undefined },
  environment: StandardStreams,
  { what, hint }: Change,
): void {
  if (options.yes || canAsk(environment, options)) return;
  throw new SanbotError(
    'refused',
    { en: `${what.en} needs confirmation, and there is no terminal to ask at`, zh: `${what.zh}需要确认，但没有可供询问的终端` },
    hint,
  );
}

export async function isAgreed(question: Bilingual, { environment, io }: CommandContext): Promise<boolean> {
  const agreed = await confirmOnTerminal(localize(question), environment);
  if (!agreed) say(io, { en: 'Nothing was changed.', zh: '没有做任何更改。' });
  return agreed;
}
