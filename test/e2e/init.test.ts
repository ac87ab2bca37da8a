import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

/** A project as people have them, in a world without a key. */
function project(): Sandbox {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const files = {
    'package.json': JSON.stringify({ name: 'cart', description: 'Adds `up`.', scripts: { test: 'vitest run', lint: 'biome check' } }),
    'pnpm-lock.yaml': '',
    'src/cart.ts': 'export {};\n',
    'src/page/view.ts': 'export {};\n',
    'test/cart.test.js': '',
    'node_modules/other/index.py': '',
    Makefile: 'release: src\n\techo\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(world.cwd, path, '..'), { recursive: true });
    writeFileSync(join(world.cwd, path), text);
  }
  return world;
}

async function init(
  world: Sandbox,
  answer: (send: (keys: string) => void, waitFor: (text: string | RegExp) => Promise<unknown>) => Promise<void>,
) {
  const terminal = await world.runAtTerminal(['--trust']);
  await terminal.waitFor('> ');
  terminal.send('/init\r');
  await answer(terminal.send, terminal.waitFor);
  terminal.send('/quit\r');
  await terminal.exit;
}

describe('/init', () => {
  test('shows a first AGENTS.md made of what lies in the folder, and writes it after a yes, without a model', async () => {
    const world = project();
    await init(world, async (send, waitFor) => {
      await waitFor(/# cart[\s\S]*pnpm test[\s\S]*Write this to AGENTS\.md\?/);
      expect(existsSync(join(world.cwd, 'AGENTS.md'))).toBe(false);
      await waitFor('other keys are kept');
      send('y');
      await waitFor('Wrote AGENTS.md');
    });
    expect(readFileSync(join(world.cwd, 'AGENTS.md'), 'utf8')).toBe(
      [
        '# cart',
        'Adds up.',
        'Written in TypeScript and JavaScript.',
        '## Commands',
        '- `pnpm install`\n- `pnpm test`: vitest run\n- `pnpm run lint`: biome check\n- `make release`',
        '## Layout',
        '- `src/`: 2 files\n- `test/`: 1 file',
        '## Conventions',
        'Say here what cannot be seen in the code: rules of style, what must not be changed, how a change is checked before it is done.\n',
      ].join('\n\n'),
    );
  });

  test('writes nothing after Enter alone, which is a no', async () => {
    const world = project();
    await init(world, async (send, waitFor) => {
      await waitFor(/how a change is\r?\nchecked before/);
      await waitFor('other keys are kept');
      send('\r');
      await waitFor('Nothing was written.');
    });
    expect(existsSync(join(world.cwd, 'AGENTS.md'))).toBe(false);
  });

  test.each(['AGENTS.md', 'CLAUDE.md', 'SANBOT.md'])('leaves a %s that is there alone, and says what to do', async (name) => {
    const world = project();
    writeFileSync(join(world.cwd, name), 'ours\n');
    await init(world, async (_send, waitFor) => {
      await waitFor(`${name} exists already and was not touched.`);
    });
    expect(readFileSync(join(world.cwd, name), 'utf8')).toBe('ours\n');
  });

  test('makes something of an empty folder, and obeys nothing in names and scripts', async () => {
    const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
    writeFileSync(
      join(world.cwd, 'package.json'),
      JSON.stringify({ name: 'x`\n# y', scripts: { 'a b': 'no', ok: 'do `this`\n<!-- -->' } }),
    );
    await init(world, async (send, waitFor) => {
      await waitFor(/# x # y[\s\S]*`npm run ok`: do this !-- --/);
      await waitFor('other keys are kept');
      send('\r');
      await waitFor('Nothing was written.');
    });
  });
});
