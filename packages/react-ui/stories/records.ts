export const TIME = '2026-11-27T12:00:00.000Z';

export const CONVERSATION = 'svc:///conversations/01990000-0000-7000-8000-0000000000c1';

/** The user of the client. */
export const ADA = identity('ada', 'Ada Lovelace');
export const GRACE = identity('grace', 'Grace Hopper');

function identity(user: string, name: string) {
  return { id: `svc:///identities/${user}`, url: '', user_id: user, display_name: name, avatar_url: null };
}
