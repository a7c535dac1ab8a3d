/** A header of a request in the protocols of uploads and downloads. */
export function requestHeader(
  name: string,
  { description, ...schema }: { description: string; [keyword: string]: unknown },
  required = false,
): object {
  return { name, in: 'header', required, description, schema };
}

/** Headers of an answer by name: what each says. */
export function headers(described: Record<string, string>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );
}

/** Bytes of any media type. */
export const BYTES = {
  content: { 'application/octet-stream': { schema: { format: 'binary', type: 'string' } } },
};
