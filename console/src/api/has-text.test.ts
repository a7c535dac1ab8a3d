import { hasText } from './has-text.ts';

test.each([
  [['Ada Lovelace', 'ada'], 'LOVE', true],
  [['ada'], 'grace', false],
  [[], 'ada', false],
  [['ada'], '', true],
])('%j has %j: %s', (texts, filter, has) => {
  expect(hasText(texts, filter)).toBe(has);
});
