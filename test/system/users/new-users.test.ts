import { createApp } from '../../support/app.ts';
import { attempt } from '../../support/mixed-work.ts';
import { platform } from '../../support/platform.ts';

const CONVERSATIONS = 300;
const IN_FLIGHT = 50;

test('users who have just logged in can all create conversations at once', async () => {
  const app = await createApp(await platform());
  const refused: unknown[] = [];
  let begun = 0;
  async function work(): Promise<void> {
    while (begun < CONVERSATIONS) {
      const number = begun++;
      // Ids whose order is not the order of their logins.
      const [one, other] = [`${number % 7}-one-${number}`, `${number % 5}-other-${number}`];
      const [user] = await Promise.all([app.login(one), app.login(other)]);
      const answer = await attempt(user, 'POST', '/conversations', { participants: [other] });
      if (answer.status !== 201) refused.push(answer);
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  expect(refused).toEqual([]);
}, 120_000);
