import { EventSchema } from '@parley/proto/parley/event/v1/event_pb';
import { chooseSubjects, durableSubject, eventFilter, eventKind, liveSubject } from './events.ts';
import { appId, sampleEvent } from './testing/samples.ts';

const cases =
  EventSchema.oneofs.find(({ name }) => name === 'body')?.fields.map(({ localName }) => localName) ?? [];

test('every kind of event has a name of its own that stands in a subject', () => {
  const names = cases.map((name) => eventKind({ body: { case: name, value: {} } as never }));
  expect(new Set(names).size).toBe(cases.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z_]+$/);
});

test('an event is published under its app and kind', () => {
  const event = sampleEvent({ case: 'messageCreated', value: {} });
  expect(durableSubject(event)).toBe(`event.${appId}.message.created`);
  expect(eventFilter('message.created')).toBe('event.*.message.created');
  expect(liveSubject(appId, 3, 'heads')).toBe(`live.${appId}.3.heads`);
});

test('an event that this process does not know has no kind', () => {
  expect(() => eventKind({ body: { case: undefined } })).toThrow(TypeError);
});

test('subjects are chosen by their app, or by a kind that matters in every app', async () => {
  const [other, sent, erased] = ['another-app', 'message.created', 'identity.erased'];
  const subjects = [`event.${appId}.${sent}`, `event.${other}.${sent}`, `event.${other}.${erased}`];
  const asked: string[][] = [];
  const listApps = async (ids: string[]) => (asked.push(ids), [appId]);
  const chosen = await chooseSubjects(subjects, { always: ['identity.erased'], listApps });
  expect([...chosen]).toEqual([`event.${appId}.${sent}`, `event.${other}.${erased}`]);
  expect(asked).toEqual([[appId, other]]);
});
