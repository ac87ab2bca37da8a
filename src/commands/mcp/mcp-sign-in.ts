import { spawn } from 'node:child_process';
import { ReasonError, SanbotError } from '../../domain/errors.ts';
import { signInsOf } from '../../runtime/conversation/mcp.ts';
import { homeOf } from '../../runtime/home.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { signInText, signInWhere } from '../../terminal/views/mcp-text.ts';
import { signInReasons } from '../../tools/mcp/connection/sign-in-text.ts';
import type { SignInQuestion } from '../../tools/mcp/types.ts';
import { canAsk, isAgreed } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type NamedServer, openServers, withServer } from './mcp.ts';
import { toolRows, viewOf } from './mcp-rows.ts';

export async function logIn(
  { name, browser, ...options }: NamedServer & { readonly browser: boolean },
  context: CommandContext,
): Promise<void> {
  const { environment, io } = context;
  const { setting } = viewOf(openServers(options, context), name);
  if (setting.config.url === undefined)
    throw new SanbotError(
      'usage',
      { en: `${name} is a program on this machine, which needs no sign-in`, zh: `${name} 是本机程序，不需要登录` },
      { en: 'Only servers with a url can be signed in to.', zh: '只有带 url 的服务器才能登录。' },
    );
  let isAsked = false;
  const show = (address: URL): void => {
    isAsked = true;
    io.err(`${signInText.open(safeLine(address.href))}\n`);
    if (browser && environment.stderr.isTTY === true) openBrowser(address, environment);
  };
  const agree = async (question: SignInQuestion): Promise<boolean> => {
    io.err(signInWhere(name, question));
    if (options.yes === true) return true;
    if (!canAsk(environment, options)) throw new ReasonError(signInReasons.unasked);
    return isAgreed({ en: 'Sign in there?', zh: '在那里登录？' }, context);
  };
  return withServer(
    name,
    options,
    context,
    (mcp) => {
      const tools = toolRows(viewOf(mcp, name)).length;
      if (options.json) io.out(`${JSON.stringify({ name, signedIn: isAsked, tools })}\n`);
      else io.out(isAsked ? signInText.done(name, tools) : signInText.notNeeded(name, tools));
    },
    { show, agree },
  );
}

export async function logOut({ name, ...options }: NamedServer, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const { setting } = viewOf(openServers(options, context), name);
  const wasSignedIn = signInsOf(setting, environment, homeOf(environment, options)).remove();
  if (options.json) io.out(`${JSON.stringify({ name, signedOut: wasSignedIn })}\n`);
  else io.out(wasSignedIn ? signInText.signedOut(name) : signInText.wasNotSignedIn(name));
}

/** The address stands on the screen too, so it does no harm when there is no browser. */
function openBrowser({ href }: URL, { platform, env }: CommandContext['environment']): void {
  const opener = platform === 'darwin' ? 'open' : 'xdg-open';
  spawn(opener, [href], { env, stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
