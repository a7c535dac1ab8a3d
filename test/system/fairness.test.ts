import { createApp, textPart, uuidOf } from '../support/app.ts';
import { noises, startNoise } from '../support/noise.ts';
import { ownPlatform, type OwnPlatform } from '../support/own-platform.ts';

// The limits are those of a deployment, which `npm start` and the other tests loosen.

let own: OwnPlatform;

beforeAll(async () => {
  own = await ownPlatform({ env: { '*': { PARLEY_RATE_LIMIT_FACTOR: '1' } } });
}, 60_000);

afterAll(() => own?.stop(), 60_000);

const LEAST_SENDS = 50;
const WITHIN_MS = 1_000;

/** A conversation of another application, and what sends one message in it. Resolves with the time that took. */
async function startQuiet() {
  const app = await createApp(own, 'quiet');
  const [ada] = [await app.login('ada'), await app.login('bob')];
  const { body } = await ada.call('POST', '/conversations', 201, { body: { participants: ['bob'] } });
  const path = `/conversations/${uuidOf(body.id)}/messages`;
  return async () => {
    const began = performance.now();
    await ada.call('POST', path, 201, { body: { parts: [textPart('hello')] } });
    return performance.now() - began;
  };
}

test.each(Object.entries(noises))(
  'beside %s without end, which are refused at their cap, every send of another application succeeds within a second',
  async (_name, prepare) => {
    const app = await createApp(own, 'noisy');
    const work = await prepare({ app, postgresUrl: own.running.state.postgres_url });
    const send = await startQuiet();
    const noise = startNoise(work);
    const times: number[] = [];
    const deadline = Date.now() + 60_000;
    /** Sends until more of the noise has been refused, and at least some times. */
    const sendUntilRefused = async (): Promise<void> => {
      const before = noise.refused;
      for (let n = 0; n < LEAST_SENDS || noise.refused === before; n++) {
        if (Date.now() > deadline)
          throw new Error(`only ${noise.refused} requests of the noise were refused`);
        times.push(await send());
      }
    };
    try {
      await sendUntilRefused();
      await sendUntilRefused();
      expect(noise.taken).toBeGreaterThan(0);
      expect(Math.max(...times)).toBeLessThan(WITHIN_MS);
      expect([...noise.others].filter(([status]) => status >= 500)).toEqual([]);
    } finally {
      await noise.stop();
    }
  },
  120_000,
);
