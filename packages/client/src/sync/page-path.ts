/** The path of a page of a list. `from`: the id behind which it begins; by default it is the first one. */
export function pagePath(list: string, pageSize: number, from: string | undefined): string {
  const query = from === undefined ? '' : `&from_id=${encodeURIComponent(from)}`;
  return `${list}?page_size=${pageSize}${query}`;
}
