/** Whether one of the texts contains the filter's text, ignoring case. */
export function hasText(texts: readonly string[], filter: string): boolean {
  return texts.some((one) => one.toLowerCase().includes(filter.toLowerCase()));
}
