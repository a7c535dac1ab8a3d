import type {
  ConversationPatch,
  Frozen,
  OwnRestriction,
  Restriction,
  RestrictionInput,
} from '@parley/contract/gen/records';
import { pathTo } from '../path.ts';
import { escapeKey } from '../records/paths.ts';
import { mayDo, type Action, type Role } from '../records/policy.ts';
import type { StoredConversation } from '../records/records.ts';
import type { Actions } from './actions.ts';

type PatchStep = ConversationPatch[number];

/** The rules of a conversation, and what moderators do. */
export class ModeratedConversation {
  /** URI of the conversation; made on this device for its own ones. */
  readonly id: string;
  /** The name of its type. */
  readonly type: string;
  /** Roles of participants who are no members, by the URI of their identity. */
  readonly roles: Readonly<Record<string, Role>>;
  /** Since when, and by whom, it is frozen. */
  readonly frozen: Frozen | undefined;
  /** Seconds between two messages of a participant; 0: as the type says. */
  readonly slowModeInSeconds: number;
  /** The user's own restriction, which ends by the clock. */
  readonly restriction: OwnRestriction | undefined;
  readonly #record: StoredConversation;
  readonly #actions: Actions;

  /** @internal */
  constructor(actions: Actions, record: StoredConversation) {
    this.#actions = actions;
    this.#record = record;
    this.id = record.id;
    this.type = record.type ?? 'default';
    this.roles = record.roles ?? {};
    this.frozen = record.frozen;
    this.slowModeInSeconds = record.slow_mode_in_seconds ?? 0;
    this.restriction = record.restriction;
  }

  /**
   * Whether the user may do something at the moment. What a type allows is known after `client.types()`; before, the platform's
   * `permissions` of this conversation and the defaults count.
   *
   * @param action An action of types, such as `send` or `remove_participants`.
   * @returns False where the rule is not known to allow it.
   * @example const canRemove = conversation.can('remove_participants');
   */
  can(action: Action): boolean {
    return mayDo(this.#record, action, { me: this.#actions.me, types: this.#actions.types() });
  }

  /**
   * Gives a participant a role.
   *
   * @param user URI of the participant's identity.
   * @param role The role.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.setRole(participant.id, 'moderator');
   */
  setRole(user: string, role: Role): Promise<void> {
    return this.#patch({ operation: 'set', property: `roles.${escapeKey(user)}`, value: role });
  }

  /**
   * Freezes the conversation, or ends that.
   *
   * @param isFrozen Whether it is frozen.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.freeze();
   */
  freeze(isFrozen = true): Promise<void> {
    return this.#patch({ operation: 'set', property: 'frozen', value: isFrozen });
  }

  /**
   * Sets the least time between two messages of a participant.
   *
   * @param seconds 0: as the type says.
   * @throws ParleyError `store_full` or `destroyed`. A refusal by the platform is the event `failed`.
   * @example await conversation.setSlowMode(30);
   */
  setSlowMode(seconds: number): Promise<void> {
    return this.#patch({ operation: 'set', property: 'slow_mode_in_seconds', value: seconds });
  }

  #patch(step: PatchStep): Promise<void> {
    return this.#actions.act({ kind: 'patch', conversation: this.id, steps: [step] });
  }

  /**
   * Mutes or bans a user.
   *
   * @param userId Their user id.
   * @param restriction What they may not do, until when and why.
   * @throws ParleyError on a refusal by the platform; `network_error` without an answer.
   * @example await conversation.restrict('eve', { type: 'mute', reason: 'Off topic' });
   */
  async restrict(userId: string, restriction: RestrictionInput): Promise<void> {
    await this.#actions.request('PUT', this.#restrictionsPath(userId), restriction);
  }

  /**
   * Ends the restriction of a user.
   *
   * @param userId Their user id.
   * @throws ParleyError on a refusal by the platform; `network_error` without an answer.
   * @example await conversation.endRestriction('eve');
   */
  async endRestriction(userId: string): Promise<void> {
    await this.#actions.request('DELETE', this.#restrictionsPath(userId));
  }

  /**
   * The restrictions in force.
   *
   * @returns At most 100, the newest first.
   * @throws ParleyError on a refusal by the platform; `network_error` without an answer.
   * @example const restrictions = await conversation.restrictions();
   */
  async restrictions(): Promise<readonly Restriction[]> {
    return (await this.#actions.request('GET', this.#restrictionsPath())) as readonly Restriction[];
  }

  #restrictionsPath(userId?: string): string {
    const uuid = this.id.slice(this.id.lastIndexOf('/') + 1);
    const list = pathTo`/conversations/${uuid}/restrictions`;
    return userId === undefined ? list : list + pathTo`/${userId}`;
  }
}
