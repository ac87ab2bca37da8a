/** What the doors for other programs cost: the first token through `sanbot acp` beside that of `-p`, and `sanbot mcp serve` in a large home. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { writeConfig, writeSessions } from './generated-home.mjs';
import { startServer, streamOf } from './model-server.mjs';
import { environment, inFolder, median, program, usageOf } from './run-program.mjs';

const SESSIONS = 1_000;
const CALLS = 7;

export async function measureDoors({ rounds = 9 } = {}) {
  const taken = { headless: [], acp: [], acpIdleMb: [] };
  await inFolder(async (folder) => {
    // One round more: the first leaves the code cache behind.
    for (let round = 0; round <= rounds; round++) {
      const [headless, acp] = [await firstToken(folder, headlessPrompt), await firstToken(folder, acpPrompt)];
      if (round === 0) continue;
      taken.headless.push(headless.cpuMs);
      taken.acp.push(acp.cpuMs);
      taken.acpIdleMb.push(acp.idleMb);
    }
  });
  const ofMedians = Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, median(all)]));
  return { ...ofMedians, ...(await measureServe()) };
}

/** CPU of a process from its start until it has shown what the model began to say; the rest of the reply waits for that. */
async function firstToken(folder, prompt) {
  let isShown = () => undefined;
  const shown = new Promise((resolve) => {
    isShown = resolve;
  });
  const server = await startServer(async function* (_, n) {
    const [begin, rest] = streamOf(n, { type: 'text', text: 'Here it begins.' }, 100).split(/(?=event: content_block_stop)/);
    yield begin;
    await shown;
    yield rest;
  });
  const env = environment(folder, { SANBOT_HOME: join(folder, 'home-doors'), ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k' });
  writeConfig(env.SANBOT_HOME, { model: { name: 'bench', contextWindow: 200_000 } });
  try {
    return await prompt({ cwd: folder, env, isShown });
  } finally {
    isShown();
    server.close();
  }
}

async function headlessPrompt({ cwd, env, isShown }) {
  const child = startProgram(['-p', 'hello', '--output-format', 'stream-json'], { cwd, env });
  await child.line((text) => text.includes('Here it begins.'));
  const used = usageOf(child.pid);
  isShown();
  await child.ended;
  return used;
}

async function acpPrompt({ cwd, env, isShown }) {
  const child = startProgram(['acp'], { cwd, env });
  await child.ask('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const { memoryMb: idleMb } = usageOf(child.pid);
  const { sessionId } = await child.ask('session/new', { cwd, mcpServers: [] });
  const answered = child.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hello' }] });
  await child.line((text) => text.includes('Here it begins.'));
  const { cpuMs } = usageOf(child.pid);
  isShown();
  await answered;
  await child.end();
  return { cpuMs, idleMb };
}

/** A server in a home of many sessions: its memory as it waits, and what a call takes after the first. */
async function measureServe() {
  return inFolder(async (folder) => {
    const env = environment(folder);
    writeConfig(env.SANBOT_HOME, { model: { provider: 'offline' } });
    writeSessions(env.SANBOT_HOME, folder, SESSIONS);
    const child = startProgram(['mcp', 'serve'], { cwd: folder, env });
    await child.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } });
    child.tell('notifications/initialized');
    const { memoryMb: serveIdleMb } = usageOf(child.pid);
    const calls = [];
    for (let call = 0; call <= CALLS; call++) {
      const before = usageOf(child.pid).cpuMs;
      await child.ask('tools/call', { name: 'recall', arguments: { query: `w${call * 31} w${call * 77} src/p1.ts` } });
      calls.push(usageOf(child.pid).cpuMs - before);
    }
    // What a call leaves behind is given back by the collector in its own time.
    await after(1_000);
    const { memoryMb: serveUsedMb } = usageOf(child.pid);
    await child.end();
    return { serveIdleMb, serveUsedMb, firstRecall: calls[0], recall: median(calls.slice(1)) };
  });
}

/** A program that is spoken to by lines. */
function startProgram(argv, { cwd, env }) {
  const child = spawn(process.execPath, [program, ...argv], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const waiting = new Set();
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (text) => {
    for (const waiter of [...waiting]) if (waiter.fits(text) && waiting.delete(waiter)) waiter.resolve(text);
  });
  const line = (fits) =>
    new Promise((resolve, reject) => {
      waiting.add({ fits, resolve });
      ended.then((code) => reject(new Error(`${argv.join(' ')} ended with ${code}`)));
    });
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const ask = async (method, params) => {
    const mine = ++id;
    const answer = line((text) => text.includes(`"id":${mine}`) && JSON.parse(text).id === mine && !('method' in JSON.parse(text)));
    send({ id: mine, method, params });
    const { result, error } = JSON.parse(await answer);
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const end = () => {
    child.stdin.end();
    return ended;
  };
  return { pid: child.pid, ended, line, ask, tell: (method) => send({ method }), end };
}
