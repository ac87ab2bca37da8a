import type { Price } from '../../domain/config/config.ts';
import type { Source } from '../../model/catalog.ts';
import { formatCount, formatDollars } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

/** One model as it can be named here, with what is known of it and from where. */
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
  /** Why it cannot be used as it stands. */
  readonly problem: string | null;
  readonly models: readonly ModelListing[];
};

export type ModelsListing = { readonly endpoints: readonly EndpointListing[]; readonly others: readonly EndpointListing[] };

export const modelsJson = ({ endpoints, others }: ModelsListing): string =>
  `${JSON.stringify({ endpoints, others, offline: 'offline' }, null, 2)}\n`;

export function modelsText({ endpoints, others }: ModelsListing, columns: number): string {
  const parts = [...endpoints.map((endpoint) => endpointText(endpoint, columns)), OFFLINE];
  if (others.length > 0) parts.push(NOT_SET, ...others.map((endpoint) => endpointText(endpoint, columns)));
  return parts.join('\n');
}

const OFFLINE = 'offline  built in, no language model: needs no key and no network\n';
const NOT_SET = 'Not set up here, but known:\n';

function endpointText({ name, provider, host, problem, models }: EndpointListing, columns: number): string {
  const about = [provider === name ? '' : (provider ?? ''), host ?? ''].filter((part) => part !== '').join(', ');
  const head = `${safeLine(name)}${about === '' ? '' : `  ${safeLine(about)}`}\n`;
  const trouble = problem === null ? '' : `  ${safeLine(problem)}\n`;
  if (models.length === 0) return `${head}${trouble}  no model is named: give one with --model, or set one\n`;
  const rows = models.map((model) => [`${model.isDefault ? '*' : ' '} ${safeLine(model.name)}`, windowText(model), priceText(model)]);
  return `${head}${trouble}${table(
    [
      { title: '  model', minWidth: 20 },
      { title: 'window', align: 'right' },
      { title: 'dollars for a million tokens', minWidth: 20 },
    ],
    rows,
    columns,
  )}`;
}

const windowText = ({ windowTokens, windowFrom }: ModelListing): string => {
  if (windowTokens === null) return 'not known';
  const count = formatCount(windowTokens);
  return windowFrom === 'assumed' ? `${count} assumed` : windowFrom === 'settings' ? `${count} as set` : count;
};

function priceText({ price, priceFrom }: ModelListing): string {
  if (price === null) return 'not known';
  const dearer = price.step === undefined ? '' : `, dearer above ${formatCount(price.step.aboveInputTokens)} tokens`;
  const cached = price.cacheRead === price.input ? '' : ` (cached ${formatDollars(price.cacheRead)})`;
  return `${formatDollars(price.input)} in${cached}, ${formatDollars(price.output)} out${dearer}${priceFrom === 'settings' ? ', as set' : ''}`;
}

export const UNUSED_KEY =
  'OPENAI_API_KEY or OPENAI_BASE_URL is set, but nothing here uses it: SANBOT_PROVIDER=openai-responses (or openai-chat) with --model does.';
