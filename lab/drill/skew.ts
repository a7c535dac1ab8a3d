import { parseArgs } from 'node:util';

export const DATABASES = [
  'identity',
  'messaging',
  'content',
  'announcement',
  'export',
  'webhook',
  'push',
] as const;

export type DatabaseName = (typeof DATABASES)[number];

/** One database that is restored to an earlier moment than all others, or to a later one; undefined: all have one moment. */
export type Skew = { database: DatabaseName; is: 'older' | 'newer' } | undefined;

/** The earlier and the later moment to which databases are restored. */
export type Moments = { first: Date; second: Date };

/** The moment of a database. Without a skew all have the first one. */
export function momentOf(skew: Skew, database: string): keyof Moments {
  if (!skew) return 'first';
  return (database === skew.database) === (skew.is === 'older') ? 'first' : 'second';
}

export function nameOf(skew: Skew): string {
  return skew ? `${skew.database} is ${skew.is} than the others` : 'all databases have one moment';
}

/** Clocks of processes, each with another error: from as far behind to as far ahead as `mostMs`, in equal steps. */
export function aheadBy(names: readonly string[], mostMs: number): [string, number][] {
  const steps = Math.max(1, names.length - 1);
  return names.map((name, index) => [name, Math.round(((2 * index) / steps - 1) * mostMs)]);
}

export type Arguments = { seconds: number; skews: Skew[]; clocksApartMs: number };

/**
 * `--seconds 10`: the length of each load, which is also the skew. `--skew identity=older`, repeated, or `--skew all`. `--clocks 3600`: by
 * how many seconds the clocks of processes are wrong, at most.
 */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '10' },
      skew: { type: 'string', multiple: true, default: [] },
      clocks: { type: 'string', default: '0' },
    },
  });
  const seconds = wholeNumber('--seconds', values.seconds, 1);
  const clocksApartMs = wholeNumber('--clocks', values.clocks, 0) * 1_000;
  return { seconds, skews: [undefined, ...values.skew.flatMap(readSkew)], clocksApartMs };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least) throw new Error(`${name} is a whole number`);
  return value;
}

function readSkew(text: string): Skew[] {
  if (text === 'all')
    return DATABASES.flatMap((database): Skew[] => [
      { database, is: 'older' },
      { database, is: 'newer' },
    ]);
  const [name, is] = text.split('=');
  const database = DATABASES.find((one) => one === name);
  if (!database || (is !== 'older' && is !== 'newer'))
    throw new Error(
      `--skew is all, or <database>=older, or <database>=newer, with one of ${DATABASES.join(', ')}`,
    );
  return [{ database, is }];
}
