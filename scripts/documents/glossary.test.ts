import { readText, rowsOf } from './page.ts';

const terms = rowsOf(readText('docs/glossary.md')).map(([term = '']) => term);

test('the glossary has at most ninety terms, each once', () => {
  expect(terms.length).toBeGreaterThan(50);
  expect(terms.length).toBeLessThanOrEqual(90);
  expect([...new Set(terms)]).toEqual(terms);
});
