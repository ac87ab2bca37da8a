/**
 * True when the name matches: `*` matches any characters, everything else itself. Linear in both lengths, except for going back to the last
 * star.
 */
export function matchesGlob(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let matchEnd = 0;
  let next = 0;
  while (next < name.length) {
    if (glob[at] === '*') {
      star = at++;
      matchEnd = next;
    } else if (at < glob.length && glob[at] === name[next]) {
      at++;
      next++;
    } else if (star !== -1) {
      at = star + 1;
      next = ++matchEnd;
    } else return false;
  }
  while (glob[at] === '*') at++;
  return at === glob.length;
}
