/** The addresses of the chat's windows, as the page and its service worker read and write them. */

const BOTH = ['ada', 'grace'];

/** The users of the window at an address: `?user=ada` shows one user; without it there are two side by side. */
export function usersOf(address: string): string[] {
  const named = new URL(address).searchParams.getAll('user').filter((user) => user !== '');
  return named.length > 0 ? [...new Set(named)].slice(0, 2) : BOTH;
}

/** The conversation that the window at an address opens first. */
export function openedAt(address: string): string | undefined {
  return new URL(address).searchParams.get('open') ?? undefined;
}

/** A window of one user; `conversation`: URI of the one that it opens. */
export function windowOf(user: string, conversation?: string): string {
  const query = new URLSearchParams({ user, ...(conversation !== undefined && { open: conversation }) });
  return `/demo?${query}`;
}
