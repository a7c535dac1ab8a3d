import { createCounter } from './counter.ts';

/** Stanzas that one piece of a stream completes. */
export type Arrivals = {
  /** Messages with a text. */
  messages: number;
  /** Stanzas of any kind, as acknowledgements count them. */
  stanzas: number;
  /** Requests for an acknowledgement. */
  requests: number;
  /** Refused stanzas, and errors that end the stream. */
  errors: number;
};

/** The ends of messages and the beginnings of the others, which may have no end tag. */
const STANZAS = ['</message>', '<presence', '<iq'];
const ERRORS = ["type='error'", '<stream:error'];

/**
 * Counts what arrives without parsing it. The text of a message cannot contain what is looked for, since a server escapes `<` there, and
 * this client writes no `'`.
 */
export function createArrivals(): (piece: string) => Arrivals {
  const [texts, requests] = [createCounter('</body>'), createCounter("<r xmlns='urn:xmpp:sm:3'")];
  const stanzas = STANZAS.map(createCounter);
  const errors = ERRORS.map(createCounter);
  const sum = (counters: typeof stanzas, piece: string) =>
    counters.reduce((total, count) => total + count(piece), 0);
  return (piece) => ({
    messages: texts(piece),
    stanzas: sum(stanzas, piece),
    requests: requests(piece),
    errors: sum(errors, piece),
  });
}
