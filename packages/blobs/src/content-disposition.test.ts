import { contentDisposition } from './content-disposition.ts';

/** The name that a browser takes: it prefers `filename*`. */
function extendedName(value: string): string {
  return decodeURIComponent(/filename\*=UTF-8''([\w%!#$&+.^`|~-]+)$/.exec(value)?.[1] ?? '');
}

test('without a name it is an attachment alone', () => {
  expect(contentDisposition(undefined)).toBe('attachment');
  expect(contentDisposition('')).toBe('attachment');
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['my report (1).pdf', 'my report (1).pdf'],
  ['résumé.pdf', 'r_sum_.pdf'],
  ['漢字 😀.txt', '__ _.txt'],
  ['say "hi".txt', 'say _hi_.txt'],
  ["it's; filename=x*y", "it's; filename=x*y"],
  ['a%2fb.txt', 'a_2fb.txt'],
  ['100%.txt', '100%.txt'],
  ['.', '_'],
  ['..', '__'],
  ['. .', '___'],
  ['.gitignore', '.gitignore'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['console.txt', 'console.txt'],
  ['😀'.repeat(255), '_'.repeat(255)],
  ['__proto__', '__proto__'],
])('%j is %j in ASCII, and itself in the form for browsers', (name, ascii) => {
  const value = contentDisposition(name);
  expect(value).toMatch(/^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''[!-~]+$/);
  expect(/filename="([^"]*)"/.exec(value)?.[1]).toBe(ascii);
  expect(extendedName(value)).toBe(name);
});

test.each(['a\r\nSet-Cookie: x=1', 'a\0b', 'a\u007f', 'a\\"; x="', 'half \ud800 a pair', 'a/../b'])(
  'even %j, which no name of a file is, stays within its header',
  (name) => {
    const value = contentDisposition(name);
    expect(value).toMatch(/^attachment; filename="[ !#-[\]-~]+"; filename\*=UTF-8''[\w%!#$&+.^`|~-]+$/);
  },
);
