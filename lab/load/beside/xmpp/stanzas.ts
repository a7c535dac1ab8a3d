/** The server's name, which is also the host of its users' addresses. */
export const DOMAIN = 'localhost';
export const CONFERENCE = `conference.${DOMAIN}`;

export const STREAM_END = '</stream:stream>';
export const BIND =
  "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>bench</resource></bind></iq>";
/** XEP-0198: the server keeps what the client has not acknowledged, and the client may resume the stream. */
export const ENABLE_ACKNOWLEDGEMENTS = "<enable xmlns='urn:xmpp:sm:3' resume='true'/>";
export const AVAILABLE = '<presence/>';

export function streamStart(): string {
  return `<?xml version='1.0'?><stream:stream to='${DOMAIN}' version='1.0' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'>`;
}

/** XEP-0077: creates the account, before a login. */
export function registration(user: string, password: string): string {
  return `<iq type='set' id='register'><query xmlns='jabber:iq:register'><username>${user}</username><password>${password}</password></query></iq>`;
}

/** RFC 4616. */
export function plainAuthentication(user: string, password: string): string {
  const initial = Buffer.from(`\0${user}\0${password}`).toString('base64');
  return `<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${initial}</auth>`;
}

export function acknowledgement(stanzas: number): string {
  // A server counts modulo 2^32.
  return `<a xmlns='urn:xmpp:sm:3' h='${stanzas % 2 ** 32}'/>`;
}

/** XEP-0045: enters a room, which the first one to come creates, without its history. */
export function entrance(room: string, user: string): string {
  return `<presence to='${room}@${CONFERENCE}/${user}'><x xmlns='http://jabber.org/protocol/muc'><history maxstanzas='0'/></x></presence>`;
}

export type Message = { to: string; type: 'chat' | 'groupchat'; id: number; text: string };

export function message({ to, type, id, text }: Message): string {
  return `<message to='${to}' type='${type}' id='${id}'><body>${escape(text)}</body></message>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}
