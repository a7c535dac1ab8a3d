import { globSync } from 'node:fs';
import { ACCESS } from '../../deploy/nats/access.ts';
import { EventSchema } from '../../proto/gen/parley/event/v1/event_pb.js';
import { eventKind } from '../../packages/domain/src/events.ts';
import { exportEventsOf } from '../../services/export/src/consume/journal-entries.ts';
import { sampleEvent } from '../../packages/domain/src/testing/samples.ts';
import { RENDERERS } from '../../gateway/src/realtime/live/render/index.ts';
import { isOfInterest } from '../../services/webhook/src/consume/record-events.ts';
import { readText, REPOSITORY, rowsOf, sectionOf, tableOf } from './page.ts';

type Case = keyof typeof RENDERERS;

const page = readText('docs/events.md');
const sources = globSync('services/*/src/**/*.ts', { cwd: REPOSITORY })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ service: file.split(/[\\/]/)[1]!, text: readText(file) }));
const cases = (EventSchema.oneofs.find(({ name }) => name === 'body')?.fields ?? []).map(
  ({ localName }) => localName as Case,
);

/** The consumers that the services declare: durable name and filter. */
const consumers = sources.flatMap(({ text }) =>
  [...text.matchAll(/durable: '([a-z-]+)',\s*filter: (?:eventFilter\('([^']+)'\)|'([^']+)')/g)].map(
    ([, durable = '', kind, filter]) => ({ durable, filter: filter ?? `event.*.${kind}` }),
  ),
);

/** Content that makes every reaction to its kind of event happen. */
const FILLED = {
  conversationUpdated: { operations: [{ step: { case: 'setMetadata', value: {} } }] },
  reactionsChanged: { changes: [{ id: 'reaction', user: { userId: 'ada' } }] },
  identityChanged: { identity: { userId: 'ada' }, fields: ['display_name'] },
} as const;

function sampleOf(name: Case) {
  return sampleEvent({ case: name, value: FILLED[name as keyof typeof FILLED] ?? {} } as never);
}

function isConsumedBy({ durable, filter }: { durable: string; filter: string }, name: Case): boolean {
  const event = sampleOf(name);
  if (durable === 'webhook-deliveries') return isOfInterest(event);
  if (durable === 'export-journal') return name === 'userErased' || exportEventsOf(event.body).length > 0;
  const pattern = filter.split('.').slice(2).join('.').replace('>', '*').split('*');
  return pattern.length === 1
    ? eventKind(event) === pattern[0]
    : eventKind(event).startsWith(pattern[0] ?? '');
}

function wordsOf(cell: string): string[] {
  return cell === '' ? [] : cell.replaceAll('`', '').split(', ');
}

test('every declaration of a consumer is found', () => {
  const declared = sources.flatMap(({ text }) => text.match(/\bdurable: ['`]/g) ?? []);
  expect(consumers.length).toBe(declared.length);
  expect(consumers.length).toBeGreaterThan(15);
});

test('the page lists the consumers and their filters', () => {
  const lines = sectionOf(page, 'Consumers').matchAll(/^- `([\w-]+)` \(`([^`]+)`\):\s/gm);
  const listed = [...lines].map(([, durable, filter]) => ({ durable, filter }));
  const byName = (one: { durable?: string | undefined }, other: { durable?: string | undefined }) =>
    one.durable! < other.durable! ? -1 : 1;
  expect(listed.toSorted(byName)).toEqual(consumers.toSorted(byName));
});

test('the table lists every kind of durable event with its body, packets and consumers', () => {
  const listed = tableOf('docs/durable-events.tsv').map(([kind, body, , packets, readers = '']) => ({
    kind,
    body,
    packets,
    consumers: wordsOf(readers),
  }));
  const expected = cases.map((name) => ({
    kind: eventKind(sampleOf(name)),
    body: name,
    packets: RENDERERS[name] ? 'yes' : 'no',
    consumers: consumers
      .filter((consumer) => isConsumedBy(consumer, name))
      .map(({ durable }) => durable)
      .toSorted(),
  }));
  expect(listed).toEqual(expected.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)));
});

test('the producer of an event is a service that makes one', () => {
  for (const [, body = '', producer = ''] of tableOf('docs/durable-events.tsv')) {
    const makers = sources.filter(({ text }) => text.includes(`case: '${body}'`));
    expect([body, makers.map(({ service }) => service)]).toEqual([body, expect.arrayContaining([producer])]);
  }
});

test('each service may do at NATS what the page says of it', () => {
  const rows = tableOf('docs/durable-events.tsv');
  const channels = rowsOf(sectionOf(page, 'Live messages'));
  for (const service of new Set(sources.map((source) => source.service))) {
    const access = ACCESS[service];
    const own = consumers.filter(({ durable }) => durable.startsWith(`${service}-`));
    expect([service, access?.consumers ?? {}]).toEqual([
      service,
      Object.fromEntries(own.map(({ durable, filter }) => [durable, filter])),
    ]);
    const kinds = rows.filter(([, , producer]) => producer === service).map(([kind]) => kind);
    expect([service, access?.events ?? []]).toEqual([service, kinds]);
    const live = channels
      .filter(([, , producers = '']) => wordsOf(producers).includes(service))
      .map(([name]) => name);
    expect([service, access?.live ?? []]).toEqual([service, live]);
  }
});

test('the page lists every live channel with the services that publish it', () => {
  const publishers = sources.flatMap(({ service, text }) =>
    [...text.matchAll(/liveSubject\([^;]*?, '(\w+)'\)/g)].map(([, channel]) => ({ service, channel })),
  );
  const expected = Map.groupBy(publishers, ({ channel }) => channel!);
  const listed = rowsOf(sectionOf(page, 'Live messages')).map(([channel, , producer = '']) => [
    channel,
    producer,
  ]);
  expect(listed).toEqual(
    [...expected]
      .map(([channel, users]) => [
        channel,
        [...new Set(users.map(({ service }) => service))].toSorted().join(', '),
      ])
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  );
});
