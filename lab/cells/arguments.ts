import { parseArgs } from 'node:util';

const PARTS = ['moves', 'restore', 'failover'] as const;
export type Part = (typeof PARTS)[number];

export type Arguments = { bin: string; messages: number; awayMs: number; parts: readonly Part[] };

/** `--bin`: a folder. `--messages`: how many are acknowledged during the moves. `--away`: seconds without the coordinator. `--only moves`, repeated. */
export function readArguments(args: string[]): Arguments {
  const { values } = parseArgs({
    args,
    options: {
      bin: { type: 'string' },
      messages: { type: 'string', default: '100000' },
      away: { type: 'string', default: '60' },
      only: { type: 'string', multiple: true, default: [...PARTS] },
    },
  });
  const { bin, messages, away, only } = values;
  if (bin === undefined) throw new Error('--bin <folder of a Postgres that has Citus> is missing');
  const parts = only.map((name) => {
    const part = PARTS.find((one) => one === name);
    if (!part) throw new Error(`--only is one of ${PARTS.join(', ')}, not ${name}`);
    return part;
  });
  return { bin, messages: Number(messages), awayMs: 1000 * Number(away), parts };
}
