import { readFileSync } from 'node:fs';
import path from 'node:path';
import { REPOSITORY } from '@parley/stack/config';
import { lastRelease, readReleased } from '@parley/stack/release';
import { describeWith } from '@parley/testing';
import { releasedServices } from '../support/releases.ts';
import { findBreaks } from './schemas.ts';

const RELEASED = `table message
  app_id uuid not null
  body bytea
  low boolean not null default false
  constraint message_pkey PRIMARY KEY (app_id)
  CREATE UNIQUE INDEX message_low ON public.message USING btree (app_id, low)
table receipt
  app_id uuid not null
`;

test.each([
  ['the same schema', (text: string) => text, []],
  ['a new table', (text: string) => `${text}table push\n  app_id uuid not null\n`, []],
  ['a new column with a default', (text: string) => `${text}  at bigint not null default 0\n`, []],
  ['a new column that may be null', (text: string) => `${text}  at bigint\n`, []],
  [
    'a column that may be null',
    (text: string) => text.replace('uuid not null', 'uuid'),
    ['column message.app_id may be null now'],
  ],
  [
    'a new rule for rows',
    (text: string) => `${text}  constraint receipt_at CHECK (at > 0)\n`,
    ['table receipt has a new rule: CHECK (at > 0)'],
  ],
  [
    'a new trigger',
    (text: string) => `${text}  CREATE TRIGGER late BEFORE INSERT ON public.receipt\n`,
    ['table receipt has a new rule: TRIGGER late BEFORE INSERT ON public.receipt'],
  ],
  [
    'a new column without a default',
    (text: string) => `${text}  at bigint not null\n`,
    ['column receipt.at is new, and has no default'],
  ],
  [
    'a table that is gone',
    (text: string) => text.slice(0, text.indexOf('table receipt')),
    ['table receipt is gone'],
  ],
  [
    'a column that is gone',
    (text: string) => text.replace('  body bytea\n', ''),
    ['column message.body is gone'],
  ],
  [
    'another type',
    (text: string) => text.replace('body bytea', 'body json'),
    ['column message.body is json instead of bytea'],
  ],
  [
    'a column that has to be given',
    (text: string) => text.replace('body bytea', 'body bytea not null'),
    ['column message.body has to be given now'],
  ],
  [
    'a key that is gone',
    (text: string) => text.replace(/ {2}constraint.*\n/, ''),
    ['table message has lost: PRIMARY KEY (app_id)'],
  ],
  [
    'a unique index that is gone',
    (text: string) => text.replace(/ {2}CREATE.*\n/, ''),
    ['table message has lost: UNIQUE INDEX message_low ON public.message USING btree (app_id, low)'],
  ],
])('a later schema with %s', (_what, change, breaks) => {
  expect(findBreaks(RELEASED, change(RELEASED))).toEqual(breaks);
});

/**
 * Triggers, by name, that refuse no statement: what a process of the last release writes succeeds as before. Each mends what that process
 * does not know of; services/messaging/test/identity/second-holders.test.ts, message/versions.test.ts and message/reactions.test.ts try them with the
 * statements of that release.
 */
const MENDING_TRIGGERS = [
  'continue_erasure',
  'delete_message_versions',
  'delete_reactions',
  'keep_participation_erased',
];

describeWith('history', 'beside processes of the last release', () => {
  test.each(releasedServices())('the schema of %s can be used by both', (service) => {
    const before = readReleased(lastRelease(), `${service}/schema.sql`);
    const now = readFileSync(path.join(REPOSITORY, service, 'schema.sql'), 'utf8');
    expect(before).toContain('table ');
    const mended = (sentence: string) =>
      MENDING_TRIGGERS.some((name) => sentence.includes(` TRIGGER ${name} `));
    expect(findBreaks(before, now).filter((sentence) => !mended(sentence))).toEqual([]);
  });
});
