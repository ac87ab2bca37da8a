import type { CodeParts } from '../text/paint.ts';
import type { RenderBlock } from './render-block.ts';

export function createMarkdownLoader() {
  let render: RenderBlock | undefined;
  let codeParts: CodeParts | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    try {
      const [block, code] = await Promise.all([import('./render-block.ts'), import('./highlight.ts')]);
      [render, codeParts] = [block.renderBlock, code.codeParts];
    } catch {
      [render, codeParts] = [undefined, undefined];
    }
  };
  return {
    /** Resolves when it is loaded. Never rejects: without it a text is shown as it was written. */
    load: (): Promise<void> => {
      loading ??= load();
      return loading;
    },
    render: (): RenderBlock | undefined => render,
    codeParts: (): CodeParts | undefined => codeParts,
  };
}
