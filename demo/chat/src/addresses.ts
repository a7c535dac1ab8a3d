/** The addresses of the chat's windows, as the page and its service worker read and write them. */

const BOTH = ['ada', 'grace'];

/** The users of the window at an address: `?user=ada` shows one user; without it there are two side by side. */
export function usersOf(address: string): string[] {
  const named = new URL(address).searchParams.getAll('user').filter((user) => user !== '');
  return named.length > 0 ? [...new Set(named)].slice(0, 2) : BOTH;
}

/** UUID of the conversation that is open for a user: empty if it is the list, undefined if the address does not say. */
export function openedAt(address: string, user: string): string | undefined {
  return new URLSearchParams(new URL(address).hash.slice(1)).get(user) ?? undefined;
}

/** The address with another conversation open for a user; `conversation` is its URI, or empty for the list. */
export function withOpened(address: string, user: string, conversation: string): string {
  const url = new URL(address);
  const opened = new URLSearchParams(url.hash.slice(1));
  opened.set(user, conversation.slice(conversation.lastIndexOf('/') + 1));
  url.hash = opened.toString();
  return url.href;
}

/** A window of one user; `conversation`: URI of the one that it opens. */
export function windowOf(user: string, conversation = ''): string {
  const address = `/demo?${new URLSearchParams({ user })}`;
  if (conversation === '') return address;
  return withOpened(new URL(address, location.href).href, user, conversation);
}
