import { issueNonce, NONCE_LIFETIME_MS, readNonce } from './nonce.ts';

const SECRET = 'a secret of this test';
const NOW = 1_800_000_000_000;

test('a nonce is valid for ten minutes', () => {
  const nonce = issueNonce(SECRET, NOW);
  expect(readNonce([SECRET], nonce, NOW)?.expiresAt).toBe(NOW + 600_000);
  expect(readNonce([SECRET], nonce, NOW + NONCE_LIFETIME_MS - 1)).toBeDefined();
  expect(readNonce([SECRET], nonce, NOW + NONCE_LIFETIME_MS)).toBeUndefined();
});

test('a nonce survives URL and form decoding', () => {
  for (let i = 0; i < 200; i++) {
    const nonce = issueNonce(SECRET, NOW);
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{56}$/);
    expect(decodeURIComponent(nonce)).toBe(nonce);
    expect(new URLSearchParams(`nonce=${nonce}`).get('nonce')).toBe(nonce);
  }
});

test('no two nonces are the same, nor are their stored hashes', () => {
  const nonces = Array.from({ length: 1000 }, () => issueNonce(SECRET, NOW));
  const hashes = nonces.map((nonce) => readNonce([SECRET], nonce, NOW)?.hash.toString('hex'));
  expect(new Set(nonces).size).toBe(1000);
  expect(new Set(hashes).size).toBe(1000);
});

test('a nonce with any character changed is invalid', () => {
  const nonce = issueNonce(SECRET, NOW);
  for (let at = 0; at < nonce.length; at++) {
    const other = nonce[at] === 'A' ? 'B' : 'A';
    expect(readNonce([SECRET], nonce.slice(0, at) + other + nonce.slice(at + 1), NOW)).toBeUndefined();
  }
});

test('other encodings of the same bytes are not the nonce', () => {
  const nonce = issueNonce(SECRET, NOW);
  for (const spelling of [
    `${nonce}=`,
    `${nonce} `,
    Buffer.from(nonce, 'base64url').toString('base64') + '=',
    '',
  ]) {
    expect(readNonce([SECRET], spelling, NOW)).toBeUndefined();
  }
});

test('a nonce issued with another secret is invalid, unless that one is accepted', () => {
  const nonce = issueNonce('another secret of it', NOW);
  expect(readNonce([SECRET], nonce, NOW)).toBeUndefined();
  expect(readNonce([SECRET, 'another secret of it'], nonce, NOW)).toBeDefined();
});
