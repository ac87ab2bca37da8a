import type { Message } from '../../src/domain/session/message.ts';
import { says, user } from './build.ts';
import { edit, run } from './work-calls.ts';

/** A talk with what of it is open at its end, and what is not any more, each by words that stand in it. */
export type PlayedTalk = {
  readonly name: string;
  readonly lines: string;
  readonly open: readonly string[];
  readonly closed: readonly string[];
};

/** `> ` the user, `< ` the model, `+ FILE` an edit, `$ COMMAND => OUTPUT` a command that worked, `! COMMAND => OUTPUT` one that failed. */
export const messagesOf = ({ lines }: PlayedTalk): readonly Message[] =>
  lines
    .trim()
    .split('\n')
    .flatMap((line): readonly Message[] => {
      const [mark, text] = [line.slice(0, 1), line.slice(2)];
      const [command = '', output = ''] = text.split(' => ');
      if (mark === '>') return [user(text)];
      if (mark === '<') return [says(text)];
      return mark === '+' ? edit(text) : run(command, output, mark === '!');
    });

export const playedTalks: readonly PlayedTalk[] = [
  {
    name: 'coding, English',
    lines: `
> Add a retry to the parcel client. It is for the warehouse people, who lose the connection all day.
$ cat src/parcel.ts => export async function send() {}
+ src/parcel.ts
! npm test => FAIL parcel.test.ts: expected 3 tries, got 1
< The retry is in, but the test still expects another count.
> Use exponential backoff, at most three tries.
+ src/parcel.ts
$ npm test => 12 passed
< Done: three tries with backoff, all tests pass.
> Good. TODO: add an index on parcels.sent_at, but not today.
< Noted. I have not touched the database.
> Later we must also update the changelog.
< Okay, the changelog comes later.
> Now rename send to sendParcel everywhere.
+ src/parcel.ts
+ src/depot.ts
! npm test => FAIL depot.test.ts: send is not a function
< Renamed in both files. One test in depot.test.ts still fails, because the mock has the old name.
`,
    open: ['index on parcels.sent_at', 'update the changelog', 'One test in depot.test.ts still fails', 'npm test'],
    closed: ['exponential backoff'],
  },
  {
    name: 'coding, Chinese',
    lines: `
> 给订单页加分页，每页 20 条。
+ web/orders.tsx
$ npm test => 8 passed
< 分页已经加好，测试全部通过。
> 登录页的验证码也坏了，修一下。
+ web/login.tsx
! npm test => FAIL login.test.tsx: 验证码为空
< 改了两处，但登录页还没修好。
> 先放着。还剩：给 orders.created_at 加索引。
< 好的，索引还没加。
> 国际化的事回头再做。
< 明白，国际化先不动。
`,
    open: ['登录页还没修好', 'orders.created_at', '国际化'],
    closed: ['每页 20 条'],
  },
  {
    name: 'ops, English',
    lines: `
> The disk of mail-03 is full, find out why.
$ df -h => /var 100%
$ du -sh /var/* => 40G /var/spool
< /var/spool holds 40 GB of bounced mail.
> Delete the bounces that are older than a month.
$ find /var/spool/bounce -mtime +30 -delete => 
< They are deleted, /var is at 60 % now.
> Set up logrotate for the mail log.
+ /etc/logrotate.d/mail
! logrotate -f /etc/logrotate.d/mail => error: bad rotation count
< logrotate refuses the count.
+ /etc/logrotate.d/mail
$ logrotate -f /etc/logrotate.d/mail => ok
< It rotates now.
> Should the backups go to Hetzner or to the office?
< Both would work. I need your decision: Hetzner is cheaper, the office is nearer.
> I'll ask Marta. Next step: run the restore on staging.
< The restore on staging has not been run yet.
`,
    open: ['Hetzner', 'restore on staging'],
    closed: ['bad rotation count', 'older than a month'],
  },
  {
    name: 'ops, Chinese',
    lines: `
> 把网关从 1.24 升到 1.26。
$ kubectl get nodes => 3 nodes
! helm upgrade gateway => Error: timed out waiting for the condition
< 升级超时了，还没有成功。
> 把超时调到十分钟再试。
$ helm upgrade gateway --timeout 10m => upgraded
< 升级完成，网关是 1.26 了。
> 证书续期的脚本先不写，等运维确认。
< 好，证书续期等运维确认。
> 还没做的还有压测。
< 是的，压测还没开始。
`,
    open: ['证书续期', '压测'],
    closed: ['超时'],
  },
  {
    name: 'chat, English',
    lines: `
> I am planning a week in Lisbon in May with my two kids.
< Lovely. The tram 28, the aquarium and Sintra are good with children.
> We do not want to rent a car.
< Then trains and trams it is; Sintra is forty minutes by train.
> Which area should we stay in?
< Alfama is charming but steep; Campo de Ourique is flat and quiet.
> Campo de Ourique then. I still have to ask my sister whether she comes along.
< Good choice. Let me know about your sister, then I can look at flats for four or five.
> Remind me to book the aquarium, I have not done it yet.
< I will mention it: the aquarium is not booked yet.
`,
    open: ['ask my sister', 'book the aquarium'],
    closed: ['rent a car'],
  },
  {
    name: 'chat, Chinese',
    lines: `
> 帮我想想给妈妈的六十岁生日怎么过。
< 可以办家宴、去泡温泉，或者拍一组全家福。
> 家宴吧，人不要太多，十个左右。
< 好，那就十人左右的家宴，可以订一个包间。
> 蛋糕我已经订好了。
< 蛋糕订好了，很好。
> 包间还没订，另外礼物要不要买金饰，我再想想。
< 包间还没订；礼物等你想好再说。
`,
    open: ['包间还没订', '金饰'],
    closed: ['全家福'],
  },
  {
    name: 'data, English',
    lines: `
> Load the sensor CSV and give me the mean per station.
$ python mean.py => station A 12.1, station B 9.8
< Station A has a mean of 12.1, station B of 9.8.
> There are negative values, drop them.
+ mean.py
$ python mean.py => station A 12.4, station B 10.1
< Without the negatives: A 12.4, B 10.1.
> Actually keep them, they are real: frost. Use the median instead.
+ mean.py
$ python mean.py => station A 12.0, station B 9.9
< The negatives are in again; the medians are 12.0 and 9.9.
> Plot it per month.
+ plot.py
! python plot.py => ModuleNotFoundError: No module named 'matplotlib'
< The plot could not be made: matplotlib is not installed.
> I will install it tonight. What is also missing is station C, the file comes on Friday.
< Then station C and the plot are open.
`,
    open: ['could not be made', 'station C'],
    closed: ['drop them'],
  },
  {
    name: 'data, Chinese',
    lines: `
> 统计一下每个门店上个月的退货率。
$ python rate.py => 一店 3%，二店 5%
< 一店 3%，二店 5%。
> 二店的数据有重复，去重。
+ rate.py
$ python rate.py => 一店 3%，二店 4%
< 去重之后二店是 4%。
> 还要按品类拆开，不过三店的数据还没到。
! python rate.py --by category => KeyError: 'category'
< 按品类拆分报错了：表里没有 category 这一列，还没解决。
> 那先问数据组要映射表。
< 好，需要数据组提供品类映射表。
`,
    open: ['category', '三店的数据还没到', '映射表'],
    closed: ['去重'],
  },
  {
    name: 'writing, English',
    lines: `
> Help me with a letter to the landlord about the damp wall. Keep it polite and under a page.
+ letter.md
< Here is a draft of two hundred words.
> Leave out the bit about the lawyer.
+ letter.md
< The lawyer is out.
> Change "damp" to "mould" everywhere.
+ letter.md
< Done.
> Wait, no, I changed my mind: it is damp, not mould. Put it back.
+ letter.md
< It says damp again.
> I still need to add the photos. And we have not decided yet whether to send it by post or by mail.
< Right, the photos are missing and the way of sending is open.
`,
    open: ['add the photos', 'by post or by mail'],
    closed: ['about the lawyer'],
  },
  {
    name: 'research, mixed',
    lines: `
> Compare the three papers on peat bogs in ~/papers, and answer in English.
$ ls ~/papers => a.pdf b.pdf c.pdf
$ pdftotext a.pdf => water level
< Paper a argues from the water level, b from pollen.
> What does c say?
! pdftotext c.pdf => Syntax Error: Couldn't read xref table
< c.pdf is damaged, I could not read it.
> 我找作者要一份。另外 b 的图 3 还没核对。
< Figure 3 of b has not been checked yet.
> Write the first paragraph.
+ review.md
< The first paragraph is written.
> The second paragraph can wait until I have c.
< Then the second paragraph waits for c.
`,
    open: ['c.pdf', '图 3 还没核对', 'second paragraph'],
    closed: ['first paragraph is written'],
  },
];
