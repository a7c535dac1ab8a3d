import Type, { type TSchema } from 'typebox';
import { BASE } from '../examples/base.ts';

/** Addresses for a client with a session, by rel. */
export const SESSION_LINKS = {
  conversations: `${BASE}/conversations`,
  content: `${BASE}/content`,
  websocket: `${BASE.replace('https', 'wss')}/websocket`,
};

export const EXAMPLE_LINKS = { nonces: `${BASE}/nonces`, sessions: `${BASE}/sessions`, ...SESSION_LINKS };

/** The header that carries links. */
export function linkHeader(links: Readonly<Record<string, string>>): Record<string, TSchema> {
  const rels = Object.keys(links).map((rel) => `\`${rel}\``);
  return {
    Link: Type.String({
      description: `Addresses, separated by commas; a client uses them as they are. Their rels are ${rels.join(', ')}.`,
      examples: [
        Object.entries(links)
          .map(([rel, url]) => `<${url}>; rel=${rel}`)
          .join(', '),
      ],
    }),
  };
}
