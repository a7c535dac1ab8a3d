import { readConfig } from './config.ts';
import { createSigner } from './identity-token.ts';
import { createDemoServer } from './server.ts';

const config = readConfig();
const server = createDemoServer(config, await createSigner(config));
server.listen(config.port, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ msg: 'ready', service: 'demo', http_port: config.port })}\n`);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
