import type { RenderBlock } from './render-block.ts';

/** What shows Markdown, once it is there. */
export function createMarkdownLoader() {
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
    /** Resolves when it is loaded. Never rejects: without it a text is shown as it was written. */
    load: (): Promise<void> => {
      loading ??= load();
      return loading;
    },
    render: (): RenderBlock | undefined => render,
  };
}
