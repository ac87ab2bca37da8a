/**
 * True when sed runs something by this script, or when that cannot be told: the command `e`, a replacement with the flag `e`, and whatever is
 * not understood.
 */
export function sedRuns(script: string): boolean {
  let left = script;
  while (left !== '') {
    left = left.replace(/^[\s;{}!]+/, '');
    for (let address = addressOf(left); address > 0; address = addressOf(left)) left = left.slice(address).replace(/^[\s,!]+/, '');
    const command = left.charAt(0);
    if (command === '') return false;
    if (command === 's' || command === 'y') {
      const end = partEnd(left, 1, 2);
      const flags = /^[^;}\n]*/.exec(left.slice(end))?.[0] ?? '';
      if (end < 0 || (command === 's' && /^[^w]*[em]*e/.test(flags))) return true;
      left = left.slice(end + flags.length);
    } else if (TO_LINE_END.includes(command)) left = left.replace(/^(?:\\[\s\S]|[^\n\\])*/, '');
    else if (SHORT.includes(command)) left = left.slice(1).replace(/^ ?\d+/, '');
    else return true;
  }
  return false;
}

const TO_LINE_END = 'aicrRwWbtT:#v';
const SHORT = '=dDgGhHlLnNpPqQxzF';

/** The length of the address at the beginning: a line, the last one, or an expression. */
function addressOf(text: string): number {
  const line = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(text);
  if (line !== null) return line[0].length;
  if (!/^(?:\/|\\[^\n])/.test(text)) return 0;
  const end = partEnd(text, text.startsWith('/') ? 0 : 1, 1);
  return end < 0 ? 0 : end + (/^[IM]*/.exec(text.slice(end))?.[0].length ?? 0);
}

/** Where so many parts have ended that are closed by the character at the place; -1 where they do not end. */
function partEnd(text: string, at: number, parts: number): number {
  const close = text.charAt(at);
  let left = parts;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === close && --left === 0) return i + 1;
  }
  return -1;
}
