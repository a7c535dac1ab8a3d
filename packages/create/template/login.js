// Login backend for trying, and the page beside it: `npm run dev`. It lets anybody in by name.
import { createServer } from 'node:http';
import { importPrivateKey, signIdentityToken } from '@parley/client/server';
import { createServer as createVite } from 'vite';

if (process.env.NODE_ENV === 'production') {
  console.error('login.js lets anybody in by name, and does not run with NODE_ENV=production.');
  process.exit(1);
}
console.warn('Anybody may log in by name here: put your own login in place of login.js before you deploy.');

const { PARLEY_PROVIDER_ID: providerId, PARLEY_KEY_ID: keyId, PARLEY_PRIVATE_KEY: pem = '' } = process.env;
const privateKey = await importPrivateKey(pem);
// A request that cannot be read ends nothing.
const server = createServer((request, response) =>
  answer(request, response).catch(() => response.writeHead(400).end()),
);
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } } });

// The platform takes whoever this token names, for the nonce that the page got from it.
async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  if (pathname !== '/identity-token') return vite.middlewares(request, response);
  // Other pages of the browser must not log in here.
  if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(request.headers.host)) return response.writeHead(403).end();
  // Your own login takes the user from its session instead of from the address.
  const [userId, nonce] = [searchParams.get('user'), searchParams.get('nonce')];
  if (!userId || !nonce) return response.writeHead(400).end('user and nonce are missing');
  const profile = { display_name: userId[0].toUpperCase() + userId.slice(1) };
  response.end(await signIdentityToken({ userId, nonce, providerId, keyId, privateKey, profile }));
}

server.on('error', ({ message }) => {
  console.error(`${message}: PORT=… npm run dev takes another port.`);
  process.exit(1);
});
server.listen(Number(process.env.PORT ?? 5173), 'localhost', () => {
  console.log(`Chat of Ada and Grace: http://localhost:${server.address().port}/`);
});
