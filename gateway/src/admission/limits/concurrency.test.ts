import { problemOf } from '@parley/domain/problems';
import { createConcurrencyLimiter } from './concurrency.ts';

const perCaller = { perUser: 1, perApp: 100 };
const config = {
  lists: perCaller,
  patches: perCaller,
  announcementsPerApp: 4,
  erasuresPerApp: 4,
  exports: { perToken: 1, perApp: 2 },
  replays: { perSocket: 2, perUser: 4, perApp: 16, all: 100 },
};
const create = () => createConcurrencyLimiter(config);

const server = (tokenId: string) => ({ appId: 'app', userId: '', tokenId });

test('requests for exports are limited by access token, and by application', async () => {
  const concurrency = create();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ask = (tokenId: string) =>
    concurrency.run('export', server(tokenId), async () => {
      begun.push(tokenId);
      await ended;
    });
  const all = ['a', 'a', 'b', 'c'].map(ask);
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  end();
  await Promise.all(all);
  expect(begun.toSorted()).toEqual(['a', 'a', 'b', 'c']);
});

test('an access token that requests exports without end is refused, and leaves room for other tokens of its application', async () => {
  const concurrency = create();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const ask = (tokenId: string) => concurrency.run('export', server(tokenId), () => ended);
  const noisy = Array.from({ length: 20 }, () =>
    ask('noisy').catch((error: unknown) => problemOf(error)?.id),
  );
  const quiet = ask('quiet');
  end();
  await quiet;
  const refused = (await Promise.all(noisy)).filter((answer) => answer === 'rate_limit_exceeded');
  expect(refused).toHaveLength(11);
});

test.each(['announcement', 'erasure'] as const)(
  'of the kind %s an application has few requests under way, and those beyond the ones that wait are refused',
  async (kind) => {
    const concurrency = create();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let running = 0;
    const ask = async (appId: string) => {
      const work = () => ((running += 1), ended);
      await concurrency.run(kind, { ...server('token'), appId }, work);
    };
    const noisy = Array.from({ length: 50 }, () =>
      ask('noisy').catch((error: unknown) => problemOf(error)?.id),
    );
    await new Promise(setImmediate);
    expect(running).toBe(4);
    const quiet = ask('quiet');
    end();
    await quiet;
    const refused = (await Promise.all(noisy)).filter((answer) => answer === 'rate_limit_exceeded');
    expect(refused).toHaveLength(14);
  },
);

test('applications that replay for long leave a place for a further one', async () => {
  const limiter = create();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const running = new Set<string>();
  const replay = (appId: string, index: number) =>
    limiter.replay({}, { appId, userId: `user ${index}` }, () => (running.add(appId), ended));
  const replays = Array.from({ length: 9 }, (_, app) =>
    Array.from({ length: 16 }, (_unused, index) => replay(`noisy ${app}`, index)),
  ).flat();
  await new Promise(setImmediate);
  const quiet = replay('quiet', 0);
  await new Promise(setImmediate);
  expect(running).toContain('quiet');
  end();
  await Promise.all([...replays, quiet]);
});
