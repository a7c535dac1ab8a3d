/** Whether a page is the one at an address, or below it. Below the address of an application itself are the pages of all others. */
export function isWithin(pathname: string, at: string): boolean {
  const isHome = at.split('/').length === 3;
  return pathname === at || (!isHome && pathname.startsWith(`${at}/`));
}
