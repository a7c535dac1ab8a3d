import fc from 'fast-check';
import { createApp, type TestUser } from '../../support/app.ts';
import { platform } from '../../support/platform.ts';
import { until } from '../../support/until.ts';
import { compareDevice, compareMessages, compareUser } from './model/compare.ts';
import { createDevice, type Device } from './model/device.ts';
import { conversationOf, operations, perform, type Cast, type Operation } from './model/operations.ts';

const NAMES = ['ada', 'b.o.b', 'cat', 'dan@example.org', 'eve', 'fay'];
const OPERATIONS = 500;
/** Seed of the same operations in each run, so that a failure is due to the tested change; MODEL_SEED selects others. */
const USUAL_SEED = 20_261_120;

test('six users, 500 operations: REST and each socket after its replay agree with a naive model', async () => {
  const seed = Number(process.env['MODEL_SEED'] ?? USUAL_SEED);
  const [given = []] = fc.sample(operations(OPERATIONS), { seed, numRuns: 1 });
  await run(given, seed);
}, 180_000);

/** A failure names the seed. */
async function run(given: Operation[], seed: number): Promise<void> {
  const app = await createApp(await platform(), 'model');
  const people = new Map<string, TestUser>();
  const devices = new Map<string, Device>();
  for (const [index, name] of NAMES.entries()) {
    const user = await app.login(name);
    people.set(name, user);
    devices.set(name, createDevice(user, index % 2 === 0 ? 'svc-3.0' : 'svc-3.1'));
  }
  const cast: Cast = {
    world: { users: NAMES, conversations: [], blocks: new Map(), shadowed: new Set() },
    people,
    devices,
  };
  let at = '';
  try {
    for (const device of devices.values()) await device.connect();
    for (const [step, operation] of given.entries()) {
      at = `step ${step}: ${JSON.stringify(operation)}`;
      await perform(cast, operation);
      await compareRest(cast, operation);
      if (operation.kind === 'connect')
        await compareOne(cast, cast.world.users[operation.user % NAMES.length]!);
      if (step % 125 === 124) await compareAll(cast);
    }
  } catch (error) {
    throw new Error(`seed ${seed}, ${at}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    for (const device of devices.values()) await device.close();
  }
}

/** The conversation list of every user, and the messages of the conversation that was changed. */
async function compareRest({ world, people }: Cast, operation: Operation): Promise<void> {
  if (operation.kind === 'connect' || operation.kind === 'disconnect') return;
  const touched = conversationOf(world, operation);
  const compared = [...people.values()].flatMap((user) => [
    compareUser(world, user),
    ...(touched ? [compareMessages(world, touched, user)] : []),
  ]);
  await Promise.all(compared);
}

async function compareAll(cast: Cast): Promise<void> {
  const { world, people, devices } = cast;
  for (const [name, user] of people) {
    await Promise.all(world.conversations.map((conversation) => compareMessages(world, conversation, user)));
    const device = devices.get(name)!;
    if (!device.isConnected) await device.connect();
    await compareOne(cast, name);
  }
}

/** Compares a user's socket with the model, once it has received every event. */
async function compareOne({ world, people, devices }: Cast, name: string): Promise<void> {
  const [user, device] = [people.get(name)!, devices.get(name)!];
  let last: unknown;
  await until(`${name} has heard of everything`, async () => {
    await device.settle();
    try {
      compareDevice(world, user, device);
      return true;
    } catch (error) {
      last = error;
      return undefined;
    }
  }).catch((error: unknown) => {
    throw last ?? error;
  });
}
