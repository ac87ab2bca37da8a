import { defineCommand, grammarOf } from '../command.ts';

export const demoCommand = defineCommand({
  grammar: () =>
    grammarOf('demo', {
      en: 'watch what SanBot does when the context fills up, on a made-up job in a temporary folder',
      zh: '在临时文件夹中用虚构任务演示上下文填满时 SanBot 的处理',
    })
      .option('--keep', { en: 'keep the folder, so that you can look around in it', zh: '保留该文件夹，以便查看' })
      .examples({
        'sanbot demo': { en: 'needs no key and no network, and touches none of your files', zh: '不需要密钥和网络，也不会触碰你的文件' },
      }),
  hasHome: false,
  load: () => import('./demo.ts'),
  run: async (options, context, load) => (await load()).runDemo(options, context),
});
