import type { Price } from '../domain/config/config.ts';
import type { Effort } from '../domain/config/effort.ts';
import type { ImagePricing } from '../domain/value/media-tokens.ts';
import { claudeStandard, patches, tiles } from './image-pricing.ts';

/**
 * How a model of the Messages API thinks: `always` cannot be turned off; `adaptive` decides by itself and can be turned off; `budget`
 * thinks only when given a budget (which SanBot does not request); `none` does not think.
 */
export type Thinking = 'always' | 'adaptive' | 'budget' | 'none';

/** Tokens for models that know no levels. */
export const thinkingBudgets: Readonly<Record<Effort, number>> = { low: 2_048, medium: 8_192, high: 16_384, max: 32_000 };

/** Where a figure was read: its address, which version of it that was, and when it was read for this table. */
export type Source = { readonly address: string; readonly version: string; readonly read: string };

/** What is known of one model at its own provider. What no source says is left out. */
export type CatalogEntry = {
  readonly name: string;
  readonly windowTokens?: number;
  readonly maxOutputTokens?: number;
  readonly images?: boolean;
  readonly imagePricing?: ImagePricing;
  readonly tools?: boolean;
  readonly reasons?: boolean;
  /** Of the Messages API only. */
  readonly thinking?: Thinking;
  readonly price?: Price;
  /** Above this many input tokens the whole request is charged at this `price`. */
  readonly step?: { readonly aboveInputTokens: number; readonly price: Price };
  readonly sources: readonly SourceName[];
};

export type CatalogGroup = {
  readonly provider: string;
  /** Its prices hold where requests go to this host, and nowhere else. */
  readonly host: string;
  /** How long it keeps what it has cached, at least; omitted where no source says. */
  readonly cacheMinutes?: number;
  readonly models: readonly CatalogEntry[];
};

type SourceName = keyof typeof sources;

/** When most figures were read. */
export const READ = '2026-11-22';

export const sources = {
  claudePages: {
    address: 'https://platform.claude.com/docs/en/about-claude/models/overview',
    version: 'October 2026, as SanBot 0.1.0 had it',
    read: '2026-10',
  },
  claudeHaiku: { address: 'https://platform.claude.com/docs/en/models/haiku-5-5/overview', version: 'undated', read: READ },
  claudeOpus: { address: 'https://platform.claude.com/docs/about-claude/models/whats-new-opus-5', version: 'undated', read: READ },
  genaiPrices: { address: 'https://www.npmjs.com/package/@pydantic/genai-prices', version: '0.1.8 of 2026-09-23', read: READ },
  pi: { address: 'https://github.com/badlogic/pi-mono', version: '1.5.1 of 2026-11-09', read: READ },
  modelsDev: { address: 'https://github.com/anomalyco/models.dev', version: 'files of June to October 2026', read: READ },
  gpt61: { address: 'https://docs.litellm.ai/blog/gpt_6_1_sol', version: '2026-10', read: READ },
  gpt61Step: { address: 'https://wavespeed.ai/zh-CN/llm/openai/gpt-6.1-sol', version: 'undated', read: READ },
  gpt61Limits: { address: 'https://runware.ai/docs/models/openai-gpt-6-1-sol', version: 'undated', read: READ },
  gpt62Sol: { address: 'https://developers.openai.com/api/docs/models/gpt-6.2-sol', version: 'undated', read: '2026-11-27' },
  gpt62Astra: { address: 'https://docs.laozhang.ai/en/announcements/gpt-6-2-2026-11', version: '2026-11-18', read: '2026-11-27' },
  gemini4Window: {
    address: 'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/start/get-started-with-gemini-4',
    version: 'undated',
    read: '2026-11-27',
  },
  gemini4Neon: { address: 'https://docs.laozhang.ai/en/announcements/gemini-4-neon-2026-11', version: '2026-11-22', read: '2026-11-27' },
  gemini4Carbon: {
    address: 'https://docs.laozhang.ai/en/announcements/gemini-4-carbon-2026-11',
    version: '2026-11-11',
    read: '2026-11-27',
  },
  tokenMeter: { address: 'https://github.com/iyulab/TokenMeter/releases', version: '0.13.1 and 0.17.0', read: '2026-11-27' },
} as const satisfies Record<string, Source>;

/** A price without a word about the cache: all input costs the same. */
const price = (input: number, output: number, cacheRead = input, cacheWrite = input): Price => ({ input, cacheRead, cacheWrite, output });

/** The Messages API: a write for five minutes costs a quarter more than input, one for an hour twice as much. */
const claude = (input: number, output: number, cacheRead = input / 10): Price => ({
  ...price(input, output, cacheRead, input * 1.25),
  cacheWrite1h: input * 2,
});

