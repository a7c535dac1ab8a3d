import { Code } from '@connectrpc/connect';
import { CONTENDED, type Answer } from '@parley/kit/flow/batch';
import { DatabaseError, isOutage } from '@parley/kit/postgres';

type Run<I, O> = (items: I[]) => Promise<Answer<O>[]>;

/**
 * An item that the database cannot take must not fail the other items. A batch that fails because of its data is halved
 * until the item is alone. Any other failure, such as an outage, is the answer of all items that have not run yet.
 * Items of one key (`keyOf`) keep their order: behind a contended item the later ones are contended.
 */
export async function isolateFailures<I, O>(
  items: I[],
  run: Run<I, O>,
  keyOf: (item: I) => string,
): Promise<Answer<O>[]> {
  try {
    return await run(items);
  } catch (error) {
    if (items.length === 1 || !isDataError(error)) throw error;
  }
  const middle = Math.ceil(items.length / 2);
  const [first, second] = [items.slice(0, middle), items.slice(middle)];
  const answers = await runHalf(first, run, keyOf);
  const failure = answers.find((answer) => answer instanceof Error && !isDataError(answer));
  if (failure) return [...answers, ...second.map(() => failure)];
  const contended = new Set(first.filter((_, index) => answers[index] === CONTENDED).map(keyOf));
  const free = second.filter((item) => !contended.has(keyOf(item)));
  const freeAnswers = (free.length > 0 ? await runHalf(free, run, keyOf) : []).values();
  const rest = second.map((item) =>
    contended.has(keyOf(item)) ? CONTENDED : (freeAnswers.next().value as Answer<O>),
  );
  return [...answers, ...rest];
}

async function runHalf<I, O>(items: I[], run: Run<I, O>, keyOf: (item: I) => string): Promise<Answer<O>[]> {
  try {
    return await isolateFailures(items, run, keyOf);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return items.map(() => failure);
  }
}

function isDataError(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || isOutage(error)) return false;
  return error.code === Code.InvalidArgument || error.code === Code.Internal;
}
