import { type Bilingual, quotedText } from '../../../domain/language.ts';

const command = (name: string): string => `sanbot mcp login ${name}`;

/** Why there is no sign-in, in words that follow the server's name and a colon. */
export const signInReasons = {
  wanted: (name: string): Bilingual => ({ en: `it wants you to sign in: ${command(name)}`, zh: `它要求登录：${command(name)}` }),
  over: (name: string, why: Bilingual): Bilingual => ({
    en: `your sign-in is no longer valid (${why.en}): ${command(name)}`,
    zh: `你的登录已失效（${why.zh}）：${command(name)}`,
  }),
  notRenewable: { en: 'it cannot be renewed', zh: '无法续期' },
  noWayBack: (why: Bilingual): Bilingual => ({ en: `no way back from the browser: ${why.en}`, zh: `无法接收浏览器的回应：${why.zh}` }),
  nobodyCame: (minutes: number): Bilingual => ({
    en: `nobody signed in within ${minutes} minutes`,
    zh: `${minutes} 分钟内没有人登录`,
  }),
  refused: (why: string): Bilingual => ({ en: `the sign-in was refused: ${why}`, zh: `登录被拒绝：${quotedText(why).zh}` }),
  noServer: { en: 'the sign-in has no server', zh: '没有找到负责登录的服务器' },
  noMetadata: (server: string): Bilingual => ({
    en: `${server} does not say how it signs people in (no OAuth metadata)`,
    zh: `${server} 没有说明如何登录（没有 OAuth 元数据）`,
  }),
  noPkce: (server: string): Bilingual => ({
    en: `${server} does not say that it takes PKCE with S256 (code_challenge_methods_supported), without which whoever sees a code could sign in with it; the MCP specification forbids it, and only the server can fix it`,
    zh: `${server} 没有声明支持 S256 方式的 PKCE（code_challenge_methods_supported），否则任何看到授权码的人都能用它登录；MCP 规范不允许这样，只有服务器能修正`,
  }),
  notSealed: (address: string): Bilingual => ({
    en: `${address} is neither https nor on this machine, so nothing secret is sent there`,
    zh: `${address} 既不是 https 也不在本机，因此不会向其发送任何机密`,
  }),
  notAgreed: {
    en: 'you have not agreed to where it signs people in, so nothing was sent there',
    zh: '你没有同意其登录地址，因此没有向其发送任何内容',
  },
  unasked: {
    en: 'where it signs people in needs your yes: run it at a terminal, or with --yes',
    zh: '其登录地址需要你同意：请在终端中运行，或加上 --yes',
  },
  otherIssuer: (issuer: string): Bilingual => ({
    en: `the browser came back from ${issuer}, where nobody was asked`,
    zh: `浏览器是从 ${issuer} 返回的，而登录并不是在那里进行的`,
  }),
  moved: { en: 'where it is renewed was never agreed to', zh: '续期地址从未得到同意' },
  otherWayBack: {
    en: 'it registered another way back from the browser than the one it was told',
    zh: '它登记的浏览器返回地址与所告知的不同',
  },
  noToken: { en: 'what it gave is no token that can be sent', zh: '它给出的不是可以发送的令牌' },
  noPage: (address: string): Bilingual => ({
    en: `it names no page to sign in at: ${address}`,
    zh: `它给出的不是可以登录的网页：${address}`,
  }),
} as const;

/** What the page says on which the browser ends. */
export const callbackPages = {
  nothing: { en: 'There is nothing here.', zh: '这里什么也没有。' },
  anotherOne: { en: 'This is not the sign-in that is being waited for.', zh: '这不是正在等待的登录。' },
  noCode: { en: 'There is no code in this address.', zh: '此地址中没有授权码。' },
  failed: { en: 'You are not signed in. The terminal says why.', zh: '没有登录。终端中说明了原因。' },
  back: {
    en: 'You are back. The terminal says whether you are signed in; this page can be closed.',
    zh: '已返回。终端中会说明是否已登录；可以关闭此页面。',
  },
} as const;

/** Why a request to a server is not made, or its answer not taken. */
export const fetchReasons = {
  noServerAddress: (protocol: string): Bilingual => ({
    en: `${protocol} is not the address of a server`,
    zh: `${protocol} 不是服务器的地址`,
  }),
  redirects: (to: string): Bilingual => ({
    en: `it redirects to ${to}, and no redirect is followed with a token or with headers of your settings`,
    zh: `它重定向到 ${to}，而带令牌或带你设置的请求头时从不跟随重定向`,
  }),
  silent: (server: string, seconds: number): Bilingual => ({
    en: `${server} gave no answer within ${seconds} s`,
    zh: `${server} 在 ${seconds} 秒内没有应答`,
  }),
  noBody: { en: 'a request has a body of an unknown kind', zh: '请求的正文类型未知' },
  notPublic: (what: string): Bilingual => ({
    en: `${what} is not a public address; only your own settings can name a server on this machine or in your network`,
    zh: `${what} 不是公网地址；只有你自己的设置才能指定本机或内网中的服务器`,
  }),
} as const;
