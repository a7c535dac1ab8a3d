import { readdirSync } from 'node:fs';
import path from 'node:path';
import { EventSchema } from '../../proto/gen/parley/event/v1/event_pb.js';
import { readText, REPOSITORY, tableOf } from './page.ts';

/** Rows of the table: column or field, its name, the rule, and why. */
const table = tableOf('docs/user-ids.tsv');
const services = readdirSync(path.join(REPOSITORY, 'services')).toSorted();
const RULES = ['incarnation', 'erased', 'background', 'bare', 'passing'];

/** Columns whose type can hold a user id, as `service.table.column`. */
function columnsOf(service: string): string[] {
  const columns: string[] = [];
  let table = '';
  for (const line of readText(`services/${service}/schema.sql`).split('\n')) {
    table = /^table (\w+)/.exec(line)?.[1] ?? table;
    const column = /^ {2}"?(\w+)"? (text|json|jsonb|bytea)\b/.exec(line)?.[1];
    if (column) columns.push(`${service}.${table}.${column}`);
  }
  return columns;
}

/** Tables none of whose columns is of a user, and columns of other tables that are not. Each new one is decided upon here, or stands on the page. */
const WITHOUT_USERS = {
  any: {
    app_removal: ['at_table'],
    consumed_event: ['consumer'],
    database_epoch: ['history'],
    dead_letter: ['consumer', 'event_id', 'subject', 'error'],
    filled_stream: ['name', 'made_at'],
    outbox: ['subject', 'live', 'headers'],
    outbox_dead_letter: ['subject', 'live', 'headers', 'error'],
    performed_operation: ['name'],
    published_mark: ['subject', 'message_id'],
    recent_event: ['subject'],
  },
  announcement: {},
  content: {
    content: ['content_type', 'filename', 'origin', 'token_hash', 'store_upload_id'],
    content_part: ['tag'],
  },
  export: {
    export: ['status_reason', 'public_key', 'events', 'archive_sha256', 'encrypted_aes_key', 'aes_iv'],
    export_blob: ['key'],
    export_key: ['public_key'],
    export_schedule: ['events'],
    journal: ['kind'],
  },
  identity: {
    access_token: ['name', 'token_hash', 'access', 'origin', 'actor_issuer', 'actor_subject', 'actor_role'],
    app: ['name', 'environment', 'allowed_origins', 'public_identity_fields', 'user_directory'],
    audit_entry: ['action', 'actor_issuer', 'actor_subject', 'method', 'request_id', 'outcome', 'code'],
    automation_token: ['name', 'token_hash', 'roles'],
    console_session: ['token_hash', 'issuer', 'subject', 'name', 'roles', 'method'],
    idempotency_key: ['hash', 'fingerprint'],
    identity_change: ['fields'],
    provider: ['name'],
    provider_key: ['public_key'],
    push_token: ['type'],
    session: ['token_hash'],
    sign_in_code: ['hash'],
    used_nonce: ['hash'],
  },
  messaging: {
    conversation: ['type'],
    conversation_block: ['low', 'deleted'],
    conversation_type: ['name', 'rules'],
    event_interest: ['consumer'],
    gone_item: ['list_id'],
    participant: ['role'],
    participant_block: ['read', 'delivered', 'hidden', 'contrary'],
    reaction: ['key'],
    reaction_count: ['key'],
    restriction: ['kind'],
  },
  push: {
    credentials: ['provider', 'shown', 'sealed'],
    delivery: ['provider', 'reason', 'traceparent'],
    vapid_key: ['public_key', 'private_key'],
  },
  webhook: {
    delivery: ['attempts'],
    expansion: ['traceparent'],
    gone_item: ['list_id'],
    notice: ['type', 'traceparent'],
    webhook: ['version', 'target_url', 'events', 'secrets', 'config', 'status_reason'],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

const withoutUsers = new Set(
  Object.entries(WITHOUT_USERS).flatMap(([service, tables]) =>
    Object.entries(tables).flatMap(([table, columns]: [string, readonly string[]]) =>
      columns.map((column) => `${service}.${table}.${column}`),
    ),
  ),
);
function placesOf(kind: string): [name: string, rule: string][] {
  return table.filter((row) => row[0] === kind).map(([, name = '', rule = '']) => [name, rule]);
}

const columnRows = placesOf('column');
const declared = new Set([...withoutUsers, ...columnRows.map(([name]) => name)]);

/** The name under which a column is declared: its own, or that of a table of `packages/kit`, which several services have. */
function shared(column: string): string {
  return column.replace(/^\w+/, 'any');
}

test.each(services)(
  'every column of %s that can hold a user id says how it keeps persons apart',
  (service) => {
    const columns = columnsOf(service);
    expect(columns.length).toBeGreaterThan(5);
    expect(columns.filter((column) => !declared.has(column) && !declared.has(shared(column)))).toEqual([]);
  },
);

test('the page and the lists of this test name columns that exist, each once, and known rules', () => {
  const existing = new Set(services.flatMap(columnsOf).flatMap((column) => [column, shared(column)]));
  const named = [...withoutUsers, ...columnRows.map(([name]) => name)];
  expect(named.filter((column) => !existing.has(column))).toEqual([]);
  expect(named.filter((column, index) => named.indexOf(column) !== index)).toEqual([]);
  const rules = [...columnRows, ...placesOf('field')].map(([, rule]) => rule);
  expect(table.filter((row) => row.length !== 4 || row.includes(''))).toEqual([]);
  expect(rules.filter((rule) => !RULES.includes(rule))).toEqual([]);
});

/** How records of two persons with the same id are told apart. */
const MARKS = [
  'incarnation',
  'version',
  'subject_incarnation',
  'sender_incarnation',
  'returned_incarnations',
];

test('what is told apart by an incarnation, or erased in the background, has a column for it', () => {
  // By a key that changes with the person, or a table that has the mark.
  const byOther =
    /^(messaging\.(change|conversation|hidden_unread|list_place|message_version|participant_block|block_copy|reaction_count)|identity\.(idempotency_key|performed_operation)|messaging\.performed_operation|webhook\.performed_operation|announcement\.inbox|push\.delivery)\./;
  const missing = columnRows.flatMap(([name, rule]) => {
    if (!['incarnation', 'background'].includes(rule) || byOther.test(name)) return [];
    const [service = '', table = ''] = name.split('.');
    const schema = readText(`services/${service}/schema.sql`);
    const definition = new RegExp(`^table ${table}\\b.*\\n((?: {2}.*\\n)*)`, 'm').exec(schema)?.[1] ?? '';
    return MARKS.some((mark) => new RegExp(`^ {2}${mark} `, 'm').test(definition)) ? [] : [name];
  });
  expect(missing).toEqual([]);
});

type DescField = (typeof EventSchema)['fields'][number];
type DescMessage = { typeName: string; name: string; fields: readonly DescField[] };

/** Messages that stand for a user; their own fields are not looked at. */
const PERSONS = new Set(['BasicIdentity', 'Identity', 'Presence', 'PushToken', 'RecipientStatus']);

/** The fields that can hold a user id, of all messages that an event consists of, as `Message.field`. */
function fieldsOf(message: DescMessage, seen = new Set<string>()): string[] {
  if (seen.has(message.typeName)) return [];
  seen.add(message.typeName);
  return message.fields.flatMap((field) => {
    const inner = messageOf(field);
    const name = `${message.name}.${field.name}`;
    if (!inner) return holdsText(field) ? [name] : [];
    if (PERSONS.has(inner.name)) return [name];
    return inner.typeName.startsWith('google.') ? [name] : fieldsOf(inner, seen);
  });
}

function messageOf(field: DescField): DescMessage | undefined {
  return field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? undefined : field.message;
}

function holdsText(field: DescField): boolean {
  const scalar = field.fieldKind === 'list' || field.fieldKind === 'scalar' ? field.scalar : undefined;
  // string and bytes
  return scalar === 9 || scalar === 12;
}

test('every field of an event that can hold a user id says how it keeps persons apart', () => {
  const rows = new Map(placesOf('field'));
  const fields = fieldsOf(EventSchema);
  expect(fields.length).toBeGreaterThan(30);
  const holding = fields.filter((name) => !FIELDS_WITHOUT_USERS.has(name));
  expect(holding.filter((name) => !rows.has(name))).toEqual([]);
  expect([...rows.keys(), ...FIELDS_WITHOUT_USERS].filter((name) => !fields.includes(name))).toEqual([]);
});

/** Ids of other objects, and texts that the platform makes. */
const FIELDS_WITHOUT_USERS = new Set([
  ...['Event.id', 'Event.app_id', 'Event.conversation_id'],
  ...['Conversation.app_id', 'Conversation.id', 'Conversation.type'],
  ...['ParticipantRole.role', 'Permissions.actions', 'Restriction.kind'],
  ...['Message.app_id', 'Message.id', 'Message.conversation_id'],
  ...['Part.id', 'Part.mime_type', 'Part.encoding', 'Part.request_id', 'Part.filename'],
  ...['Content.id', 'Content.download_url', 'MessagePartsChanged.unnamed_part_ids'],
  'Notification.sound',
  ...['ConversationReceipts.conversation_id', 'ReceiptBlock.read', 'ReceiptBlock.delivered'],
  ...['SetMetadata.path', 'SetMetadata.value', 'DeleteMetadata.path'],
  ...['MessageDeleted.message_id', 'MessageHidden.message_id', 'ReceiptRecorded.message_id'],
  ...['AllRead.request_id', 'AllDelivered.request_id'],
  ...['MessagePartsChanged.message_id', 'MessagePartsChanged.removed_part_ids'],
  ...['MessageUpdated.message_id', 'ReactionsChanged.message_id', 'ReactionChange.id'],
  ...['MessageReaction.key', 'ReactionChange.key', 'ReactionPush.key'],
  ...['IdentityChanged.fields', 'SessionsEnded.session_ids'],
  ...['AnnouncementCreated.announcement_id', 'AnnouncementReceived.announcement_id'],
  ...['Announcement.app_id', 'Announcement.id'],
  ...['AnnouncementReceiptRecorded.announcement_id', 'AnnouncementDeleted.announcement_id'],
  ...['PushRequested.conversation_id', 'PushRequested.message_id'],
  ...['PushSettled.provider', 'PushSettled.conversation_id', 'PushSettled.message_id', 'PushSettled.reason'],
]);
