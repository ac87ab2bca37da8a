import { defineCommand, grammarOf } from '../command.ts';

export const demoCommand = defineCommand({
  grammar: () =>
    grammarOf('demo', {
      en: 'watch a short session: an edit, a context that fills up, a summary, an undo',
      zh: '观看一次简短的会话：一次编辑、上下文填满、生成摘要、撤销',
    })
      .option('--fast', { en: 'without pauses', zh: '不停顿' })
      .option('--keep', { en: 'keep the folder, so that you can look around in it', zh: '保留该文件夹，以便查看' })
      .examples({
        'sanbot demo': {
          en: '20 seconds; needs no key and no network, and touches none of your files',
          zh: '约 20 秒；不需要密钥和网络，也不会触碰你的文件',
        },
      }),
  hasHome: false,
  load: () => import('./demo.ts'),
  run: async (options, context, load) => (await load()).runDemo(options, context),
});
