import { WebSocketServer, type PerMessageDeflateOptions, type Server } from 'ws';
import { limits } from '@parley/contract/limits';
import { WritableWebSocket } from '../connection/writer.ts';
import type { RealtimeContext } from '../context.ts';
import { chooseSubprotocol } from './upgrade.ts';

/**
 * Small windows without memory of earlier packets: a socket keeps its compressor after the first compressed packet, and these settings
 * decide its size.
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

/** Turns upgrades into sockets. The size limit of packets applies after decompression. */
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
