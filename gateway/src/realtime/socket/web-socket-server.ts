import { WebSocketServer, type PerMessageDeflateOptions, type Server } from 'ws';
import { limits } from '@parley/contract/limits';
import { WritableWebSocket } from '../connection/writer.ts';
import type { RealtimeContext } from '../context.ts';
import { chooseSubprotocol } from './upgrade.ts';

/**
 * Small windows and no memory of earlier packets: a socket that has been sent a compressed packet keeps its compressor, whose
 * size these settings decide.
 */
const DEFLATE: PerMessageDeflateOptions = {
  threshold: 1024,
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  serverMaxWindowBits: 12,
  zlibDeflateOptions: { level: 1, memLevel: 5, chunkSize: 4096 },
  zlibInflateOptions: { chunkSize: 4096 },
};

type Options = Pick<RealtimeContext, 'wire'> & { config: { webSocketCompression: boolean } };

export type PacketServer = Server<typeof WritableWebSocket>;

/** Makes sockets of upgrades. The size of a packet is limited as it is after decompression. */
export function createWebSocketServer({ wire, config }: Options): PacketServer {
  return new WebSocketServer({
    noServer: true,
    WebSocket: WritableWebSocket,
    maxPayload: limits.requestBodyBytes,
    perMessageDeflate: config.webSocketCompression && DEFLATE,
    clientTracking: false,
    skipUTF8Validation: false,
    // The socket answers pings itself, see heartbeat.ts.
    autoPong: false,
    maxFragments: limits.packetFragments,
    handleProtocols: (offered) => chooseSubprotocol(wire, offered) ?? false,
  });
}
