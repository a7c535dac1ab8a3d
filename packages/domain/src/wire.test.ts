import { createWire } from './wire.ts';

test('every name derives from the word', () => {
  const { uri, webhookHeader, ...names } = createWire('acme');
  expect(uri('messages', '1')).toBe('acme:///messages/1');
  expect(webhookHeader('id')).toBe('acme-webhook-id');
  expect(names).toEqual({
    name: 'acme',
    authScheme: 'Acme',
    countHeader: 'Acme-Count',
    extendedSubprotocol: 'acme-3.1',
    leanSubprotocol: 'acme-4.0',
    clientVersionHeader: 'acme-xdk-version',
    mediaType: 'application/vnd.acme+json',
    patchMediaType: 'application/vnd.acme-patch+json',
    webhooksMediaType: 'application/vnd.acme.webhooks+json',
    webhooksUserAgent: 'acme-webhooks/3.0',
    version: '3.0',
    subprotocol: 'acme-3.0',
    tokenContentType: 'acme-eit;v=1',
    tokenSubprotocolPrefix: 'acme-token.',
  });
});

test('the default is `svc`', () => {
  expect(createWire().countHeader).toBe('Svc-Count');
});

test.each(['', 'Svc', 'a b', 'a:b', '3x', 'a\r\nb', 'a'.repeat(33)])('%j cannot be the word', (name) => {
  expect(() => createWire(name)).toThrow(RangeError);
});
