import { acknowledgement, message, plainAuthentication } from './stanzas.ts';

test('the text of a message is escaped', () => {
  const text = "</body> & <iq type='error'/>";
  expect(message({ to: 'bob@localhost', type: 'chat', id: 7, text })).toBe(
    "<message to='bob@localhost' type='chat' id='7'><body>&lt;/body> &amp; &lt;iq type=&apos;error&apos;/></body></message>",
  );
});

test('a name and a password are sent as RFC 4616 says', () => {
  const [, initial = ''] = /mechanism='PLAIN'>(.*)<\/auth>/.exec(plainAuthentication('ada', 'secret')) ?? [];
  expect(Buffer.from(initial, 'base64').toString()).toBe('\0ada\0secret');
});

test('acknowledgements are counted modulo 2^32', () => {
  expect(acknowledgement(2 ** 32 + 3)).toBe("<a xmlns='urn:xmpp:sm:3' h='3'/>");
});
