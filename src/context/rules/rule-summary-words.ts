/** The fixed phrases of a rule summary in its two languages; quotations stay in their own language. */
export type SummaryWords = Readonly<typeof english>;

export const english = {
  goal: 'First request',
  done: 'Done',
  unfinished: 'Not finished when this was written',
  result: '->',
  notice: 'Notice of the program',
  tools: 'Tools used',
  programs: 'Programs run',
  fileTypes: 'Kinds of files changed',
  counts: (asked: number, calls: number, failed: number) =>
    `So far in this part: ${asked} messages of the user, ${calls} tool calls, ${failed} of them failed.`,
  times: (times: number) => (times === 1 ? 'once' : `${times} times`),
  lastRequest: 'Latest request',
  earlierRequest: 'Last request before the newest',
  before: 'From before',
  stillFails: 'not seen to work since',
  laterWorked: 'worked later',
  snippet: 'Code shown',
  askedToKeep: 'The user asked to keep',
  none: 'None.',
};

export const chinese: SummaryWords = {
  goal: '最初的请求',
  done: '已完成',
  unfinished: '写下本摘要时尚未完成',
  result: '→',
  notice: '程序通知',
  tools: '用过的工具',
  programs: '运行过的程序',
  fileTypes: '改动的文件类型',
  counts: (asked, calls, failed) => `这一段：用户消息 ${asked} 条，工具调用 ${calls} 次，其中失败 ${failed} 次。`,
  times: (times) => `${times} 次`,
  lastRequest: '最近的请求',
  earlierRequest: '最新请求之前的请求',
  before: '此前',
  stillFails: '之后未见成功',
  laterWorked: '后来成功',
  snippet: '给出的代码',
  askedToKeep: '用户要求保留',
  none: '无。',
};
