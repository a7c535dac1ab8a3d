import { parseArgs } from 'node:util';

export type Arguments = { changes: number; messages: number; history: number; seconds: number };

const MOST = 1_000_000_000;

/** `--changes`, `--messages`, `--history` (rows of every other table that grows) and `--seconds` of observation. */
export function readArguments(given: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: given.filter((argument) => argument !== '--'),
    options: {
      changes: { type: 'string', default: '1000000' },
      messages: { type: 'string', default: '200000' },
      history: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '30' },
    },
  });
  const number = (name: keyof typeof values): number => {
    const value = /^\d+$/.test(values[name]) ? Number(values[name]) : 0;
    if (value < 1 || value > MOST)
      throw new Error(`--${name} is a whole number from 1 to ${MOST}, not ${values[name]}`);
    return value;
  };
  return {
    changes: number('changes'),
    messages: number('messages'),
    history: number('history'),
    seconds: number('seconds'),
  };
}
