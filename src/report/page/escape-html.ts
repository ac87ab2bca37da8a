const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for a page. Control characters but for tabs and line ends, and bidirectional overrides, are shown as a sign. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[&<>"']/g, (char) => entities[char] ?? char)
    .replace(/[\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/gu, '\ufffd');
