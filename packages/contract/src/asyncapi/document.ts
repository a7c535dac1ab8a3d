import { withBaseUrl, withWireName, type WireNames } from '../openapi/names.ts';
import type { Components } from '../openapi/components.ts';
import { messagesOf, operationObjects, type Channel } from './channel.ts';
import { messageObject } from './message.ts';
import { PUSHES } from './pushes.ts';
import { SECURITY_SCHEMES, serversOf } from './servers.ts';
import { SOCKET, SOCKET_ALIASES } from './socket/channel.ts';
import { WEBHOOKS } from './webhooks.ts';

export type DocumentSettings = WireNames & {
  /** The gateway's public address without a slash at its end. */
  baseUrl: string;
};

const CHANNELS: readonly Channel[] = [SOCKET, WEBHOOKS, PUSHES];

const DESCRIPTION = `All messages that the platform exchanges with clients over WebSocket, and those that it sends of itself.

Operations are described from the platform's side: what it **receives** a client sends, and what it **sends** a client gets.
Clients ignore keys that they do not know: later versions add some.`;

/** An AsyncAPI 3.0 document of everything that the platform sends and receives besides REST. */
export function asyncApiDocument(settings: DocumentSettings): object {
  const schemas: Components = new Map();
  const messages = CHANNELS.flatMap(messagesOf).map(
    (message) => [message.name, messageObject(message, schemas)] as const,
  );
  const document = {
    asyncapi: '3.0.0',
    id: 'urn:parley:gateway',
    info: {
      title: 'Parley',
      version: settings.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: serversOf(settings.baseUrl),
    channels: Object.fromEntries([
      ...CHANNELS.map((channel) => [channel.id, channelObject(channel, channel.object)]),
      ...Object.entries(SOCKET_ALIASES).map(([id, object]) => [id, channelObject(SOCKET, object)]),
    ]),
    operations: Object.assign({}, ...CHANNELS.map(operationObjects)) as object,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      messages: Object.fromEntries(messages),
      securitySchemes: SECURITY_SCHEMES,
      correlationIds: {
        requestId: {
          description: 'The id that the client gave its request.',
          location: '$message.payload#/body/request_id',
        },
      },
    },
  };
  return withBaseUrl(withWireName(document, settings), settings.baseUrl);
}

function channelObject(channel: Channel, object: object): object {
  const messages = messagesOf(channel).map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]);
  return { ...object, messages: Object.fromEntries(messages) as object };
}
