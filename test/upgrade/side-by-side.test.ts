import { lastRelease, obtainRelease } from '@parley/stack/release';
import { REPOSITORY } from '@parley/stack/config';
import { describeWith } from '@parley/testing';
import { createClient, type Client } from '../../lab/faults/client.ts';
import type { History } from '../../lab/faults/history.ts';
import { judge } from '../../lab/faults/judge.ts';
import { startLoad, type Load } from '../../lab/faults/load.ts';
import { startRound, type Round } from '../../lab/faults/round.ts';
import { startWorld, type World } from '../../lab/faults/world.ts';
import { KINDS } from '../support/fleet.ts';
import { until } from '../support/until.ts';
import { startReleases, type Releases } from '../support/releases.ts';

describeWith('history', 'the last release and this one, side by side', () => {
  let before: string;
  let releases: Releases;
  let world: World;
  let client: Client;
  let round: Round;
  let load: Load;
  const history: History = { sent: [], read: new Map(), announced: [], faults: [] };

  beforeAll(async () => {
    before = await obtainRelease(lastRelease());
  }, 300_000);

  beforeAll(async () => {
    releases = startReleases(before);
    world = await startWorld({ releases });
    client = createClient(world.addresses);
    round = await startRound(world);
    load = startLoad(round, client, history, { hasReleasedProcesses: true });
  }, 120_000);

  afterAll(async () => {
    await load?.stop();
    await round?.stop();
    await world?.stop();
    releases?.stop();
  }, 90_000);

  /** Restarts the processes, all of them at once; messages are sent by the platform that is there then. */
  const replaceAll = async (suffix: '' | '-2', folder: string): Promise<void> => {
    for (const kind of KINDS) releases.use(kind, folder);
    await Promise.all(
      KINDS.map(async (kind) => {
        const old = world.pidOf(`${kind}${suffix}`);
        world.signal(`${kind}${suffix}`, 'SIGTERM');
        await world.untilReplaced(`${kind}${suffix}`, old);
      }),
    );
    const sent = load.sent;
    await until('40 messages more are sent', () => load.sent >= sent + 40 || undefined, 60_000);
  };

  test('rolled forward, back and forward again under load, they keep every promise', async () => {
    for (const folder of [REPOSITORY, before, REPOSITORY]) {
      await replaceAll('-2', folder);
      await replaceAll('', folder);
    }
    await load.stop();
    await world.untilReady();
    const broken = await judge(round, client, history);
    // Which of the releases broke a promise is told by what it logged.
    expect({ broken, logged: broken.length > 0 ? world.loggedErrors() : [] }).toEqual({
      broken: [],
      logged: [],
    });
  }, 420_000);
});
