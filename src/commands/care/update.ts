import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Bilingual, localize } from '../../domain/language.ts';
import { versionOf } from '../../runtime/home.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';

/** Says how what is installed is updated. It asks the network nothing and changes nothing. */
export function explainUpdate({ environment, io }: CommandContext): void {
  const { packageRoot, node } = environment;
  const { kind, at, how } = installed(packageRoot, node);
  const lines = [`SanBot ${versionOf(environment)}: ${localize(kind)}, ${at}`, localize(how)];
  io.out(lines.map((line) => `${safeLine(line)}\n`).join(''));
}

type Installed = { readonly kind: Bilingual; readonly at: string; readonly how: Bilingual };

function installed(root: string, node: string): Installed {
  // As build/release/executable-main.cjs names what it unpacks.
  if (/^[0-9a-f]{32}$/.test(basename(root)))
    return {
      kind: { en: 'a single executable', zh: '单个可执行文件' },
      at: node,
      how: {
        en: 'To update: download the new file with SHA256SUMS from where this one came, run sha256sum --check --ignore-missing SHA256SUMS, and put it in the place of this one.',
        zh: '更新方法：从原下载处下载新文件和 SHA256SUMS，运行 sha256sum --check --ignore-missing SHA256SUMS，然后替换此文件。',
      },
    };
  if (existsSync(join(root, 'src', 'main.ts')))
    return {
      kind: { en: 'a checkout of the source', zh: '源代码检出' },
      at: root,
      how: { en: 'To update: run git pull && npm ci there.', zh: '更新方法：在该文件夹运行 git pull && npm ci。' },
    };
  const modules = dirname(root);
  if (basename(dirname(dirname(modules))) === '_npx')
    return {
      kind: { en: 'run by npx', zh: '由 npx 运行' },
      at: root,
      how: { en: 'To update: run npx sanbot@latest.', zh: '更新方法：运行 npx sanbot@latest。' },
    };
  // A project has a manifest beside its packages; what is global has none.
  return existsSync(join(dirname(modules), 'package.json'))
    ? {
        kind: { en: 'a package of a project', zh: '项目中的包' },
        at: root,
        how: { en: 'To update: run npm install sanbot@latest in the project.', zh: '更新方法：在该项目中运行 npm install sanbot@latest。' },
      }
    : {
        kind: { en: 'installed globally by npm', zh: '由 npm 全局安装' },
        at: root,
        how: { en: 'To update: run npm install -g sanbot@latest.', zh: '更新方法：运行 npm install -g sanbot@latest。' },
      };
}
