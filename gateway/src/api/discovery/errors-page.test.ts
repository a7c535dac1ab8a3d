import { createHash } from 'node:crypto';
import { errors } from '@parley/contract/errors';
import { REASONS } from '@parley/contract/token-reasons';
import { createWire } from '@parley/domain/wire';
import { errorsPage } from './errors-page.ts';
import { STYLE_POLICY } from './errors-page/style.ts';

const URL = 'https://chat.example/docs/errors';
const page = errorsPage(createWire(), URL);
const IDS = [...Object.keys(errors), ...Object.keys(REASONS)];

function sectionOf(id: string): string {
  return page.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';
}

test.each(IDS)('%s has a section with cause, example and remedy, which the contents link to', (id) => {
  const headings = [...sectionOf(id).matchAll(/<h[34]>(\w+)<\/h[34]>/g)].map(([, heading]) => heading);
  expect(headings.slice(-3)).toEqual(['Cause', 'Example', 'Remedy']);
  expect(page).toContain(`<li><a href="#${id}">${id}</a></li>`);
});

test('ids are unique, and each link within the page leads somewhere', () => {
  const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  const links = [...page.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(40);
});

test('elements are closed in the order in which they were opened', () => {
  const open: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (name === 'meta') continue;
    if (slash === '') open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
  expect(page.startsWith('<!doctype html>')).toBe(true);
});

test('the page loads nothing, runs nothing, and has the style that its policy allows', () => {
  expect(page).not.toMatch(/<script|<link|<img|<iframe| src=| style=| on\w+=|@import|url\(/);
  expect([...page.matchAll(/href="([^"]*)"/g)].filter(([, link]) => !link?.startsWith('#'))).toEqual([]);
  const style = page.split('<style>')[1]?.split('</style>')[0] ?? '';
  expect(STYLE_POLICY).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('examples have the names of the deployment', () => {
  const other = errorsPage(createWire('acme'), URL);
  expect(other).toContain('application/vnd.acme+json; version=3.0');
  expect(other).toContain('acme:///identities/nobody');
  expect(other).not.toMatch(/\bsvc\b/i);
});

test('texts are escaped', () => {
  expect(sectionOf('eit_malformed_json')).toContain('{&#39;prn&#39;: &#39;ada&#39;}');
});
