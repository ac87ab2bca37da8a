import { spawn } from 'node:child_process';
import { Client, type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { afterThisTest } from './clean-up.ts';
import { runInProcess } from './in-process.ts';
import { LiveInput, OutputPipe } from './pipes.ts';
import { binary, type Sandbox } from './sanbot.ts';

type ServeOptions = { readonly cwd?: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** `sanbot mcp serve` in this process, at the other end of two pipes. */
export function startServer(world: Sandbox, { cwd = world.cwd, args = [], env = {} }: ServeOptions = {}) {
  const [stdin, stderr] = [new LiveInput(), new OutputPipe()];
  const lines: unknown[] = [];
  let hear: (value: unknown) => void = () => undefined;
  let partial = '';
  const stdout = new OutputPipe((piece) => {
    const all = `${partial}${piece.toString()}`.split('\n');
    partial = all.pop() ?? '';
    for (const line of all) {
      // Nothing but messages is written there.
      const value: unknown = JSON.parse(line);
      lines.push(value);
      hear(value);
    }
  });
  const exit = runInProcess(['mcp', 'serve', ...args], { env: { ...world.env, ...env }, cwd, stdin, stdout, stderr });
  const leave = async (): Promise<number> => {
    stdin.close();
    return exit;
  };
  afterThisTest(async () => void (await leave()));
  return {
    lines,
    leave,
    err: () => stderr.text,
    send: (piece: string | Uint8Array) => stdin.send(piece),
    onLine: (listener: (value: unknown) => void) => {
      hear = listener;
    },
  };
}

/** The official client, with a server of its own. */
export async function connectClient(world: Sandbox, options: ServeOptions = {}) {
  const server = startServer(world, options);
  const transport: Transport = {
    start: async () =>
      server.onLine((value) => {
        transport.onmessage?.(parseJSONRPCMessage(value));
      }),
    send: async (message: JSONRPCMessage) => server.send(`${JSON.stringify(message)}\n`),
    close: async () => {
      await server.leave();
      transport.onclose?.();
    },
  };
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [block] = content;
    return { text: block?.type === 'text' ? block.text : '', isError: isError === true };
  };
  return { ...server, client, call };
}

/** The real binary at a free port, with its address and its token as it prints them. */
export async function startHttpServer(
  world: Pick<Sandbox, 'cwd' | 'env'>,
): Promise<{ readonly url: URL; readonly token: string; readonly stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [binary, 'mcp', 'serve', '--http', '0'], { cwd: world.cwd, env: { ...world.env } });
  afterThisTest(() => void child.kill('SIGKILL'));
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const printed = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(text)));
    child.stderr.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (/Bearer \S+\n/.test(text)) resolve(text);
    });
  });
  const [, url = '', token = ''] = /(http:\S+)\nAuthorization: Bearer (\S+)\n/.exec(printed) ?? [];
  const stop = async () => {
    child.kill('SIGTERM');
    return exit;
  };
  return { url: new URL(url), token, stop };
}
