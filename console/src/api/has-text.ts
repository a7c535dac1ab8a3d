/** Whether one of the texts has the filter's in it, in any case. */
export function hasText(texts: readonly string[], filter: string): boolean {
  return texts.some((one) => one.toLowerCase().includes(filter.toLowerCase()));
}
