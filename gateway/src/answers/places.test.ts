import { createAnswerPlaces } from './places.ts';

test('one user does not take the places of another, nor one application those of another', async () => {
  const places = createAnswerPlaces();
  const leave = await Promise.all(Array.from({ length: 6 }, () => places.large('app', 'ada')));
  let entered = false;
  const waiting = places.large('app', 'ada').then((done) => {
    entered = true;
    return done;
  });
  await Promise.all(Array.from({ length: 6 }, () => places.large('app', 'bob')));
  await Promise.all(Array.from({ length: 6 }, () => places.large('other app', 'ada')));
  expect(entered).toBe(false);
  leave[0]!();
  (await waiting)();
});

test('the server of an application has the places of the application', async () => {
  const places = createAnswerPlaces();
  expect(await Promise.all(Array.from({ length: 16 }, () => places.large('app', '')))).toHaveLength(16);
});
