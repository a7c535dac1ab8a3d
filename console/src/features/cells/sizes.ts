const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const STEP = 1024;

/** `undefined` as `unknown`, 1,536 as `1.5 KiB`. */
export function describeSize(bytes: number | undefined): string {
  if (bytes === undefined) return 'unknown';
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) [value, unit] = [value / STEP, unit + 1];
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/** How much of a move is copied, in percent; undefined while nothing is known. */
export function shareCopied(move: { copiedByteCount: number; totalByteCount: number }): number | undefined {
  if (move.totalByteCount <= 0) return undefined;
  return Math.min(100, Math.floor((100 * move.copiedByteCount) / move.totalByteCount));
}
