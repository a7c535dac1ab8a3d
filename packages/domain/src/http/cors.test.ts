import { corsContentHeaders, corsRequestHeaders } from './cors.ts';
import { createWire } from '../wire.ts';

const wire = createWire('acme');

test('the headers of a request hold the word of the deployment', () => {
  expect(corsRequestHeaders(wire)).toContain('acme-xdk-version');
});

test('what may be sent to the gateway may be sent to the addresses of content, and more', () => {
  const content = corsContentHeaders(wire);
  expect(content).toEqual(expect.arrayContaining(corsRequestHeaders(wire)));
  expect(content).toEqual(
    expect.arrayContaining(['content-range', 'range', 'tus-resumable', 'upload-offset']),
  );
});
