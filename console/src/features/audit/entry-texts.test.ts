import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { AuditEntrySchema } from '@parley/proto/parley/identity/v1/app_pb';
import { textsOf, whoOf } from './entry-texts.ts';

const entry = (fields: MessageInitShape<typeof AuditEntrySchema>) => create(AuditEntrySchema, fields);

test.each([
  [{ actor: 'person', actorIssuer: 'https://idp.example', actorSubject: 'ada' }, 'ada (https://idp.example)'],
  [{ actor: 'admin' }, 'administration token'],
  [{ actor: 'server' }, 'a server of the application'],
  [{ actor: 'retention' }, 'retention'],
  [{ actor: 'constructor' }, 'constructor'],
])('%j is shown as “%s”', (fields, who) => {
  expect(whoOf(entry(fields))).toBe(who);
});

test('an entry is found by what it shows, also by the outcome that it does not name', () => {
  const texts = textsOf(entry({ actor: 'admin', action: 'user.suspended', subject: 'ada' }));
  expect(texts).toEqual(expect.arrayContaining(['user.suspended', 'administration token', 'ada', 'done']));
});
