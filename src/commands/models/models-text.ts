import type { KeptCatalogue } from '../../domain/config/catalogue.ts';
import type { Price } from '../../domain/config/config.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { Source } from '../../model/catalog.ts';
import type { CatalogueInUse } from '../../runtime/models/catalogue.ts';
import { formatCount, formatDollars } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

export type ModelListing = {
  readonly name: string;
  readonly isDefault: boolean;
  readonly windowTokens: number | null;
  readonly windowFrom: 'settings' | 'table' | 'assumed' | null;
  readonly maxOutputTokens: number | null;
  /** Dollars for a million tokens. */
  readonly price: (Price & { readonly step?: { readonly aboveInputTokens: number; readonly price: Price } }) | null;
  readonly priceFrom: 'settings' | 'table' | null;
  readonly images: boolean | null;
  readonly tools: boolean | null;
  readonly reasons: boolean | null;
  readonly sources: readonly Source[];
};

export type EndpointListing = {
  readonly name: string;
  /** Null for a host that no endpoint is set for. */
  readonly provider: string | null;
  readonly host: string | null;
  readonly problem: Bilingual | null;
  readonly models: readonly ModelListing[];
};

export type ModelsListing = { readonly endpoints: readonly EndpointListing[]; readonly others: readonly EndpointListing[] };

export function modelsJson({ endpoints, others }: ModelsListing, inUse: CatalogueInUse): string {
  const catalogue = inUse.kind === 'kept' ? { catalogue: { from: inUse.kept.from, at: inUse.kept.at } } : {};
  const shown = { endpoints: endpoints.map(endpointJson), others: others.map(endpointJson), offline: 'offline', ...catalogue };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

export const catalogueText = ({ from, at }: KeptCatalogue): string =>
  safeLine(
    localize({
      en: `Windows and prices of ${from}, taken ${at.slice(0, 10)}, come before the built-in table; sanbot models --forget removes them.`,
      zh: `优先使用 ${at.slice(0, 10)} 从 ${from} 取得的窗口和价格，其次是内置表；sanbot models --forget 可将其删除。`,
    }),
  );

const endpointJson = (endpoint: EndpointListing) => ({ ...endpoint, problem: endpoint.problem?.en ?? null });

export function modelsText({ endpoints, others }: ModelsListing, columns: number): string {
  const parts = [...endpoints.map((endpoint) => endpointText(endpoint, columns)), localize(OFFLINE)];
  if (others.length > 0) parts.push(localize(NOT_SET), ...others.map((endpoint) => endpointText(endpoint, columns)));
  return parts.join('\n');
}

const OFFLINE: Bilingual = {
  en: 'offline  built in, no language model: needs no key and no network\n',
  zh: 'offline  内置，不是语言模型：不需要密钥和网络\n',
};
const NOT_SET: Bilingual = { en: 'Not set up here, but known:\n', zh: '此处未设置，但已知：\n' };

function endpointText({ name, provider, host, problem, models }: EndpointListing, columns: number): string {
  const about = [provider === name ? '' : (provider ?? ''), host ?? ''].filter((part) => part !== '').join(', ');
  const head = `${safeLine(name)}${about === '' ? '' : `  ${safeLine(about)}`}\n`;
  const trouble = problem === null ? '' : `  ${safeLine(localize(problem))}\n`;
  if (models.length === 0) {
    const missing = localize({
      en: 'no model is named: give one with --model, or set one',
      zh: '未指定模型：用 --model 给出，或在设置中指定',
    });
    return `${head}${trouble}  ${missing}\n`;
  }
  const rows = models.map((model) => [`${model.isDefault ? '*' : ' '} ${safeLine(model.name)}`, windowText(model), priceText(model)]);
  return `${head}${trouble}${table(
    [
      { title: localize({ en: '  model', zh: '  模型' }), minWidth: 20 },
      { title: localize({ en: 'window', zh: '窗口' }), align: 'right' },
      { title: localize({ en: 'dollars for a million tokens', zh: '每百万 token 的美元价格' }), minWidth: 20 },
    ],
    rows,
    columns,
  )}`;
}

const windowText = ({ windowTokens, windowFrom }: ModelListing): string => {
  if (windowTokens === null) return localize({ en: 'not known', zh: '未知' });
  const count = formatCount(windowTokens);
  if (windowFrom === 'assumed') return localize({ en: `${count} assumed`, zh: `${count}（假定）` });
  return windowFrom === 'settings' ? localize({ en: `${count} as set`, zh: `${count}（设置）` }) : count;
};

function priceText({ price, priceFrom }: ModelListing): string {
  if (price === null) return localize({ en: 'not known', zh: '未知' });
  const [input, output, cached] = [price.input, price.output, price.cacheRead].map(formatDollars);
  const hasCachePrice = price.cacheRead !== price.input;
  const above = price.step === undefined ? undefined : formatCount(price.step.aboveInputTokens);
  const isSet = priceFrom === 'settings';
  return localize({
    en: `${input} in${hasCachePrice ? ` (cached ${cached})` : ''}, ${output} out${above === undefined ? '' : `, dearer above ${above} tokens`}${isSet ? ', as set' : ''}`,
    zh: `输入 ${input}${hasCachePrice ? `（缓存 ${cached}）` : ''}，输出 ${output}${above === undefined ? '' : `，超过 ${above} token 更贵`}${isSet ? '，来自设置' : ''}`,
  });
}

export const unusedKeyText = (): string =>
  localize({
    en: 'OPENAI_API_KEY or OPENAI_BASE_URL is set, but nothing here uses it: SANBOT_PROVIDER=openai-responses (or openai-chat) with --model does.',
    zh: '设置了 OPENAI_API_KEY 或 OPENAI_BASE_URL，但此处没有使用：SANBOT_PROVIDER=openai-responses（或 openai-chat）加 --model 才会使用。',
  });
