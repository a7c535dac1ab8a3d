/**
 * An array parameter in Postgres' text format, or undefined for arrays that the driver must encode: those with elements other than texts,
 * numbers, booleans, bytes and nulls. Batches send dozens of arrays, for which the driver takes twice as long.
 */
export function arrayText(values: readonly unknown[]): string | undefined {
  const elements: string[] = [];
  for (const value of values) {
    const element = elementText(value);
    if (element === undefined) return undefined;
    elements.push(element);
  }
  return `{${elements.join(',')}}`;
}

function elementText(value: unknown): string | undefined {
  if (typeof value === 'string') return `"${escaped(value)}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `"\\\\x${hexOf(value)}"`;
  return undefined;
}

function escaped(text: string): string {
  return text.includes('"') || text.includes('\\') ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text;
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
