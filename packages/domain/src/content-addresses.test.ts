import { createContentAddresses } from './content-addresses.ts';
import { newId } from './ids.ts';

const base = 'https://content.example.com/downloads';
const addresses = createContentAddresses({ base, secret: 'a secret of these tests' });
const content = { appId: newId(), contentId: newId() };
const tail = (url: string): string => url.slice(base.length);

test('a download address holds for 15 minutes and names its content', () => {
  const { url, expiresAt } = addresses.sign(content, 1_000);
  expect(expiresAt).toBe(1_000 + 900_000);
  expect(url.startsWith(`${base}/`)).toBe(true);
  expect(addresses.verify(tail(url))).toEqual({ ...content, expiresAt });
});

test.each(['report.pdf', '..', "it's (1) 100% & more?#.txt", 'résumé 😀.pdf', '😀'.repeat(255)])(
  'an address may carry the name %j, which its signature covers',
  (filename) => {
    const { url } = addresses.sign({ ...content, filename }, 1_000);
    expect(URL.parse(url)?.searchParams.get('filename')).toBe(filename);
    expect(addresses.verify(tail(url))).toEqual({ ...content, filename, expiresAt: 901_000 });
    for (const forged of [
      url.replace(/&filename=[^&]*/, ''),
      url.replace(/filename=[^&]*/, 'filename=other.exe'),
      url.replace(/filename=/, 'filename=x'),
      url.replace(/filename=./, (start) => start.slice(0, -1) + encodeCharacter(start.at(-1) ?? '')),
    ])
      expect(addresses.verify(tail(forged))).toBeUndefined();
  },
);

/** An escaped character that needs no escape, or a broken escape. */
function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

test('a name cannot be taken for another part of the address', () => {
  const { url } = addresses.sign({ ...content, filename: 'a&signature=b' }, 1_000);
  expect(addresses.verify(tail(url))).toMatchObject({ filename: 'a&signature=b' });
  const plain = addresses.sign(content, 1_000);
  const named = plain.url.replace('&signature', '&filename=&signature');
  expect(addresses.verify(tail(named))).toBeUndefined();
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const nextLetter = (letter: string): string => LETTERS[LETTERS.indexOf(letter) + 1] ?? '';

test.each([
  ['a later expiry', (url: string) => url.replace('901000', '901001')],
  ['another content', (url: string) => url.replace(content.contentId, newId())],
  ['another app', (url: string) => url.replace(content.appId, newId())],
  ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
  // The same 32 bytes, spelt with another last character.
  ['another spelling of the signature', (url: string) => url.slice(0, -1) + nextLetter(url.slice(-1))],
  ['more after it', (url: string) => `${url}&x=1`],
])('%s makes an address worthless', (_what, forge) => {
  const { url } = addresses.sign(content, 1_000);
  expect(addresses.verify(tail(forge(url)))).toBeUndefined();
});

test('another secret makes other addresses, which are genuine where that one is accepted', () => {
  const { url } = addresses.sign(content, 1_000);
  const others = createContentAddresses({ base, secret: 'another secret' });
  expect(others.verify(tail(url))).toBeUndefined();
  const acceptedSecrets = ['a secret of these tests'];
  const after = createContentAddresses({ base, secret: 'another secret', acceptedSecrets });
  expect(after.verify(tail(url))).toMatchObject(content);
  expect(after.sign(content, 1_000)).toEqual(others.sign(content, 1_000));
});
