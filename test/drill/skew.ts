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

/** `--seconds 10`: the length of each load, which is also the skew. `--skew identity=older`, repeated, or `--skew all`. */
export function readArguments(args: string[]): { seconds: number; skews: Skew[] } {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '10' },
      skew: { type: 'string', multiple: true, default: [] },
    },
  });
  const seconds = Number(values.seconds);
  if (!Number.isSafeInteger(seconds) || seconds < 1) throw new Error('--seconds is a whole number');
  return { seconds, skews: [undefined, ...values.skew.flatMap(readSkew)] };
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
