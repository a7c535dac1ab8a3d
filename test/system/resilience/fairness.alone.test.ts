import { createApp, textPart, uuidOf, type TestUser } from '../../support/app.ts';
import { noises, startNoise } from '../../support/noise.ts';
import { ownPlatform, type OwnPlatform } from '../../support/own-platform.ts';
import { createPace } from '../../support/pace.ts';

// The limits are those of a deployment, which `npm start` and the other tests loosen, but for lower rates. A noise asks for up to
// a hundred requests a second, with up to 50 under way at any time, each of which is answered within the 5 s of a request: at
// least ten a second are answered. No noise is granted that many here, so that it reaches its cap on the slowest machine. The
// quiet application sends in turn for as many users as keep it below its own cap.

let own: OwnPlatform;

beforeAll(async () => {
  const rates = {
    PARLEY_RATE_LIMIT_FACTOR: '1',
    PARLEY_RATE_LIMIT_SESSION: '5',
    PARLEY_RATE_LIMIT_SESSION_BURST: '100',
    PARLEY_RATE_LIMIT_ACCESS_TOKEN: '50',
    PARLEY_RATE_LIMIT_ACCESS_TOKEN_BURST: '500',
  };
  own = await ownPlatform({ env: { '*': rates } });
}, 60_000);

afterAll(() => own?.stop(), 60_000);

const LEAST_SENDS = 50;
const WITHIN_MS = 1_000;
/** A machine may stand still for a moment: a round with a late send is repeated. An application that starves is late in each. */
const MOST_REPEATS = 2;
const NOISE_PACE = { burst: 100, perSecond: 100 };
/** Each has 3,000 recipients and weighs 61: less than one a second is granted. */
const ANNOUNCEMENTS_PACE = { burst: 20, perSecond: 10 };
/** Users of the quiet application, each of whom sends less often than a session may. */
const USERS = 10;
const SENDS_A_SECOND = 30;

/** A conversation of another application, and what sends one message in it at its turn. Resolves with the time that took. */
async function startQuiet() {
  const app = await createApp(own, 'quiet');
  const users: TestUser[] = [];
  for (let n = 0; n < USERS; n++) users.push(await app.login(`user-${n}`));
  const participants = users.map(({ id }) => id);
  const { body } = await users[0]!.call('POST', '/conversations', 201, { body: { participants } });
  const path = `/conversations/${uuidOf(body.id)}/messages`;
  const turn = createPace({ burst: 0, perSecond: SENDS_A_SECOND });
  let sent = 0;
  return async (signal: AbortSignal) => {
    await turn(signal);
    const began = performance.now();
    await users[sent++ % USERS]!.call('POST', path, 201, { body: { parts: [textPart('hello')] } });
    return performance.now() - began;
  };
}

test.each(Object.entries(noises))(
  'beside %s without end, which are refused at their cap, every send of another application succeeds within a second',
  async (name, prepare) => {
    const app = await createApp(own, 'noisy');
    const work = await prepare({ app, postgresUrl: own.running.state.postgres_url });
    const send = await startQuiet();
    const noise = startNoise(work, name === 'announcements' ? ANNOUNCEMENTS_PACE : NOISE_PACE);
    const inTime = AbortSignal.timeout(90_000);
    /** Sends until more of the noise has been refused, and at least some times. Resolves with the longest time of a send. */
    const sendUntilRefused = async (): Promise<number> => {
      const before = noise.refused;
      let longest = 0;
      for (let n = 0; n < LEAST_SENDS || noise.refused === before; n++) {
        if (inTime.aborted) throw new Error(`only ${noise.refused} requests of the noise were refused`);
        longest = Math.max(longest, await send(inTime));
      }
      return longest;
    };
    try {
      let longest = Math.max(await sendUntilRefused(), await sendUntilRefused());
      for (let repeats = 0; repeats < MOST_REPEATS && longest >= WITHIN_MS; repeats++)
        longest = await sendUntilRefused();
      expect(noise.taken).toBeGreaterThan(0);
      expect(longest).toBeLessThan(WITHIN_MS);
      expect([...noise.others].filter(([status]) => status >= 500)).toEqual([]);
    } finally {
      await noise.stop();
    }
  },
  120_000,
);
