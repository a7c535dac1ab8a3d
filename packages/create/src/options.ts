import { parseArgs } from 'node:util';
import { Failure } from './failure.ts';

/** Answers of the command line; the command asks for the rest. */
export type Options = {
  folder: string | undefined;
  url: string | undefined;
  code: string | undefined;
  app: string | undefined;
  provider: string | undefined;
  key: string | undefined;
  privateKey: string | undefined;
  help: boolean;
};

export const USAGE = `create [folder] [--url <platform>] [--code <sign-in code or link>]
       [--app <id> --provider <id> --key <id> --private-key <file>]`;

const text = { type: 'string' } as const;

export function readOptions(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: text,
        code: text,
        app: text,
        provider: text,
        key: text,
        'private-key': text,
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (positionals.length > 1) throw new Error(`There is one folder, not ${positionals.length}.`);
    const { url, code, app, provider, key, help = false } = values;
    return { folder: positionals[0], url, code, app, provider, key, privateKey: values['private-key'], help };
  } catch (error) {
    throw new Failure(`${(error as Error).message}\nUsage: ${USAGE}`, { cause: error });
  }
}
