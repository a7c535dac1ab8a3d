import { readConfig } from './config.ts';
import { createSigner } from './identity-token.ts';
import { createDemoServer } from './server.ts';

const config = readConfig();
const listener = createDemoServer(config, await createSigner(config));
await listener.listen(config.port, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ msg: 'ready', service: 'demo', http_port: config.port })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => void listener.stop().then(() => process.exit(0)));
}
