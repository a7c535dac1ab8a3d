import type {
  BasicIdentity,
  MessageMetadata,
  MessagePart,
  NotificationInput,
  PartInput,
  RecipientStatus,
} from '@parley/contract/gen/records';
import type { ParleyError } from '../errors.ts';
import type { DeletionMode, PartsEdit } from '../records/operation.ts';
import type { Shown } from '../pending/optimistic-view.ts';
import type { Upload } from '../transfer/upload.ts';
import type { Message as MessageRecord } from '../records/records.ts';
import { joinKeys } from '../records/paths.ts';
import type { Reactions } from '../records/reactions.ts';
import type { Actions } from './actions.ts';

export type { BasicIdentity, MessageMetadata, MessagePart, NotificationInput, PartInput, RecipientStatus };

/** The content of a message to send: a text, or its components in this order. */
export type MessageContent =
  | string
  | {
      readonly text?: string;
      readonly parts?: readonly PartInput[];
      /** Stored on the device with the message, and uploaded before it is sent. */
      readonly files?: readonly Blob[];
      readonly notification?: NotificationInput;
      /** For programs, such as `{ kind: 'system' }` of a notice. */
      readonly metadata?: MessageMetadata;
    };

/** A record as it is shown; by default as if the platform had stored it. */
type MessageView = Pick<Shown<MessageRecord>, 'record'> & Partial<Shown<MessageRecord>>;

/** `sending`: stored on the device, and sent as soon as possible. `sent`: stored by the platform. `failed`: permanently refused. */
export type MessageState = 'sending' | 'sent' | 'failed';

/**
 * A message as this user sees it, including their latest actions. The object does not change: a query returns a new one when something has
 * changed. Messages are made by queries and by `conversation.send`.
 */
export class Message {
  /** URI of the message; generated on this device for messages sent here. */
  readonly id: string;
  /** URI of the conversation. */
  readonly conversationId: string;
  /** Position in the conversation; undefined until the platform has stored the message. */
  readonly position: number | undefined;
  readonly parts: readonly MessagePart[];
  /** Null if the sender was erased. */
  readonly sender: BasicIdentity | null;
  /** Whether this user sent it. */
  readonly isOwn: boolean;
  readonly isUnread: boolean;
  /** Server time, ISO 8601; undefined until the platform has stored it. */
  readonly sentAt: string | undefined;
  /** Server time of the last edit that was read by REST; live edits show it in `updated_at` of their parts. */
  readonly updatedAt: string | undefined;
  /**
   * Status of the message for each participant, by the URI of their identity. For a message of another user only this user's status is kept
   * up to date; `refresh()` reads the others.
   */
  readonly recipientStatus: Readonly<Record<string, RecipientStatus>>;
  /** Data that the application keeps with the message, for programs. */
  readonly metadata: MessageMetadata;
  /** By key: how many users reacted, who did last, newest first, and whether this user is among them (`own`). */
  readonly reactions: Reactions;
  readonly state: MessageState;
  /** Why it failed. */
  readonly error: ParleyError | undefined;
  readonly #actions: Actions;
  readonly #operation: string | undefined;

  /** @internal */
  constructor(actions: Actions, { record, state = 'sent', error, operation }: MessageView) {
    this.#actions = actions;
    this.#operation = operation?.id;
    this.id = record.id;
    this.conversationId = record.conversation.id;
    this.position = operation ? undefined : record.position;
    this.parts = record.parts;
    this.sender = record.sender && actions.named(record.sender);
    this.isOwn = record.sender?.id === actions.me;
    this.isUnread = record.is_unread ?? false;
    this.sentAt = record.sent_at || undefined;
    this.updatedAt = record.updated_at ?? undefined;
    this.recipientStatus = record.recipient_status;
    this.metadata = record.metadata ?? {};
    this.reactions = record.reactions ?? {};
    this.state = state;
    this.error = error;
  }

  /** The texts of its parts of type text/plain, joined by line breaks. */
  get text(): string {
    return this.parts
      .filter(isText)
      .map(({ body }) => body ?? '')
      .join('\n');
  }

  /** Uploads for which the message waits, as far as this tab runs them. */
  get uploads(): readonly Upload[] {
    return this.#actions.uploadsOf(this.parts);
  }

  /**
   * Marks this message, and no other, as read. Resolves when that is kept on the device.
   *
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await message.markRead();
   */
  markRead(): Promise<void> {
    return this.isUnread ? this.#receipt('read') : Promise.resolve();
  }

