/**
 * A request that a code sample sends. `{{NAME}}` in its texts stands for the variable of that name, which the reader sets; the samples read
 * it from the environment.
 */
export type SampleRequest = {
  method: string;
  url: string;
  /** By name, in the order in which they are shown. */
  headers: Readonly<Record<string, string>>;
  /** JSON, or the name of a file whose bytes are sent. Absent: no body. */
  body?: { json: unknown } | { file: string };
  answer: 'json' | 'text' | 'bytes' | 'nothing';
};

const VARIABLE = /\{\{([A-Z_]+)\}\}/;

/** The pieces of a text in order: at even places literal text, at odd ones the names of variables. */
export function piecesOf(text: string): string[] {
  return text.split(VARIABLE);
}

/** The variables of a request in the order of their first use. */
export function variablesOf({ url, headers, body }: SampleRequest): string[] {
  const text = JSON.stringify([url, headers, body]);
  return [...new Set(piecesOf(text).filter((_, place) => place % 2 === 1))];
}
