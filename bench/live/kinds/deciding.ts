/** Work that judges many texts by rules that were given once. */
import { json, type Kind } from '../task.ts';
import { between, filler, numbers, pick, two } from '../words.ts';

const triage: Kind = {
  name: 'triage',
  make: (random, language) => {
    const labels: Record<string, string> = {};
    const files = new Map<string, string>();
    for (const n of numbers(85)) {
      const fact = {
        area: pick(random, ['login', 'export', 'billing', 'search']),
        version: between(random, 3, 7),
        customers: between(random, 1, 60),
        lost: pick(random, ['yes', 'no', 'no']),
        workaround: pick(random, ['yes', 'no']),
      };
      labels[two(n)] = labelOf(fact);
      const lines = Object.entries(fact).map(([key, value]) => `${key}: ${value}`);
      files.set(`reports/${two(n)}.txt`, `${filler(random, language, 720)}${lines.join('\n')}\n${filler(random, language, 600)}`);
    }
    const what = {
      en: 'Give each report of reports one label, the first of these that applies: 1. version below 5: "too-old"; 2. lost is yes, in billing: "stop-release"; 3. lost is yes: "data-loss"; 4. more than 40 customers and no workaround: "urgent"; 5. in login and no workaround: "urgent"; 6. more than 40 customers: "soon"; 7. a workaround: "later"; 8. "normal". Write labels.json: { "labels": { "NN": "LABEL", … } } for all reports.',
      zh: '请给 reports 中的每份报告一个标签，取以下第一条适用的：1. version 低于 5：“too-old”；2. lost 为 yes 且属于 billing：“stop-release”；3. lost 为 yes：“data-loss”；4. customers 超过 40 且没有 workaround：“urgent”；5. 属于 login 且没有 workaround：“urgent”；6. customers 超过 40：“soon”；7. 有 workaround：“later”；8. “normal”。请写出 labels.json：{ "labels": { "NN": "LABEL", … } }，包含所有报告。',
    }[language];
    return { files, wanted: new Map([['labels.json', json({ labels })]]), what };
  },
};

type Fact = {
  readonly area: string;
  readonly version: number;
  readonly customers: number;
  readonly lost: string;
  readonly workaround: string;
};

function labelOf({ area, version, customers, lost, workaround }: Fact): string {
  if (version < 5) return 'too-old';
  if (lost === 'yes') return area === 'billing' ? 'stop-release' : 'data-loss';
  const isHard = workaround === 'no';
  if (isHard && (customers > 40 || area === 'login')) return 'urgent';
  if (customers > 40) return 'soon';
  return isHard ? 'normal' : 'later';
}

const topics = {
  en: [
    'the colour of the boxes',
    'the day of deliveries',
    'the printer at gate 4',
    'the name of the portal',
    'the hours of support',
    'the language of invoices',
    'the size of pallets',
    'the backup site',
  ],
  zh: ['箱子的颜色', '送货的日子', '四号门的打印机', '门户的名称', '客服的时间', '发票的语言', '托盘的尺寸', '备份地点'],
} as const;

const decisions: Kind = {
  name: 'decisions',
  make: (random, language) => {
    const state: Record<string, string> = {};
    const files = new Map<string, string>();
    for (const n of numbers(85)) {
      const topic = pick(random, topics[language]);
      const choice = `${pick(random, ['A', 'B', 'C', 'D'])}${between(random, 1, 30)}`;
      const how = pick(random, ['decided', 'decided', 'proposed', 'withdrawn'] as const);
      if (how === 'decided') state[topic] = choice;
      if (how === 'withdrawn') delete state[topic];
      const said = {
        en: {
          decided: `Decided on ${topic}: ${choice}.`,
          proposed: `Proposed on ${topic}: ${choice}. Nobody agreed yet.`,
          withdrawn: `What was decided on ${topic} is withdrawn.`,
        },
        zh: {
          decided: `关于${topic}，决定为 ${choice}。`,
          proposed: `关于${topic}，有人提议 ${choice}，尚未同意。`,
          withdrawn: `关于${topic}的决定撤回。`,
        },
      }[language][how];
      files.set(`minutes/${two(n)}.md`, `${filler(random, language, 740)}\n${said}\n\n${filler(random, language, 600)}`);
    }
    const what = {
      en: `The minutes are in the order of their numbers. Write decisions.json: { "decisions": { "TOPIC": "CHOICE", … } } with what holds after the last of them. A later decision replaces an earlier one; one that was withdrawn does not hold unless it is decided anew; a proposal changes nothing. The topics, to be named just so: ${topics.en.join('; ')}.`,
      zh: `minutes 按编号先后排列。请写出 decisions.json：{ "decisions": { "TOPIC": "CHOICE", … } }，写最后一份之后仍有效的决定。后面的决定取代前面的；撤回的决定无效，除非重新决定；提议不改变任何事。主题名称须照此书写：${topics.zh.join('；')}。`,
    }[language];
    return { files, wanted: new Map([['decisions.json', json({ decisions: state })]]), what };
  },
};

export const deciding: readonly Kind[] = [triage, decisions];
