import { Code, ConnectError } from '@connectrpc/connect';
import { failAll, type Answer } from '@parley/kit/batch';

/**
 * Splits a batch by the server that each item belongs to, and makes one call for each of them, all at once. When one of several calls
 * fails, only its items do. The answers are in the order of the items.
 */
export async function callHomes<I, O>(
  items: I[],
  homeOf: (item: I) => string | undefined,
  call: (items: I[], home: string | undefined) => Promise<Answer<O>[]>,
): Promise<Answer<O>[]> {
  const homes = items.map(homeOf);
  const [home] = homes;
  if (homes.every((other) => other === home)) return call(items, home);
  const answers = new Array<Answer<O>>(items.length);
  const calls = [...new Set(homes)].map(async (one) => {
    const places = [...homes.keys()].filter((place) => homes[place] === one);
    const some = places.map((place) => items[place] as I);
    const answered = await call(some, one).then(checkCount(some.length)).catch(failAll(some));
    places.forEach((place, index) => (answers[place] = answered[index] as Answer<O>));
  });
  await Promise.all(calls);
  return answers;
}

function checkCount<A>(count: number): (answers: A[]) => A[] {
  return (answers) => {
    if (answers.length === count) return answers;
    throw new ConnectError(`${count} items were answered with ${answers.length} results`, Code.Internal);
  };
}
