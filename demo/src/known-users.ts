/** Recipients of one announcement. */
const MOST = 200;
const LONGEST = 256;
const NAMESPACE = /^[a-z]{1,32}:\/\/\//i;

export type KnownUsers = {
  /** Notes a user who has logged in, or is about to; of more than 200 the first ones are forgotten. An id that the platform refuses is not noted. */
  add(userId: string): void;
  ids(): string[];
};

/** The users of this backend, since announcements name each recipient, and one that cannot exist would spoil them for all. */
export function createKnownUsers(first: readonly string[]): KnownUsers {
  const users = new Set(first);
  return {
    add(userId) {
      if (!mayExist(userId)) return;
      users.delete(userId);
      users.add(userId);
      for (const oldest of users) if (users.size > MOST) users.delete(oldest);
    },
    ids: () => [...users],
  };
}

/** Whether the platform could have a user with this id; others would also lead a path astray. */
export function mayExist(userId: string): boolean {
  if (userId === '' || userId === '.' || userId === '..' || userId.length > LONGEST || NAMESPACE.test(userId))
    return false;
  return !/\p{C}/u.test(userId);
}
