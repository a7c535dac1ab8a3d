import { failTooMany } from '@parley/domain/problems';

/** The users whose presence one socket subscribed to by naming them. */
export class NamedUsers {
  readonly #userIds = new Set<string>();

  /** Adds all or none, up to `limit` users in total; the result removes those that were added. Problems: invalid_operation. */
  add(userIds: readonly string[], limit: number): () => void {
    const added = new Set(userIds.filter((userId) => !this.#userIds.has(userId)));
    if (this.#userIds.size + added.size > limit)
      failTooMany({ property: 'ids', limit, scope: 'that a socket subscribes to' });
    for (const userId of added) this.#userIds.add(userId);
    return () => {
      for (const userId of added) this.#userIds.delete(userId);
    };
  }
}
