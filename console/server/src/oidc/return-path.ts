const HOME = '/console/';

/** The page of the console to which a person returns after sign-in; another address is replaced by the first page. */
export function returnPathOf(given: unknown, origin: string): string {
  if (typeof given !== 'string' || !given.startsWith(HOME) || !URL.canParse(given, origin)) return HOME;
  const url = new URL(given, origin);
  const isPage =
    url.origin === origin && url.pathname.startsWith(HOME) && !url.pathname.startsWith(`${HOME}sign-in`);
  return isPage ? `${url.pathname}${url.search}${url.hash}` : HOME;
}
