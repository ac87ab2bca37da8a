/** NO_COLOR, set to anything, wins; then FORCE_COLOR; else a terminal that is not dumb has colours. */
export function supportsColour({
  env,
  isTTY,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
}): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return isTTY && env.TERM !== 'dumb';
}
