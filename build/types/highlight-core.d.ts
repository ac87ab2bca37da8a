/** The part of highlight.js that is used. Its own declarations would let every file take the world for a browser. */
export type Language = object;
declare const highlighter: {
  readonly registerLanguage: (name: string, language: (library: object) => Language) => void;
  readonly getLanguage: (name: string) => Language | undefined;
  readonly highlight: (
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string };
};
export default highlighter;
