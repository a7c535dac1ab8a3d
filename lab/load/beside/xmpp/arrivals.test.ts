import { createArrivals, type Arrivals } from './arrivals.ts';

const MESSAGE =
  "<message to='bob@localhost' type='chat'><stanza-id id='1'/><body>a &lt;/body&gt; b</body></message>";
const STREAM = [
  "<presence from='ada@localhost/bench'/>",
  MESSAGE,
  "<r xmlns='urn:xmpp:sm:3'/>",
  "<message type='groupchat'><subject/></message>",
  MESSAGE,
  "<iq type='result' id='bind'/>",
  "<message type='error'><error type='cancel'/></message>",
  "<stream:error><conflict xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error>",
].join('');
const ALL: Arrivals = { messages: 2, stanzas: 6, requests: 1, errors: 2 };

function countIn(pieces: readonly string[]): Arrivals {
  const arrivals = createArrivals();
  const sum = { messages: 0, stanzas: 0, requests: 0, errors: 0 };
  for (const piece of pieces) {
    const counted = arrivals(piece);
    for (const key of ['messages', 'stanzas', 'requests', 'errors'] as const) sum[key] += counted[key];
  }
  return sum;
}

test('messages, stanzas, requests for acknowledgements and errors of a stream are counted', () => {
  expect(countIn([STREAM])).toEqual(ALL);
});

test('they are counted once, however the stream is cut', () => {
  for (let size = 1; size <= STREAM.length; size++) {
    const count = Math.ceil(STREAM.length / size);
    const pieces = Array.from({ length: count }, (_, index) =>
      STREAM.slice(index * size, (index + 1) * size),
    );
    expect(countIn(pieces)).toEqual(ALL);
  }
});

test('a message counts when its text has ended', () => {
  const arrivals = createArrivals();
  expect(arrivals('<message><body>a</bod').messages).toBe(0);
  expect(arrivals('y></message>')).toEqual({ messages: 1, stanzas: 1, requests: 0, errors: 0 });
});
