import { parentPort } from 'node:worker_threads';
import type { ParserName, Parsers, Reply, Task } from './parsers.ts';

type Parse<Name extends ParserName> = (input: Parsers[Name]['input']) => Parsers[Name]['output'] | Promise<Parsers[Name]['output']>;

/** Where each parser is; its library is loaded with it. What it says on the way is for nobody. */
const load: { readonly [Name in ParserName]: () => Promise<Parse<Name>> } = {
  page: async () => (await import('../web/page-text.ts')).markdownOf,
  pdf: async () => (await import('../files/media/pdf-text.ts')).textOfPdf,
};

async function run<Name extends ParserName>(name: Name, input: Parsers[Name]['input']): Promise<Reply> {
  try {
    const parse = await load[name]();
    return { kind: 'parsed', output: await parse(input) };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : 'unknown failure' };
  }
}

/** A thread that is given texts one after the other, and answers each with what it parsed. */
parentPort?.on('message', async (task: Task) => {
  if (task.kind === 'prepare') await load[task.name]().catch(() => undefined);
  else parentPort?.postMessage(await run(task.name, task.input));
});
