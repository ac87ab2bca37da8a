import type { Bilingual } from '../../domain/language.ts';
import { quantity } from '../tool.ts';

/** What a person reads of servers, and the model of their tools. */
export const mcpText = {
  missing: (names: readonly string[], isWithheld: boolean): Bilingual =>
    isWithheld
      ? {
          en: `it asks for ${names.join(', ')} of your environment, which a project gets only after you have seen that it does: sanbot trust add`,
          zh: `它要使用环境变量 ${names.join('、')}，而项目只有在你知情之后才能得到：sanbot trust add`,
        }
      : {
          en: `it needs ${names.join(', ')} from the environment, which is not set`,
          zh: `它需要环境变量 ${names.join('、')}，但没有设置`,
        },
  noAnswer: (ms: number): Bilingual => ({ en: `it gave no answer within ${ms / 1000} s`, zh: `它在 ${ms / 1000} 秒内没有应答` }),
  closed: { en: 'the connection was closed', zh: '连接已关闭' },
  noAddress: { en: 'its url does not begin with https:// or http://', zh: '它的 url 不是以 https:// 或 http:// 开头的地址' },
  endless: { en: 'it printed without end', zh: '它不停地输出' },
  longLine: (bytes: number): Bilingual => ({ en: `it printed a line of more than ${bytes} bytes`, zh: `它输出了超过 ${bytes} 字节的一行` }),
  notRunning: { en: 'it is not running', zh: '它没有在运行' },
  exited: (code: number): Bilingual => ({ en: `it ended with exit code ${code}`, zh: `它已结束，退出码 ${code}` }),
  killed: (signal: string): Bilingual => ({ en: `it was killed by ${signal}`, zh: `它被 ${signal} 终止` }),
  notConnected: { en: 'there is no connection', zh: '没有连接' },
  lost: (server: string, why: Bilingual): Bilingual => ({
    en: `The MCP server ${server} does not answer: ${why.en.replace(/\.$/, '')}. It is tried again when one of its tools is called.`,
    zh: `MCP 服务器 ${server} 没有响应：${why.zh}。调用它的工具时会再次尝试。`,
  }),
  throughProxy: (server: string): Bilingual => ({
    en: `The MCP server ${server} of this project is reached through the proxy, which alone knows what address that is.`,
    zh: `此项目的 MCP 服务器 ${server} 通过代理访问，只有代理知道那是什么地址。`,
  }),
  changed: (server: string, count: number): Bilingual => ({
    en: `The MCP server ${server} has changed what it says of ${quantity(count, 'tool')}, or has more. They are not used until you agree: /mcp approve ${server}, or sanbot mcp approve ${server}.`,
    zh: `MCP 服务器 ${server} 更改了 ${count} 个工具的说明，或新增了工具。在你同意之前不会使用：/mcp approve ${server}，或 sanbot mcp approve ${server}。`,
  }),
  leftOut: (server: string, names: Bilingual, count: number): Bilingual => ({
    en: `Of the MCP server ${server}, ${quantity(count, 'tool')} cannot be used: ${names.en}.`,
    zh: `MCP 服务器 ${server} 有 ${count} 个工具无法使用：${names.zh}。`,
  }),
  noGreeting: {
    en: 'it answers, but not as the Model Context Protocol has it: no version that can be read',
    zh: '它有应答，但不合 Model Context Protocol：没有可读的版本',
  },
  otherVersion: (version: string): Bilingual => ({
    en: `it speaks another version of the Model Context Protocol: ${JSON.stringify(version)}`,
    zh: `它使用另一版本的 Model Context Protocol：${JSON.stringify(version)}`,
  }),
  noList: { en: 'it gave no list of tools', zh: '它没有给出工具列表' },
  endlessList: { en: 'the list has no end', zh: '列表没有结尾' },
  noContent: { en: 'its result has no list of content', zh: '它的结果没有 content 列表' },
  unfinished: (type: string): Bilingual => ({
    en: `it is not done: its result is of the type ${type}, which SanBot does not answer`,
    zh: `它没有完成：结果类型为 ${type}，SanBot 不作应答`,
  }),
  unusable: (why: Bilingual): Bilingual => ({ en: `the tool cannot be used: ${why.en}`, zh: `此工具无法使用：${why.zh}` }),
  notAgreed: {
    en: 'the server has changed what it says of this tool, so it cannot be used until the user agrees (/mcp approve). Tell the user.',
    zh: '服务器更改了对此工具的说明，在用户同意（/mcp approve）之前不能使用。请告知用户。',
  },
  noSuchTool: { en: 'the server has no such tool. tool_search finds tools.', zh: '服务器没有此工具。tool_search 可查找工具。' },
  notKnown: (server: string): Bilingual => ({
    en: `The tools of the MCP server ${server} are not known yet, so alwaysLoad takes effect in the next session; until then tool_search finds them.`,
    zh: `还不知道 MCP 服务器 ${server} 的工具，因此 alwaysLoad 在下一个会话生效；在此之前由 tool_search 查找。`,
  }),
  tooMany: (server: string, count: number): Bilingual => ({
    en: `Of the MCP server ${server}, ${quantity(count, 'tool')} of alwaysLoad would take too much of the context; tool_search finds them.`,
    zh: `MCP 服务器 ${server} 的 alwaysLoad 中有 ${count} 个工具会占用过多上下文；由 tool_search 查找。`,
  }),
};
