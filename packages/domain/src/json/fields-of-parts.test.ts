import { create } from '@bufbuild/protobuf';
import { AnnouncementSchema } from '@parley/proto/parley/announcement/v1/announcement_pb';
import { ContentSchema, PartSchema, type Part } from '@parley/proto/parley/messaging/v1/message_pb';
import { parseExportedMessage } from '../parse/exported.ts';
import { fitsMessage } from '../parts.ts';
import {
  contentId,
  conversationId,
  messageId,
  partId,
  sampleEvent,
  sampleMessage,
  samplePart,
  sentAt,
  viewOf,
  wire,
} from '../testing/samples.ts';
import { announcementJson } from './announcement.ts';
import { changeBodies } from './change.ts';
import { messageJson } from './message.ts';
import { partJson } from './part.ts';

/** A part with every field that a part can have; `body` and `content` exclude each other. */
const WHOLE: readonly Part[] = [
  samplePart({
    mimeType: 'text/plain',
    body: 'aGVsbG8=',
    encoding: 'base64',
    updatedAt: sentAt,
    requestId: 'x',
  }),
  samplePart({
    mimeType: 'image/png',
    content: create(ContentSchema, { id: contentId, size: 5 }),
    filename: 'Büro.png',
    updatedAt: sentAt,
  }),
];
/** The id of the call that added the part, which is not shown. */
const HIDDEN = ['requestId'];
const view = viewOf('server');
const place = { id: messageId, conversationId };

/** Each visible field of a part, with a part that has it and one that does not. */
const CASES = PartSchema.fields
  .map(({ localName }) => localName)
  .filter((name) => name !== 'id' && !HIDDEN.includes(name))
  .map((name) => {
    const part = WHOLE.find((one) => one[name as keyof Part] !== undefined) ?? samplePart();
    const { [name as keyof Part]: _, ...rest } = part;
    return { name, part, without: create(PartSchema, rest as Part) };
  });

test('the parts of these tests have every field', () => {
  const names = new Set(WHOLE.flatMap((part) => Object.keys(part).filter((key) => !key.startsWith('$'))));
  expect([...names].sort()).toEqual(PartSchema.fields.map(({ localName }) => localName).sort());
});

test.each(CASES)('$name is shown with a message, an announcement and an edit', ({ part, without }) => {
  const shown = [part, without].map((one) => [
    messageJson(view, sampleMessage({ parts: [one] })).parts,
    announcementJson(view, create(AnnouncementSchema, { id: messageId, parts: [one] })).parts,
    changeBodies(
      viewOf('client', 'bob'),
      sampleEvent({ case: 'messagePartsChanged', value: { messageId, updated: [one] } }),
    ),
  ]);
  for (const [index, withIt] of (shown[0] ?? []).entries()) expect(withIt).not.toEqual(shown[1]?.[index]);
});

test('an edit sets every key that a part has beside its addresses', () => {
  for (const part of WHOLE) {
    const [change] = changeBodies(
      view,
      sampleEvent({ case: 'messagePartsChanged', value: { messageId, updated: [part] } }),
    );
    const { id: _, url: __, message_url: ___, ...rest } = partJson(view, place, part);
    const steps = (change?.data ?? []) as { operation: string; property: string; value: unknown }[];
    expect(Object.fromEntries(steps.map(({ property, value }) => [property, value]))).toEqual(rest);
  }
});

test('an edit that takes the filename away says so; other parts without one do not mention it', () => {
  const unnamed = samplePart({ mimeType: 'image/png' });
  const stepsOf = (unnamedPartIds: string[]) => {
    const value = { messageId, updated: [unnamed], unnamedPartIds };
    const [change] = changeBodies(view, sampleEvent({ case: 'messagePartsChanged', value }));
    return change?.data as object[];
  };
  expect(stepsOf([])).toHaveLength(5);
  expect(stepsOf([partId])).toEqual([...stepsOf([]), { operation: 'delete', property: 'filename' }]);
});

test('the key is absent without a filename', () => {
  expect(partJson(view, place, samplePart())).not.toHaveProperty('filename');
});

test('an import takes back what an export shows', () => {
  const message = sampleMessage({ parts: WHOLE.map((part, index) => ({ ...part, id: ids[index] ?? '' })) });
  const shown = JSON.parse(JSON.stringify(messageJson(view, message))) as unknown;
  const taken = parseExportedMessage(wire, shown).parts.map((part) => partJson(view, place, part));
  expect(taken).toEqual(message.parts.map((part) => partJson(view, place, part)));
});
const ids = [partId, messageId];

test('every text of a part counts towards the size of its message', () => {
  const texts = PartSchema.fields.filter(
    ({ localName, fieldKind, scalar }) =>
      fieldKind === 'scalar' && scalar === 9 && !['id', 'requestId', 'encoding'].includes(localName),
  );
  expect(texts.map(({ localName }) => localName)).toEqual(['mimeType', 'body', 'filename']);
  for (const { localName } of texts) {
    const parts = Array.from({ length: 20 }, () => samplePart({ [localName]: 'é'.repeat(25_000) }));
    expect([localName, fitsMessage(parts)]).toEqual([localName, false]);
  }
});
