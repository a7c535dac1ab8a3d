import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import type { Bench } from '../bench.ts';
import { connectBench, createRest } from '../client.ts';
import { drive, type Figures } from '../stats.ts';

const inFlight = 50;
const body = JSON.stringify({
  parts: [{ mime_type: 'text/plain', body: 'The quick brown fox jumps over the lazy dog.' }],
});

/** The most that a server of this kind can reach here: node:http in this process, with one insert for all requests that arrived meanwhile. */
export const restFloor = async (bench: Bench): Promise<Figures[]> => {
  const pool = new pg.Pool({ connectionString: bench.running.state.postgres_url, max: 2 });
  await pool.query(
    'create table if not exists bench_floor (id bigint generated always as identity primary key, body text)',
  );
  let waiting: { text: string; done: () => void }[] = [];
  let busy = false;
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await pool.query('insert into bench_floor (body) select unnest($1::text[])', [
        batch.map(({ text }) => text),
      ]);
      for (const { done } of batch) done();
    }
    busy = false;
  };
  const server = createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => (text += chunk));
    req.on('end', () => {
      waiting.push({
        text,
        done: () => res.writeHead(201, { 'content-type': 'application/json' }).end(text),
      });
      if (busy) return;
      busy = true;
      void flush();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const send = createRest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, inFlight);
  const call = () => send('POST', '/', 'none', body);
  await drive(1000 * bench.scale, inFlight, call);
  const total = 20_000 * bench.scale;
  const figures = await bench.measure(
    'floor: node:http + batched insert',
    total,
    () => drive(total, inFlight, call),
    'server within the client process',
  );
  server.closeAllConnections();
  server.close();
  await pool.query('drop table bench_floor');
  await pool.end();
  return [figures];
};

/** A WebSocket echo in this process; then the same with an insert before each answer, one message at a time. */
export async function socketFloor(bench: Bench): Promise<Figures[]> {
  const pool = new pg.Pool({ connectionString: bench.running.state.postgres_url, max: 1 });
  await pool.query(
    'create table if not exists bench_floor (id bigint generated always as identity primary key, body text)',
  );
  let before: (text: string) => Promise<unknown> | undefined = () => undefined;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) =>
    socket.on('message', async (data) => {
      const text = (data as Buffer).toString();
      const { body: request } = JSON.parse(text) as { body: { request_id: string } };
      await before(text);
      socket.send(`{"type":"response","body":${JSON.stringify({ ...request, success: true })}}`);
    }),
  );
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = await connectBench(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'none');
  const call = () => socket.request('Message.create', 'none', body);
  await drive(2000 * bench.scale, inFlight, call);
  const note = 'server within the client process';
  const total = 40_000 * bench.scale;
  const echo = await bench.measure('floor: ws echo', total, () => drive(total, inFlight, call), note);
  before = (text) =>
    pool.query({ name: 'floor', text: 'insert into bench_floor (body) values ($1)', values: [text] });
  await drive(200 * bench.scale, 1, call);
  const single = 2_000 * bench.scale;
  const name = 'floor: ws echo + insert, one at a time';
  const inserted = await bench.measure(name, single, () => drive(single, 1, call), note);
  socket.close();
  server.close();
  await pool.query('drop table bench_floor');
  await pool.end();
  return [echo, inserted];
}
