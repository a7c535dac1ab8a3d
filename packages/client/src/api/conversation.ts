import type { BasicIdentity, Metadata } from '@parley/contract/gen/records';
import { ParleyError } from '../errors.ts';
import type { DeletionMode } from '../records/operation.ts';
import type { Shown } from '../pending/optimistic-view.ts';
import { joinKeys } from '../records/paths.ts';
import type { StoredConversation } from '../records/records.ts';
import type { Actions } from './actions.ts';
import { ModeratedConversation } from './moderated-conversation.ts';
import type { Read } from './reads.ts';
import type { Message, MessageContent } from './message.ts';
import type { PagedQuery, Query } from '../query/query.ts';

/** Metadata: texts, and objects of them. */
export type { Metadata };

/**
 * A conversation as this user sees it, including their latest actions. The object does not change: a query returns a new one when something
 * has changed. Conversations are made by queries and by `client.createConversation`.
 */
export class Conversation extends ModeratedConversation {
  /** Empty for a user who was removed, or left. */
  readonly participants: readonly BasicIdentity[];
  /** Whether it is the distinct conversation of its participants. */
  readonly distinct: boolean;
  readonly metadata: Metadata;
  /** The newest message that the user sees, sent or on its way. */
  readonly lastMessage: Message | undefined;
  /** Number of messages of other users that the user has not read. */
  readonly unreadCount: number;
  /** Server time, ISO 8601; undefined until the platform knows it. */
  readonly createdAt: string | undefined;
  /** `sending` until the platform has created it, `failed` if it refused. */
  readonly state: 'sending' | 'sent' | 'failed';
  readonly error: ParleyError | undefined;
  readonly #actions: Actions;
  readonly #operation: string | undefined;
  /** Position of the newest message that the platform has stored. */
  readonly #newest: number | undefined;

  /** @internal */
  constructor(
    actions: Actions,
    { record, state, error, operation }: Shown<StoredConversation>,
    lastMessage: Message | undefined,
  ) {
    super(actions, record);
    this.#actions = actions;
    this.#operation = operation?.id;
    this.#newest = record.last_message?.position;
    this.participants = record.participants.map((identity) => actions.named(identity));
    this.distinct = record.distinct;
    this.metadata = record.metadata;
    this.lastMessage = lastMessage;
    this.unreadCount = record.unread_message_count;
    this.createdAt = record.created_at || undefined;
    this.state = state;
    this.error = error;
  }

