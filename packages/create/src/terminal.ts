import { createInterface } from 'node:readline';
import { Failure } from './failure.ts';

/** Asks the person at the terminal. */
export type Terminal = {
  /** The answer without spaces around it; `otherwise` for an empty one. Fails with a Failure at the end of the input. */
  ask(question: string, otherwise?: string): Promise<string>;
  close(): void;
};

/** Lines are read one after the other, so that answers may also come from a pipe. */
export function openTerminal(): Terminal {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  return {
    async ask(question, otherwise) {
      process.stdout.write(`${question}${otherwise ? ` [${otherwise}]` : ''}: `);
      const { value, done } = await iterator.next();
      if (done)
        throw new Failure('\nThe input ended before this was answered; options can say it too (--help).');
      if (!process.stdin.isTTY) process.stdout.write('\n');
      return value.trim() || (otherwise ?? '');
    },
    close: () => lines.close(),
  };
}
