import type { Answer } from '../flow/batch/index.ts';

export type Batch = {
  items: string[];
  isWait: boolean;
  answer(results?: Answer<string>[]): void;
  fail(error: Error): void;
};

/** A `run` whose batches are answered by the test. */
export function controlled() {
  const batches: Batch[] = [];
  const runAs = (isWait: boolean) => (items: string[]) =>
    new Promise<Answer<string>[]>((resolve, reject) => {
      batches.push({
        items,
        isWait,
        answer: (results = items.map((item) => item.toUpperCase())) => resolve(results),
        fail: reject,
      });
    });
  const sent = () => batches.map((batch) => batch.items.join(''));
  return { batches, run: runAs(false), wait: runAs(true), sent };
}

/** Lets everything that is ready go on. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
