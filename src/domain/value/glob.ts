/** True when the name matches: `*` matches any characters, everything else itself. */
export const matchesGlob = (glob: string, name: string): boolean => matchesSequence(glob, name, '*', (a, b) => a === b);

/** True when the pattern covers all items; `star` stands for any number. Linear, but for going back to the last star. */
export function matchesSequence<T>(
  pattern: ArrayLike<T>,
  items: ArrayLike<T>,
  star: T,
  matchesItem: (part: T, item: T) => boolean,
): boolean {
  let at = 0;
  let lastStar = -1;
  let matchEnd = 0;
  let next = 0;
  while (next < items.length) {
    const part = pattern[at];
    const item = items[next];
    if (part === star) {
      lastStar = at++;
      matchEnd = next;
    } else if (part !== undefined && item !== undefined && matchesItem(part, item)) {
      at++;
      next++;
    } else if (lastStar !== -1) {
      at = lastStar + 1;
      next = ++matchEnd;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}
