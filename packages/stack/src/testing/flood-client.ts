// Sends a request again and again over one connection, several at a time, and prints how many answers of which status came.
// It is a process of its own, so that its work does not count as the server's. Arguments: port, number of requests, how many at a
// time (1: each has a connection of its own), text of the request.
import { connect } from 'node:net';

const [port, number, atOnce, request = ''] = process.argv.slice(2);
const total = Number(number);
const window = Number(atOnce);
const BEGINNING = /HTTP\/1\.1 (\d{3})/g;
/** The beginning of an answer may be cut by the end of what was read. */
const LONGEST_BEGINNING = 'HTTP/1.1 200'.length;

const statuses: Record<string, number> = {};
let answered = 0;

function open(): void {
  const socket = connect(Number(port), '127.0.0.1');
  let sent = 0;
  let here = 0;
  let tail = '';
  function ask(): void {
    const more = Math.min(window - (sent - here), total - answered - (sent - here));
    sent += more;
    if (more > 0) socket.write(request.repeat(more));
  }
  socket.on('connect', ask);
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    const text = tail + String(chunk);
    let end = 0;
    for (const { 1: status = '', index } of text.matchAll(BEGINNING)) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      answered += 1;
      here += 1;
      end = index + LONGEST_BEGINNING;
    }
    tail = text.slice(Math.max(end, text.length - LONGEST_BEGINNING + 1));
    if (answered >= total || (window === 1 && here > 0)) socket.destroy();
    else if (sent - here <= window / 2) ask();
  });
  socket.on('error', () => process.exit(1));
  socket.on('close', () => {
    if (answered < total) return open();
    process.stdout.write(JSON.stringify(statuses));
  });
}

open();
