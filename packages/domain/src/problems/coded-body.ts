import { fail } from './problem.ts';

/** Refuses a body in an unsupported coding, such as gzip, with 415. Problems: invalid_header. docs/protocol/requests.md#bodies */
export function failCodedBody(): never {
  return fail('invalid_header', {
    message: 'The body must be sent as it is, without a Content-Encoding.',
    data: { header: 'Content-Encoding' },
    accepted: ['identity'],
  });
}
