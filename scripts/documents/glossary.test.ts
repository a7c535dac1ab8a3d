import { readText } from './page.ts';

const terms = [...readText('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*: /gm)].map(([, term]) => term!);

test('the glossary has at most ninety terms, each once', () => {
  expect(terms.length).toBeGreaterThan(50);
  expect(terms.length).toBeLessThanOrEqual(90);
  expect([...new Set(terms)]).toEqual(terms);
});
