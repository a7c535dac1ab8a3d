import { createWaitingHints } from './waiting-hints.ts';

test('an application with any number of hints leaves room for those of others, and has room again as its own are stored', () => {
  const waiting = createWaitingHints(1_000);
  let begun = 0;
  while (waiting.begin('noisy')) begun += 1;
  expect(begun).toBe(500);
  for (const app of ['quiet', 'another'])
    for (let hint = 0; hint < 50; hint++) expect(waiting.begin(app)).toBe(true);
  expect(waiting.begin('noisy')).toBe(false);
  for (let hint = 0; hint < 200; hint++) waiting.end('noisy');
  expect(waiting.begin('noisy')).toBe(true);
});
