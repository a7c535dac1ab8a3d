import { withSiteLinks } from './links.ts';

test.each([
  ['a page', '[it](../limits.md)', '[it](/limits/)'],
  ['a heading', '[it](../limits.md#sizes)', '[it](/limits/#sizes)'],
  ['a heading of the same page', '[it](#sizes)', '[it](/guides/webhooks/#sizes)'],
  ['the page of a folder', '[it](../protocol/README.md)', '[it](/protocol/)'],
  ['a document outside docs', '[it](../../DECISIONS.md)', '[it](/decisions/)'],
  ['the front page', '[it](../../README.md)', '[it](/)'],
  ['a label over two lines', '[two\nlines `a]b`](../limits.md)', '[two\nlines `a]b`](/limits/)'],
  ['another host', '[it](https://tus.io/)', '[it](https://tus.io/)'],
  ['a document of the gateway', '[it](../openapi.json)', '<a href="/openapi.json" target="_blank">it</a>'],
  ['a file that the site does not have', '[it](../../packages/kit/src/runtime/exit.ts)', 'it'],
  ['a picture', '![it](../images/a.svg)', '![it](/images/a.svg)'],
  ['a page after code over two lines', '`a\nb` and `c` [it](../limits.md)', '`a\nb` and `c` [it](/limits/)'],
  ['inline code', '`[it](../limits.md)`', '`[it](../limits.md)`'],
  ['a block of code', '```md\n[it](../limits.md)\n```\n', '```md\n[it](../limits.md)\n```\n'],
])('a link to %s is made into what the site has', (_, text, expected) => {
  expect(withSiteLinks(text, 'docs/guides/webhooks.md')).toBe(expected);
});
