import net from 'node:net';

/** Far more than any body may come in. */
const PIECES = 20_000;

type Options = { method?: string; headers?: Record<string, string> };

/**
 * Sends the beginning of a body in chunks of one byte each, and never its end. Resolves with the status of the answer once the server
 * has ended the connection; the test's own limit ends the wait for one that does not.
 */
export function sendShredded(url: string, { method = 'POST', headers = {} }: Options = {}): Promise<number> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const lines = Object.entries({ host, 'transfer-encoding': 'chunked', ...headers });
  const head = `${method} ${pathname}${search} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => void (answer += text));
    // Bytes that are unsent when the server closes are lost, and may break the connection after the answer.
    socket.on('error', (error) => answer === '' && reject(error));
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])));
    socket.write(head + '1\r\nx\r\n'.repeat(PIECES));
  });
}
