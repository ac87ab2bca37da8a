import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';

const MAX_BYTES = 20_000_000;
const TIMEOUT_MS = 5_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

const waylandTool = ['wl-paste', '--type', 'image/png'];
const x11Tool = ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'];

/** The image in the clipboard as a file; else why there is none. Never rejects. */
export async function clipboardImage(
  environment: Environment,
  given: Set<string>,
): Promise<{ readonly path: string } | { readonly why: string }> {
  const { env, platform } = environment;
  const tools = platform === 'darwin' ? [['pngpaste', '-']] : env.WAYLAND_DISPLAY ? [waylandTool, x11Tool] : [x11Tool, waylandTool];
  const outputs = [];
  for (const [program = '', ...args] of tools) {
    const output = await outputOf(program, args, environment);
    if (output?.subarray(0, PNG.length).equals(PNG) === true) {
      return { path: givenFile(output, 'clipboard.png', environment, given) };
    }
    outputs.push(output);
  }
  const names = tools.map(([program = '']) => program);
  return { why: localize(outputs.every((output) => output === undefined) ? noTool(names) : noImage) };
}

/** What the user hands over, in a file that only they may read and that is gone after the program. */
export function givenFile(bytes: Buffer, name: string, { onExit }: Environment, given: Set<string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-image-'));
  onExit(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes, { mode: 0o600 });
  given.add(path);
  return path;
}

/** Undefined where there is no such program. */
function outputOf(program: string, args: readonly string[], { env, deadline }: Environment): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], signal: deadline(TIMEOUT_MS) });
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > MAX_BYTES) child.kill();
      else pieces.push(piece);
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(pieces) : Buffer.alloc(0)));
  });
}

const noImage: Bilingual = { en: 'There is no image in the clipboard.', zh: '剪贴板中没有图片。' };
const noTool = (names: readonly string[]): Bilingual => ({
  en: `The clipboard cannot be read: install ${names.join(' or ')}.`,
  zh: `无法读取剪贴板：请安装 ${names.join(' 或 ')}。`,
});