  /** Whether the user is a participant. Former participants can still read earlier messages. */
  get isParticipant(): boolean {
    return this.participants.some(({ id }) => id === this.#actions.me);
  }

  /** The participants other than the user. */
  get others(): readonly BasicIdentity[] {
    return this.participants.filter(({ id }) => id !== this.#actions.me);
  }

  /**
   * The messages, the oldest first: a live window that begins with the newest page.
   *
   * @param options `pageSize`: 1 to 100, by default 50.
   * @returns A live query with `loadOlder`.
   * @example const messages = conversation.messages({ pageSize: 30 });
   */
  messages(options?: { pageSize?: number }): PagedQuery<Message> {
    return this.#actions.messages(this.id, options);
  }

  /**
   * Sends a message. It is shown at once, and kept on the device until the platform has it, also when the page ends. Resolves
   * when it is kept. Files are kept with it, shown at once by `client.downloads`, and uploaded before it is sent, also after a reload.
   *
   * @param content A text, or a text, parts and files.
   * @param options `id`: a UUID for the message; by default one is made. A message that is here already under the id is
   *   returned as it is.
   * @returns The message in the state `sending`.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the state `failed`, and the event `failed`.
   * @example await conversation.send('Hello, Grace!');
   * @example await conversation.send({ text: 'Look!', files: [...input.files] });
   * @example await conversation.send({ parts: [{ mime_type: 'text/plain', body: 'Hi' }], notification: { text: 'Hi' } });
   */
  async send(
    content: MessageContent,
    { id = this.#actions.newId() }: { id?: string } = {},
  ): Promise<Message> {
    const { parts, files, notification, metadata } = this.#actions.partsOf(content);
    const message = `${this.id.slice(0, this.id.indexOf(':'))}:///messages/${id}`;
    const known = this.#actions.shownMessage(this.id, message);
    if (known) return known;
    const withIds = parts.map((part) => ({ ...part, id: part.id ?? this.#actions.newId() }));
    const attached = await this.#actions.attach(message, files);
    const conversation = this.id;
    const action = {
      kind: 'send' as const,
      conversation,
      message,
      parts: [...withIds, ...attached],
      ...(notification && { notification }),
      ...(metadata && { metadata }),
    };
    try {
      await this.#actions.act(action, message);
    } catch (error) {
      await this.#actions.dropFiles(message).catch(() => undefined);
      throw error;
    }
    // Later failures appear in the state of the upload and of the message, unless the client is destroyed.
    if (attached.length > 0) this.#actions.uploadFiles(message).catch(() => undefined);
    const shown = this.#actions.shownMessage(this.id, message);
    if (!shown) throw new ParleyError({ id: 'not_found' });
    return shown;
  }

  /**
   * Marks all messages as read, up to a message. What comes later stays unread.
   *
   * @param until The last message that is read; by default the newest one. Of one that is not sent yet: the newest one that was here
   *   before it.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.markRead();
   */
  async markRead(until?: Message): Promise<void> {
    // The message may have been sent after it was shown as waiting.
    const sent = until && this.#actions.shownMessage(this.id, until.id)?.position;
    const position = until?.position ?? sent ?? this.#newest;
    if (position === undefined || this.unreadCount === 0) return;
    await this.#actions.act({ kind: 'markAllRead', conversation: this.id, position });
  }

  /**
   * Sets a value of the metadata.
   *
   * @param path The keys, from the outermost to the innermost.
   * @param value A text, or an object of texts and objects.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.setMetadata(['topic'], 'Lunch');
   */
  setMetadata(path: readonly string[], value: string | Metadata): Promise<void> {
    const property = metadataPath(path);
    return this.#actions.act({
      kind: 'patch',
      conversation: this.id,
      steps: [
        property === 'metadata'
          ? { operation: 'set', property, value: value as Metadata }
          : { operation: 'set', property, value },
      ],
    });
  }

  /**
   * Deletes a value of the metadata.
   *
   * @param path The keys, from the outermost to the innermost; without any, all metadata is deleted.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.deleteMetadata(['topic']);
   */
  deleteMetadata(path: readonly string[]): Promise<void> {
    const property = metadataPath(path);
    const steps = [{ operation: 'delete' as const, property }];
    return this.#actions.act({ kind: 'patch', conversation: this.id, steps });
  }

  /**
   * Adds participants.
   *
   * @param users User ids, or URIs of identities.
   * @param options `history`: what they see of the time in which they did not take part, `all` or `none`; by default what the
   * platform has for the conversation, which is all of it.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.addParticipants(['eve'], { history: 'none' });
   */
  addParticipants(users: readonly string[], options: { history?: 'all' | 'none' } = {}): Promise<void> {
    const { history } = options;
    return this.#participants('add', users, history && { history });
  }

  /**
   * Removes participants. Users who remove themselves leave.
   *
   * @param users User ids, or URIs of identities.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.removeParticipants(['eve']);
   */
  removeParticipants(users: readonly string[]): Promise<void> {
    return this.#participants('remove', users);
  }

  /**
   * Takes part no more; what was before remains.
   *
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.leave();
   */
  leave(): Promise<void> {
    return this.removeParticipants([this.#actions.me]);
  }

  /**
   * Deletes the conversation: hides it from this user until the next message (`my_devices`), or deletes it for all.
   *
   * @param options `mode`: by default `my_devices`; `leave`: with `my_devices`, also take part no more.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.delete({ mode: 'all_participants' });
   */
  delete(options: { mode?: DeletionMode; leave?: boolean } = {}): Promise<void> {
    if (this.#operation !== undefined) return this.discard();
    const { mode = 'my_devices', leave = false } = options;
    return this.#actions.act({ kind: 'deleteConversation', conversation: this.id, mode, leave });
  }

  /**
   * The other participants who type at this moment.
   *
   * @returns A live query of their identities.
   * @example const typists = conversation.typists();
   */
  typists(): Query<readonly BasicIdentity[]> {
    return this.#actions.typists(this.id);
  }

  /**
   * How far the other participants have read. Of a message of another user the device knows the statuses of third parties only if they
   * marked all as read; see `message.refresh`.
   *
   * @returns A live query, with an entry for each who has read or written something that is on this device.
   * @example const seenBy = conversation.reads().getSnapshot().filter(({ position }) => position >= message.position);
   */
  reads(): Query<readonly Read[]> {
    return this.#actions.reads(this.id);
  }

  /**
   * Says that the user types, or has ceased to. Call it at every keystroke: it is passed on every few seconds, and ends by
   * itself.
   *
   * @param isTyping Whether the user types.
   * @example input.oninput = () => conversation.setTyping(true);
   */
  setTyping(isTyping: boolean): void {
    this.#actions.type(this.id, isTyping);
  }

  /**
   * Reads the conversation from the platform. It is needed for one that the user takes no part in any more: what happens
   * there does not reach the device.
   *
   * @throws ParleyError if the platform cannot be asked.
   * @example await conversation.refresh();
   */
  refresh(): Promise<void> {
    return this.#actions.refreshConversation(this.id);
  }

  /**
   * Tries to create a refused conversation again, and to send what was written in it. Does nothing in other states.
   *
   * @throws ParleyError `store_full` or `destroyed`.
   * @example if (conversation.state === 'failed') await conversation.retry();
   */
  async retry(): Promise<void> {
    if (this.#operation !== undefined) await this.#actions.retry({ lane: this.id });
  }

  /**
   * Drops a conversation that was not created, with what was written in it. Does nothing once it was created.
   *
   * @throws ParleyError `store_full` or `destroyed`.
   * @example if (conversation.state === 'failed') await conversation.discard();
   */
  async discard(): Promise<void> {
    if (this.#operation !== undefined) await this.#actions.discard(this.#operation);
  }

  #participants(
    operation: 'add' | 'remove',
    users: readonly string[],
    more?: { history: 'all' | 'none' },
  ): Promise<void> {
    const steps = users.map((id) => ({ operation, property: 'participants' as const, id, ...more }));
    return this.#actions.act({ kind: 'patch', conversation: this.id, steps });
  }
}

function metadataPath(path: readonly string[]): string {
  return joinKeys(['metadata', ...path]);
}
