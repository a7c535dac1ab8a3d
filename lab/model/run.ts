import { setTimeout as pause } from 'node:timers/promises';
import type { TestApp, TestUser } from '../../test/support/app.ts';
import { until } from '../../test/support/until.ts';
import {
  shownByDevice,
  shownByRest,
  withoutDeliveries,
  withoutHiddenOrder,
  type ShownToUser,
} from './compare.ts';
import { createDevice, type Device } from './device.ts';
import type { Setting } from './library.ts';
import { perform } from './perform.ts';
import type { Scenario } from './steps.ts';

const QUIET_WITHIN_MS = 60_000;
/** Lines of a device's log in the message of a failure. */
const LOG_LINES = 40;

/** Runs one scenario with users of its own. Fails with what differs. `number` makes their names. */
export async function runScenario(setting: Setting, scenario: Scenario, number: string): Promise<void> {
  const { app } = setting;
  const names = scenario.devices.map((_, index) => `${'abcd'[index]}.${number}`);
  const users = await Promise.all(names.map((name) => login(app, name)));
  const owners = scenario.devices.flatMap((count, index) =>
    Array.from({ length: count }, () => names[index]!),
  );
  const devices = await Promise.all(owners.map((userId) => createDevice(setting, userId)));
  try {
    for (const [index, step] of scenario.steps.entries()) {
      const device = devices[step.device % devices.length]!;
      await perform({ app, device, users: names, step, name: String(index) });
      if (step.pause > 0) await pause(step.pause);
    }
    await Promise.all(devices.map(calmDown));
    await Promise.all(
      users.map((user) =>
        agree(
          user,
          devices.filter(({ userId }) => userId === user.id),
        ),
      ),
    );
    for (const device of devices) checkSettled(device);
  } finally {
    await Promise.all(devices.map((device) => device.stop()));
  }
}

/** The gateway may have been killed in this moment. */
function login(app: TestApp, name: string): Promise<TestUser> {
  return until(`${name} logs in`, () => app.login(name).catch(() => undefined), QUIET_WITHIN_MS);
}

/** The network is good again, and everything is sent or refused. */
async function calmDown(device: Device): Promise<void> {
  const { proxy } = device;
  proxy.delay(0);
  proxy.truncateAfter(Infinity);
  proxy.refuse(false);
  device.client.connect();
  let open: string | undefined;
  const isQuiet = async (): Promise<true | undefined> => {
    open = await openOf(device);
    return open === undefined || undefined;
  };
  await until(`${device.userId} is quiet`, isQuiet, QUIET_WITHIN_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${open}\n${device.log.slice(-LOG_LINES).join('\n')}`);
  });
}

/** Says why a device is not quiet yet: it is not online, or something waits to be sent. Discards what was refused. */
async function openOf(device: Device): Promise<string | undefined> {
  const { status: connection } = device.client.connection.getSnapshot();
  if (connection !== 'online') return `it is ${connection}`;
  const { items } = device.client.conversations().getSnapshot();
  const lists = items.map(({ id }) => device.messages(id).getSnapshot());
  const loading = lists.findIndex(({ status }) => status === 'loading');
  if (loading !== -1) return `the messages of ${items[loading]?.id} are loading: ${lists[loading]?.error}`;
  const all = [...items, ...lists.flatMap((list) => list.items)];
  const failed = all.filter(({ state }) => state === 'failed');
  for (const one of failed) await one.discard();
  // A refused upload stays until it is dismissed; others are sent and dismissed.
  const uploads = device.client.uploads.getSnapshot().items.map((one) => one.getSnapshot().status);
  const upload = uploads.find((status) => status !== 'failed');
  if (upload !== undefined) return `an upload is ${upload}`;
  const unsent = all.find(({ state }) => state !== 'sent');
  return unsent && `${unsent.id} is ${unsent.state}`;
}

/** Every device of a user shows what REST says. */
async function agree(user: TestUser, devices: readonly Device[]): Promise<void> {
  const users = new Set(devices.flatMap((device) => [...device.blocked]));
  for (const device of devices) {
    const others = devices.filter((one) => one !== device);
    const hidden = { users, conversations: new Set(others.flatMap((one) => [...one.hid])) };
    let wanted: ShownToUser | undefined;
    let found: ShownToUser | undefined;
    const isSame = async (): Promise<true | undefined> => {
      // A window shows a change a frame later than a new query does, so a refusal may have been missed before.
      if ((await openOf(device)) !== undefined) return undefined;
      await refreshLeft(device);
      const shown = await shownByRest(user).catch(() => undefined);
      if (!shown) return undefined;
      const { items } = device.client.conversations().getSnapshot();
      const isBefore = items.some((conversation) => !('reads' in conversation));
      const compared = (one: ShownToUser): ShownToUser =>
        withoutHiddenOrder(isBefore ? withoutDeliveries(one) : one, hidden);
      wanted = compared(shown);
      const onDevice = shownByDevice(device, user.uri);
      found = onDevice && compared(onDevice);
      return JSON.stringify(found) === JSON.stringify(wanted) || undefined;
    };
    await until(`${user.id} agrees`, isSame, QUIET_WITHIN_MS).catch((error: unknown) => {
      const log = device.log.slice(-LOG_LINES).join('\n');
      throw new Error(`${user.id}: ${String(error)}\n${difference(wanted, found)}\n${log}`);
    });
  }
}

/** Reads conversations that the user has left, whose changes do not reach the device. */
async function refreshLeft({ client }: Device): Promise<void> {
  const { items } = client.conversations().getSnapshot();
  const left = items.filter(({ isParticipant }) => !isParticipant);
  await Promise.all(left.map((conversation) => conversation.refresh().catch(() => undefined)));
}

/** The first records that differ. */
function difference(wanted: ShownToUser | undefined, found: ShownToUser | undefined): string {
  if (!wanted) return 'REST does not answer';
  if (!found) return 'the device does not know yet';
  return (
    differenceOf(wanted.conversations, found.conversations) ??
    differenceOf(wanted.announcements, found.announcements) ??
    'they agree by now'
  );
}

type WithId = { readonly id: string };

function differenceOf(wanted: readonly WithId[], found: readonly WithId[]): string | undefined {
  const order = [wanted, found].map((list) => list.map(({ id }) => id.slice(-4)).join());
  if (order[0] !== order[1])
    return `REST lists ${order[0]}, the device ${order[1]}\n${JSON.stringify({ wanted, found })}`;
  const index = wanted.findIndex((one, place) => JSON.stringify(one) !== JSON.stringify(found[place]));
  if (index === -1) return undefined;
  return `REST:   ${JSON.stringify(wanted[index])}\ndevice: ${JSON.stringify(found[index])}`;
}

function checkSettled({ settled, userId }: Device): void {
  for (const [id, ends] of settled)
    if (ends.length !== 1)
      throw new Error(`${userId}: ${id} was settled ${ends.length} times: ${ends.join()}`);
}
