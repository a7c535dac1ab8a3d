import type { BasicIdentity, ParleyError } from '@parley/client';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from './provider.ts';
import { useQuery } from './query.ts';

/** Users whom a text finds. */
export type UserSearch = {
  /** True if the application lets its users find each other. Otherwise nobody is found. */
  readonly isOpen: boolean;
  /** The users of the last answer; empty until there is one, and without a text. */
  readonly users: readonly BasicIdentity[];
  /** Whether the answer to the present text is awaited. */
  readonly isSearching: boolean;
  /** Why the last search failed. */
  readonly error: ParleyError | undefined;
};

const NOBODY: readonly BasicIdentity[] = Object.freeze([]);
const NOTHING_ON: readonly string[] = Object.freeze([]);
/** Rest after a keystroke before the platform is asked: it takes at most 10 searches a second of a session. */
const REST_MS = 150;
const LONGEST = 64;

type Answer = Pick<UserSearch, 'users' | 'error'> & { readonly text: string };

const NO_ANSWER: Answer = { text: '', users: NOBODY, error: undefined };

/**
 * Finds users of the application while the user types: by the beginning of a word of their display names, or of their user ids.
 *
 * @param text What the user typed; without a letter nothing is asked.
 * @param options `limit`: at most as many users, by default 20.
 * @returns The users.
 * @example
 * const { users } = useUserSearch(text, { limit: 6 });
 * {users.map(({ user_id, display_name }) => <li key={user_id}>{display_name}</li>)}
 */
export function useUserSearch(text: string, { limit = 20 }: { limit?: number } = {}): UserSearch {
  const client = useClient();
  const isOpen = useQuery(client?.features, NOTHING_ON).includes('user_directory');
  const asked = isOpen ? [...text.trim()].slice(0, LONGEST).join('') : '';
  const [answer, setAnswer] = useState(NO_ANSWER);
  useEffect(() => {
    if (!client || asked === '') return undefined;
    let isWanted = true;
    const settle = (found: Omit<Answer, 'text'>): void => {
      if (isWanted) setAnswer({ text: asked, users: found.users, error: found.error });
    };
    const timer = setTimeout(() => {
      client.findUsers(asked, { limit }).then(
        (users) => settle({ users, error: undefined }),
        (error: ParleyError) => settle({ users: NOBODY, error }),
      );
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [client, asked, limit]);
  return useMemo(() => {
    const { users, error } = asked === '' ? NO_ANSWER : answer;
    return { isOpen, users, isSearching: asked !== '' && answer.text !== asked, error };
  }, [isOpen, answer, asked]);
}
