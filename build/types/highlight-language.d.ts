/** A language of highlight.js. */
declare const language: (library: object) => object;
export default language;