  /**
   * Says that the message has reached this device.
   *
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await message.markDelivered();
   */
  markDelivered(): Promise<void> {
    const status = this.recipientStatus[this.#actions.me];
    return status === 'sent' ? this.#receipt('delivery') : Promise.resolve();
  }

  /**
   * Changes one's own message, and keeps the parts that are not given. Resolves when the edit is kept on the device.
   *
   * @param content A text, which takes the place of the text before; or parts: one with the `id` of a part takes its place, others are
   *   added.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes the edit back, with the event `failed`.
   * @example await message.edit('Hello, Grace!');
   */
  async edit(content: string | Pick<Exclude<MessageContent, string>, 'text' | 'parts'>): Promise<void> {
    const { text, parts = [] } = typeof content === 'string' ? { text: content } : content;
    const [first, ...others] = text === undefined ? [] : this.parts.filter(isText);
    if (text !== undefined) {
      const by = { mime_type: 'text/plain', body: text };
      await (first ? this.replacePart(first.id, by) : this.addPart(by));
    }
    for (const { id } of others) await this.removePart(id);
    for (const { id, ...part } of parts) {
      const there = this.parts.find((one) => id && one.id.split('/').at(-1) === id.split('/').at(-1));
      await (there ? this.replacePart(there.id, part) : this.addPart({ ...part, ...(id && { id }) }));
    }
  }

  /**
   * Adds a part at the end of one's own message.
   *
   * @param part The part.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes the edit back, with the event `failed`.
   * @example await message.addPart({ mime_type: 'text/plain', body: 'P.S. Bring the papers.' });
   */
  addPart(part: PartInput): Promise<void> {
    return this.#edit({ kind: 'add', part: { ...part, id: part.id ?? this.#actions.newId() } });
  }

  /**
   * Replaces a part of one's own message.
   *
   * @param id The part's `id`.
   * @param by The part that takes its place.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes the edit back, with the event `failed`.
   * @example await message.replacePart(message.parts[0].id, { mime_type: 'text/plain', body: 'Hello' });
   */
  replacePart(id: string, by: PartInput): Promise<void> {
    return this.#edit({ kind: 'replace', part: id, by });
  }

  /**
   * Removes a part of one's own message.
   *
   * @param id The part's `id`.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes the edit back, with the event `failed`.
   * @example await message.removePart(message.parts[0].id);
   */
  removePart(id: string): Promise<void> {
    return this.#edit({ kind: 'remove', part: id });
  }

  /**
   * Reacts to the message. It is shown at once.
   *
   * @param key An emoji or a short name.
   * @param options `replace`: takes the user's reactions with other keys back; `notification`: pushed to the sender, once.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes it back, with the event `failed`.
   * @example await message.react('👍');
   */
  react(key: string, options: { replace?: boolean; notification?: NotificationInput } = {}): Promise<void> {
    if (this.reactions[key]?.own && !options.replace) return Promise.resolve();
    return this.#actions.act({ kind: 'react', ...this.#place(), key, ...options });
  }

  /**
   * Takes a reaction of this user back. It is shown at once.
   *
   * @param key The key of the reaction.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await message.unreact('👍');
   */
  unreact(key: string): Promise<void> {
    return this.#actions.act({ kind: 'unreact', ...this.#place(), key });
  }

  /**
   * Sets a value of the metadata of one's own message.
   *
   * @param path The keys, from the outermost to the innermost.
   * @param value A text, a number, a boolean, or an object of them; undefined deletes what is at the path.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform takes it back, with the event `failed`.
   * @example await message.setMetadata(['order', 'state'], 'shipped');
   */
  setMetadata(path: readonly string[], value: MessageMetadata[string] | undefined): Promise<void> {
    const property = joinKeys(['metadata', ...path]);
    const step =
      value === undefined
        ? { operation: 'delete' as const, property }
        : { operation: 'set' as const, property, value };
    return this.#actions.act({ kind: 'patchMessage', ...this.#place(), steps: [step] });
  }

  /**
   * Deletes the message. One that was not sent is not sent any more.
   *
   * @param mode `my_devices` (by default): for this user alone; `all_participants`: for all.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await message.delete('all_participants');
   */
  delete(mode: DeletionMode = 'my_devices'): Promise<void> {
    if (this.#operation !== undefined) return this.discard();
    return this.#actions.act({ kind: 'deleteMessage', ...this.#place(), mode });
  }

  /**
   * Sends a failed message again, with the same id. Does nothing in other states.
   *
   * @throws ParleyError `store_full` or `destroyed`.
   * @example if (message.state === 'failed') await message.retry();
   */
  async retry(): Promise<void> {
    if (this.#operation !== undefined) await this.#actions.retry({ id: this.#operation });
  }

  /**
   * Drops a message that is not sent. One that is on its way may arrive nevertheless.
   *
   * @throws ParleyError `store_full` or `destroyed`.
   * @example if (message.state === 'failed') await message.discard();
   */
  async discard(): Promise<void> {
    if (this.#operation !== undefined) await this.#actions.discard(this.#operation);
  }

  /**
   * Waits until the platform has stored the message.
   *
   * @returns The message as it is then.
   * @throws ParleyError if the platform refuses it, or it is discarded.
   * @example const message = await (await conversation.send('Hello!')).settled();
   */
  settled(): Promise<Message> {
    return this.state === 'sent' ? Promise.resolve(this) : this.#actions.settled(this.id);
  }

  /**
   * Reads the message from the platform, with the statuses of all recipients.
   *
   * @throws ParleyError if the platform cannot be asked.
   * @example await message.refresh();
   */
  refresh(): Promise<void> {
    return this.#actions.refreshMessage(this.id);
  }

  #place(): { conversation: string; message: string } {
    return { conversation: this.conversationId, message: this.id };
  }

  #receipt(type: 'read' | 'delivery'): Promise<void> {
    return this.#actions.act({ kind: 'receipt', ...this.#place(), type });
  }

  #edit(edit: PartsEdit): Promise<void> {
    return this.#actions.act({ kind: 'editParts', ...this.#place(), edit });
  }
}

function isText({ mime_type, encoding }: MessagePart): boolean {
  return mime_type.startsWith('text/plain') && !encoding;
}
