import { errorDocs, reasonDocs } from './error-docs.ts';
import { errors } from './errors.ts';
import { REASONS } from './token-reasons.ts';

const SENTENCES = /^[A-Z].*[.]$/s;

test('every error and every reason is documented, and nothing else is', () => {
  expect(Object.keys(errorDocs).sort()).toEqual(Object.keys(errors).sort());
  expect(Object.keys(reasonDocs).sort()).toEqual(Object.keys(REASONS).sort());
  expect(Object.keys(reasonDocs)).toHaveLength(19);
});

test.each([...Object.entries(errorDocs), ...Object.entries(reasonDocs)])(
  '%s has its cause and remedy in sentences',
  (_, { cause, remedy }) => {
    expect(cause).toMatch(SENTENCES);
    expect(remedy).toMatch(SENTENCES);
  },
);

test.each([...Object.values(errors).map(({ message }) => message), ...Object.values(REASONS)])(
  'the message %j is a sentence',
  (message) => {
    expect(message).toMatch(SENTENCES);
  },
);

test.each(Object.entries(errorDocs))('the example of %s can be shown and sent', (_, { example }) => {
  expect(example.path).toMatch(/^\/[!-~]*$/);
  expect(JSON.parse(JSON.stringify(example))).toEqual(example);
  if (example.method === 'GET') expect(example.body).toBeUndefined();
});
