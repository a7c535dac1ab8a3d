type PageData = {
  /** Address of the platform. */
  url: string;
  appId: string;
  /** Shows the demonstration's backend that this page asks, and no other one. */
  token: string;
};

/** What the demonstration's backend has written into the page. */
export const PAGE = JSON.parse(document.getElementById('page-data')?.textContent ?? '{}') as PageData;

/** `?user=ada` shows one user; without it there are two side by side. */
export function readUsers(): string[] {
  const named = new URLSearchParams(location.search).getAll('user').filter((user) => user !== '');
  return named.length > 0 ? [...new Set(named)].slice(0, 2) : ['ada', 'grace'];
}
