/** The fixed phrases of a rule summary in its two languages; quotations stay in their own language. */
export type SummaryWords = ReturnType<typeof wordsIn>;

type Say = <Words>(en: Words, zh: Words) => Words;

const exchangeWords = (say: Say) => ({
  goal: say('First request', '最初的请求'),
  done: say('Done', '已完成'),
  answered: say('Answered', '已回答'),
  said: say('The user said', '用户说'),
  undone: say('Done, but undone later', '做过，后来撤销了'),
  stopped: say('Stopped by the user', '被用户中止'),
  brokenOff: say('Begun, then the user went on', '已开始，未完成时用户又提了别的'),
  checkFailed: say('Worked on, its last check failed', '做过，最后一次检查未通过'),
  partly: say('Worked on, said not to be all done', '做过，据称尚未全部完成'),
  checkFails: say('Failed when last run', '最近一次运行失败'),
  overruled: say('Overruled later', '后来推翻'),
  disputed: say('Result not accepted by the user', '结果未被用户认可'),
  unfinished: say('Not finished when this was written', '写下本摘要时尚未完成'),
  answers: say('in answer to', '所回答的话'),
  changed: say('changed', '改动了'),
  ran: say('ran', '运行了'),
  pasted: (lines: number) => say(`[${lines} more lines like it]`, `[另有 ${lines} 行类似内容]`),
  leftOut: (chars: number) => say(`[… ${chars} characters left out …]`, `[……略去 ${chars} 个字符……]`),
  requestsLeftOut: (requests: number) =>
    say(
      `(${requests} more ${requests === 1 ? 'request' : 'requests'}, left out for room; recall finds them)`,
      `（另有 ${requests} 条请求因篇幅略去，可用 recall 查找）`,
    ),
  linesLeftOut: (lines: number) =>
    say(`(${lines} more, left out for room; recall finds them)`, `（另有 ${lines} 条因篇幅略去，可用 recall 查找）`),
  latestOpen: say('The latest request.', '最近的请求。'),
  progress: {
    soFar: say(
      'What is left of the latest request. Done for it before the messages that follow:',
      '最近的请求中剩下的部分。在后面的消息之前已为它做了：',
    ),
    nothing: say(
      'The latest request: before the messages that follow, nothing was changed or run for it.',
      '最近的请求：在后面的消息之前，还没有为它改动或运行过什么。',
    ),
    files: say('changed', '改动了'),
    worked: say('ran and worked', '运行成功'),
    failed: say('failed when last run', '最近一次运行失败'),
    next: say('said to come next', '说过接下来要做'),
  },
});

const workWords = (say: Say) => ({
  tasksOpen: say('What is open in the task list.', '任务列表中未完成的各项。'),
  folder: say('Working folder of the last commands', '最近命令所在的目录'),
  result: say('->', '→'),
  notice: say('Notice of the program', '程序通知'),
  tools: say('Tools used', '用过的工具'),
  programs: say('Programs run', '运行过的程序'),
  languages: say('Languages of code blocks', '代码块的语言'),
  counts: (asked: number, calls: number, failed: number) =>
    say(
      `So far in this part: ${asked} messages of the user, ${calls} tool calls, ${failed} of them failed.`,
      `这一段：用户消息 ${asked} 条，工具调用 ${calls} 次，其中失败 ${failed} 次。`,
    ),
  times: (times: number) => say(times === 1 ? 'once' : `${times} times`, `${times} 次`),
  lastRequest: say('Latest request', '最近的请求'),
  earlierRequest: say('Last request in the part summarised here', '此处摘要的最后一个请求'),
  edits: {
    added: say('new', '新增'),
    inside: say('in', '改动'),
    removed: say('removed', '删除'),
    written: (lines: number) => say(`written whole, ${lines} lines`, `整个写入，${lines} 行`),
  },
  state: {
    branch: say('Branch', '分支'),
    commit: say('Last commit', '最近的提交'),
    pushed: say('Pushed since that commit', '该提交之后已推送'),
    uncommitted: say('Edited and not seen committed', '已改动、未见提交'),
    edit: say('Last edit', '最后一次改动'),
    checked: say('Run since the last edit', '最后一次改动之后运行过'),
  },
  yes: say('yes', '是'),
  notSeen: say('not seen', '未见'),
  passed: say('worked', '成功'),
  failed: say('failed', '失败'),
  unclear: say('result not clear', '结果不明'),
  before: say('From before', '此前'),
  failureStates: { fails: say('not seen to work since', '之后未见成功'), worked: say('worked later', '后来成功') },
  workedAfter: (files: string) => say(`worked after edits of ${files}`, `改动后成功：${files}`),
  shownBy: (command: string) => say(`${command} worked later`, `${command} 后来成功`),
  askedToKeep: say('The user asked to keep', '用户要求保留'),
  none: say('None.', '无。'),
});

const wordsIn = (say: Say) => ({ ...exchangeWords(say), ...workWords(say) });

export const english = wordsIn((en) => en);
export const chinese = wordsIn((_, zh) => zh);

/** Of a summary it is not known in which of them it was written. */
export const summaryLanguages = [english, chinese];
