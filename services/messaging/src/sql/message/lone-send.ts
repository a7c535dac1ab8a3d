import type { OutboxRow } from '@parley/kit/durable/outbox';
import type { Query } from '@parley/kit/postgres';
import { updateConversations, type ConversationRow } from '../conversation/conversation.ts';
import { updateParticipants, type ParticipantRow } from '../conversation/participant.ts';
import { insertChange, type ChangeRow } from '../log/change.ts';
import { insertOutboxValues, outboxValues } from '../log/outbox.ts';
import { changedSends, lockUnchangedText, SEND, VERSION, type CachedSend } from './cached-send.ts';
import { insertMessages, type MessageRow } from './message.ts';

/** One message of normal significance from a cached participant, with all that its storing writes. */
export type LoneSend = {
  /** The conversation as it is cached, and as the message leaves it. */
  before: ConversationRow & { changed_at: number };
  after: ConversationRow;
  send: CachedSend;
  message: MessageRow;
  sender: ParticipantRow;
  change: ChangeRow;
  /** Undefined: no other service awaits the event. */
  outboxRow: OutboxRow | undefined;
};

/** The arguments of the function, with their types. */
const ARGUMENTS = {
  app_id: 'uuid',
  conversation_id: 'uuid',
  seq: 'int8',
  head: 'int8',
  changed_at: 'float8',
  id: 'uuid',
  user_id: 'text',
  identity_version: 'float8',
  incarnation: 'float8',
  read_until: 'int8',
  is_awaited: 'boolean',
  type_name: 'text',
  type_version: 'uuid',
  request_id: 'uuid',
  sent_at: 'float8',
  body: 'bytea',
  message_incarnation: 'float8',
  next_seq: 'int8',
  next_head: 'int8',
  excluded_count: 'int8',
  deleted_count: 'int8',
  next_changed_at: 'float8',
  next_read_until: 'int8',
  delivered_until: 'int8',
  covered_count: 'int8',
  hidden_count: 'int8',
  unlisted_at: 'int8',
  created_at: 'float8',
  event: 'bytea',
  outbox_id: 'uuid',
  subject: 'text',
  live: 'text',
  payload: 'bytea',
  headers: 'text',
} as const;

type Argument = keyof typeof ARGUMENTS;

const NAMES = Object.keys(ARGUMENTS) as Argument[];

/** A later change of the text gets a new name, since the last release calls this one. */
export const LONE_SEND = 'store_lone_send_2';

const CALL = `select ${LONE_SEND}(${NAMES.map((name, index) => `$${index + 1}::${ARGUMENTS[name]}`).join(', ')}) as holds`;

/**
 * Stores the message with one call, if its conversation and all other cached state are current: the row's `holds`. What the function does
 * is what `lockUnchangedConversations` and the conditional write do for many; each of its statements sees what was committed before it.
 */
export function storeLoneSend(lone: LoneSend): Query {
  const { before, after, send, message, sender, change } = lone;
  const outbox = lone.outboxRow && outboxValues(lone.outboxRow);
  const values = [
    before.app_id,
    before.id,
    before.seq,
    before.head,
    before.changed_at,
    message.id,
    send.user_id,
    send.identity_version,
    send.incarnation,
    send.read_until,
    send.is_awaited,
    send.type_name,
    send.type_version,
    message.request_id,
    message.sent_at,
    message.body,
    message.incarnation,
    after.seq,
    after.head,
    after.excluded_count,
    after.deleted_count,
    after.changed_at,
    sender.read_until,
    sender.delivered_until,
    sender.covered_count,
    sender.hidden_count,
    sender.unlisted_at,
    change.created_at,
    change.event,
    outbox?.id ?? null,
    outbox?.subject ?? null,
    outbox?.live ?? null,
    outbox?.payload ?? null,
    outbox?.headers ?? null,
  ];
  return { name: LONE_SEND, text: CALL, values };
}

const VERSION_ARGUMENTS = ['app_id', 'conversation_id', 'seq', 'head', 'changed_at'] as const;
const SEND_ARGUMENTS = [
  'app_id',
  'conversation_id',
  'id',
  'user_id',
  'identity_version',
  'incarnation',
  'read_until',
  'is_awaited',
  'type_name',
  'type_version',
] as const;

/** Makes the text that creates the function; a migration has the same text. */
export function loneSendText(): string {
  return `
create function ${LONE_SEND}(${NAMES.map((name) => ARGUMENTS[name]).join(', ')}) returns boolean
language plpgsql as $function$
begin
  ${onArguments(lockUnchangedText(VERSION.of(oneRow()).sql), VERSION_ARGUMENTS).replace('select', 'perform')};
  if not found then
    return false;
  end if;
  if exists (${onArguments(changedSends(SEND.of(oneRow()).sql), SEND_ARGUMENTS)}) then
    return false;
  end if;
  ${writes().join(';\n  ')};
  if ${onArguments('$1', ['outbox_id'])} is not null then
    ${onArguments(insertOutboxValues(oneRow()).text, ['outbox_id', 'subject', 'live', 'payload', 'headers'])};
  end if;
  return true;
end
$function$;
`;
}

function writes(): string[] {
  return [
    onArguments(insertMessages(oneRow())?.text, [
      'app_id',
      'conversation_id',
      'next_head',
      'id',
      'request_id',
      'user_id',
      'sent_at',
      'false',
      'body',
      'message_incarnation',
    ]),
    onArguments(updateConversations(oneRow())?.text, [
      'app_id',
      'conversation_id',
      'next_seq',
      'next_head',
      'excluded_count',
      'deleted_count',
      'sent_at',
      'next_changed_at',
    ]),
    onArguments(updateParticipants(oneRow())?.text, [
      'app_id',
      'conversation_id',
      'user_id',
      'next_read_until',
      'delivered_until',
      'covered_count',
      'hidden_count',
      'unlisted_at',
    ]),
    onArguments(insertChange(oneRow<ChangeRow>()[0]!).text, [
      'app_id',
      'conversation_id',
      'next_seq',
      'created_at',
      'event',
    ]),
  ];
}

/** The text with its parameters, in their order, replaced by arguments of the function. */
function onArguments(text = '', names: readonly (Argument | 'false')[]): string {
  return text.trim().replaceAll(/\$(\d+)/g, (_, number: string) => {
    const name = names[Number(number) - 1];
    if (name === undefined) throw new Error(`no argument for $${number}`);
    return name === 'false' ? name : `$${NAMES.indexOf(name) + 1}`;
  });
}

/** A row for the text of a statement for one row, which depends on no value. */
function oneRow<Row>(): [Row] {
  return [{} as Row];
}