/** OpenAI from GPT-5.6 on: what is written to the cache costs a quarter more than input. */
const writes = (input: number, output: number, cacheRead = input / 10): Price => price(input, output, cacheRead, input * 1.25);

const able = { images: true, tools: true, reasons: true } as const;
const large = { ...able, windowTokens: 1_000_000, maxOutputTokens: 128_000 } as const;
const large46 = { ...large, thinking: 'adaptive', imagePricing: claudeStandard } as const;
const older = { ...able, windowTokens: 200_000, maxOutputTokens: 64_000, thinking: 'budget', imagePricing: claudeStandard } as const;

const anthropic: readonly CatalogEntry[] = [
  { name: 'claude-fable-5-2', ...large, thinking: 'always', price: claude(8, 40), sources: ['claudePages', 'pi'] },
  { name: 'claude-mythos-5-2', ...large, thinking: 'always', sources: ['claudePages'] },
  { name: 'claude-fable-5-1', ...large, thinking: 'always', price: claude(10, 50, 0.25), sources: ['claudeOpus', 'genaiPrices'] },
  { name: 'claude-mythos-5-1', ...large, thinking: 'always', sources: ['claudePages'] },
  { name: 'claude-opus-5-5', ...large, thinking: 'always', price: claude(4, 20, 0.2), sources: ['claudeOpus', 'genaiPrices'] },
  { name: 'claude-sonnet-5-5', ...large, thinking: 'adaptive', price: claude(2, 10, 0.1), sources: ['claudeOpus', 'modelsDev'] },
  {
    name: 'claude-haiku-5-5',
    ...large,
    thinking: 'adaptive',
    price: claude(0.1, 0.5),
    step: { aboveInputTokens: 100_000, price: claude(0.5, 2.5) },
    sources: ['claudeHaiku'],
  },
  { name: 'claude-fable-5', ...large, thinking: 'always', price: claude(10, 50), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-mythos-5', ...large, thinking: 'always', sources: ['claudePages'] },
  { name: 'claude-opus-5', ...large, thinking: 'adaptive', price: claude(5, 25), sources: ['claudeOpus'] },
  { name: 'claude-sonnet-5', ...large, thinking: 'adaptive', price: claude(2, 10), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-opus-4-8', ...large, thinking: 'adaptive', price: claude(5, 25), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-opus-4-7', ...large, thinking: 'adaptive', price: claude(5, 25), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-opus-4-6', ...large46, price: claude(5, 25), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-sonnet-4-6', ...large46, maxOutputTokens: 64_000, price: claude(3, 15), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-haiku-4-5', ...older, price: claude(1, 5), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-opus-4-5', ...older, price: claude(5, 25), sources: ['claudePages', 'genaiPrices'] },
  { name: 'claude-sonnet-4-5', ...older, price: claude(3, 15), sources: ['claudePages', 'genaiPrices'] },
];

/** OpenAI charges a whole request above so many input tokens twice for input and half more for output. */
const stepAt272k = (list: Price): NonNullable<CatalogEntry['step']> => ({
  aboveInputTokens: 272_000,
  price: { input: list.input * 2, cacheRead: list.cacheRead * 2, cacheWrite: list.cacheWrite * 2, output: list.output * 1.5 },
});
const gptLarge = { ...able, windowTokens: 1_050_000, maxOutputTokens: 128_000, imagePricing: patches(1.2, 2_500) } as const;
/** The newest models take an image as it is, up to some thirty megapixels. */
const gptNewest = { ...gptLarge, imagePricing: patches(1.2, 30_000) } as const;
const gpt = { ...able, windowTokens: 400_000, maxOutputTokens: 128_000, imagePricing: patches(1.2, 1_536) } as const;
const gptSmall = { windowTokens: 400_000, imagePricing: patches(1.2, 2_500), sources: ['genaiPrices'] } as const;
const gpt41 = { images: true, tools: true, reasons: false, windowTokens: 1_047_576, maxOutputTokens: 32_768 } as const;
const gpt4o = { ...gpt41, windowTokens: 128_000, maxOutputTokens: 16_384 } as const;
const o = { ...able, windowTokens: 200_000, maxOutputTokens: 100_000 } as const;
const listed = ['modelsDev', 'genaiPrices'] as const;
const stepped = (list: Price): Pick<CatalogEntry, 'price' | 'step'> => ({ price: list, step: stepAt272k(list) });

/** Since GPT-5.6 a cached prefix lives half an hour at least; before, five to ten minutes. */
const openaiWithWrites: readonly CatalogEntry[] = [
  { name: 'gpt-6.2-astra', ...gptNewest, ...stepped(writes(8, 40, 0.4)), sources: ['gpt62Astra', 'tokenMeter'] },
  { name: 'gpt-6.2-sol', ...gptNewest, ...stepped(writes(2, 10, 0.1)), sources: ['gpt62Sol'] },
  { name: 'gpt-6.1-sol', ...gptNewest, ...stepped(writes(2, 10, 0.1)), sources: ['gpt61', 'gpt61Step', 'gpt61Limits'] },
  { name: 'gpt-6-astra', ...gptNewest, ...stepped(writes(10, 50)), sources: listed },
  { name: 'gpt-6-sol', ...gptNewest, ...stepped(writes(2, 10)), sources: listed },
  { name: 'gpt-6-luna', ...gptNewest, ...stepped(writes(0.1, 0.5)), sources: listed },
  { name: 'gpt-5.6-sol', ...gptNewest, ...stepped(writes(4, 20)), sources: listed },
  { name: 'gpt-5.6-terra', ...gptNewest, ...stepped(writes(2, 12)), sources: listed },
  { name: 'gpt-5.6-luna', ...gptNewest, ...stepped(writes(0.2, 1.2)), sources: listed },
];

const openai: readonly CatalogEntry[] = [
  { name: 'gpt-5.5', ...gptLarge, ...stepped(price(5, 30, 0.5)), sources: listed },
  { name: 'gpt-5.4', ...gptLarge, ...stepped(price(2.5, 15, 0.25)), sources: listed },
  { name: 'gpt-5.4-mini', ...gptSmall, price: price(0.75, 4.5, 0.075) },
  { name: 'gpt-5.4-nano', ...gptSmall, price: price(0.2, 1.25, 0.02) },
  { name: 'gpt-5.3-codex', ...gpt, price: price(1.75, 14, 0.175), sources: listed },
  { name: 'gpt-5.2', ...gpt, price: price(1.75, 14, 0.175), sources: listed },
  { name: 'gpt-5.1', ...gpt, imagePricing: tiles(70, 140), price: price(1.25, 10, 0.125), sources: listed },
  { name: 'gpt-5', ...gpt, imagePricing: tiles(70, 140), price: price(1.25, 10, 0.125), sources: listed },
  { name: 'gpt-5-mini', ...gpt, price: price(0.25, 2, 0.025), sources: listed },
  { name: 'gpt-5-nano', ...gpt, imagePricing: patches(1.5, 1_536), price: price(0.05, 0.4, 0.005), sources: listed },
  { name: 'gpt-4.1', ...gpt41, imagePricing: tiles(85, 170), price: price(2, 8, 0.5), sources: listed },
  { name: 'gpt-4.1-mini', ...gpt41, imagePricing: patches(1.62, 1_536), price: price(0.4, 1.6, 0.1), sources: listed },
  { name: 'gpt-4.1-nano', ...gpt41, imagePricing: patches(2.46, 1_536), price: price(0.1, 0.4, 0.025), sources: listed },
  { name: 'gpt-4o', ...gpt4o, imagePricing: tiles(85, 170), price: price(2.5, 10, 1.25), sources: listed },
  { name: 'gpt-4o-mini', ...gpt4o, imagePricing: tiles(2_833, 5_667), price: price(0.15, 0.6, 0.075), sources: listed },
  { name: 'o3', ...o, imagePricing: tiles(75, 150), price: price(2, 8, 0.5), sources: listed },
  { name: 'o4-mini', ...o, imagePricing: patches(1.72, 1_536), price: price(1.1, 4.4, 0.275), sources: listed },
];

const text = { images: false, tools: true, reasons: true } as const;
const million = { windowTokens: 1_000_000 } as const;

/** At its dearest hours; outside them DeepSeek charges half. */
const deepseek: readonly CatalogEntry[] = [
  { name: 'deepseek-v4-flash', ...text, ...million, maxOutputTokens: 384_000, price: price(0.44, 1.32, 0.014), sources: listed },
  { name: 'deepseek-v4-pro', ...text, ...million, maxOutputTokens: 384_000, price: price(1.32, 3.96, 0.044), sources: listed },
];

const mistralWindow = { windowTokens: 262_144, tools: true } as const;
const mistral: readonly CatalogEntry[] = [
  { name: 'mistral-large-2512', ...mistralWindow, images: true, reasons: false, price: price(0.5, 1.5, 0.05), sources: listed },
  { name: 'mistral-medium-3-5', ...mistralWindow, images: true, reasons: true, price: price(1.5, 7.5, 0.15), sources: listed },
  { name: 'mistral-small-2603', ...mistralWindow, images: true, reasons: true, price: price(0.15, 0.6, 0.015), sources: listed },
  { name: 'devstral-2512', ...mistralWindow, images: false, reasons: false, price: price(0.4, 2, 0.04), sources: listed },
  { name: 'codestral-2508', windowTokens: 256_000, price: price(0.3, 0.9, 0.03), sources: ['genaiPrices'] },
];

const grok = (list: Price): Pick<CatalogEntry, 'price' | 'step'> => ({
  price: list,
  step: { aboveInputTokens: 200_000, price: price(list.input * 2, list.output * 2, list.cacheRead * 2) },
});
const xai: readonly CatalogEntry[] = [
  { name: 'grok-4.6', ...able, windowTokens: 500_000, ...grok(price(2, 6, 0.5)), sources: listed },
  { name: 'grok-4.5', ...able, windowTokens: 500_000, ...grok(price(2, 6, 0.3)), sources: listed },
  { name: 'grok-4.3', ...million, ...grok(price(1.25, 2.5, 0.2)), sources: ['genaiPrices'] },
];

const moonshot: readonly CatalogEntry[] = [
  { name: 'kimi-k3', ...able, windowTokens: 1_048_576, maxOutputTokens: 262_144, price: price(3, 15, 0.3), sources: listed },
  { name: 'kimi-k2.7-code', windowTokens: 262_144, price: price(0.95, 4, 0.19), sources: ['genaiPrices'] },
  { name: 'kimi-k2.6', windowTokens: 262_144, price: price(0.95, 4, 0.16), sources: ['genaiPrices'] },
];

const zai: readonly CatalogEntry[] = [
  { name: 'glm-5.3', ...text, ...million, maxOutputTokens: 131_072, price: price(1.4, 4.4, 0.26), sources: listed },
  { name: 'glm-5.3-flash', ...million, price: price(0.075, 0.25, 0.015), sources: ['genaiPrices'] },
];

const oss = { ...text, windowTokens: 131_072, maxOutputTokens: 32_768 } as const;
const groq: readonly CatalogEntry[] = [
  { name: 'openai/gpt-oss-120b', ...oss, price: price(0.15, 0.6, 0.075), sources: listed },
  { name: 'openai/gpt-oss-20b', ...oss, price: price(0.075, 0.3, 0.0375), sources: listed },
  { name: 'qwen/qwen3-32b', windowTokens: 131_072, price: price(0.29, 0.59), sources: ['genaiPrices'] },
  { name: 'llama-3.3-70b-versatile', price: price(0.59, 0.79), sources: ['genaiPrices'] },
];

const gemini4 = { ...able, windowTokens: 1_048_576, maxOutputTokens: 65_536 } as const;
/** Argon and Carbon at what they cost from 2026-12-01 on; until then Google charges half. */
const google: readonly CatalogEntry[] = [
  { name: 'gemini-4-neon', ...gemini4, price: price(3, 15, 0.15), sources: ['gemini4Neon', 'tokenMeter'] },
  { name: 'gemini-4-carbon', ...gemini4, price: price(4, 20, 0.2), sources: ['gemini4Window', 'gemini4Carbon'] },
  { name: 'gemini-4-argon', ...gemini4, price: price(4, 20, 0.2), sources: ['gemini4Window', 'tokenMeter'] },
  { name: 'gemini-4-hydrogen', ...gemini4, price: price(1.5, 7.5, 0.075), sources: ['gemini4Window', 'tokenMeter'] },
  { name: 'gemini-3.8-flash', ...million, price: price(1.5, 7.5, 0.15), sources: ['genaiPrices'] },
  { name: 'gemini-3.5-flash-lite', ...million, price: price(0.3, 2.5, 0.03), sources: ['genaiPrices'] },
];

export const catalogGroups: readonly CatalogGroup[] = [
  { provider: 'Anthropic', host: 'api.anthropic.com', cacheMinutes: 5, models: anthropic },
  { provider: 'OpenAI', host: 'api.openai.com', cacheMinutes: 30, models: openaiWithWrites },
  { provider: 'OpenAI', host: 'api.openai.com', cacheMinutes: 5, models: openai },
  { provider: 'DeepSeek', host: 'api.deepseek.com', models: deepseek },
  { provider: 'Mistral', host: 'api.mistral.ai', models: mistral },
  { provider: 'xAI', host: 'api.x.ai', models: xai },
  { provider: 'Moonshot', host: 'api.moonshot.ai', models: moonshot },
  { provider: 'Z.ai', host: 'api.z.ai', models: zai },
  { provider: 'Groq', host: 'api.groq.com', models: groq },
  { provider: 'Cerebras', host: 'api.cerebras.ai', models: [{ name: 'gpt-oss-120b', ...oss, price: price(0.35, 0.75), sources: listed }] },
  { provider: 'Google', host: 'generativelanguage.googleapis.com', models: google },
];
