import type { RenderBlock } from './render-block.ts';

/** What shows Markdown, once it is there. */
export type MarkdownLoader = {
  /** Resolves when it is loaded. Never rejects: without it a text is shown as it was written. */
  readonly load: () => Promise<void>;
  readonly render: () => RenderBlock | undefined;
};

export function createMarkdownLoader(): MarkdownLoader {
  let render: RenderBlock | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    try {
      render = (await import('./render-block.ts')).renderBlock;
    } catch {
      render = undefined;
    }
  };
  return {
    load: () => {
      loading ??= load();
      return loading;
    },
    render: () => render,
  };
}
