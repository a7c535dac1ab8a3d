import net, { type AddressInfo } from 'node:net';

/** Stands between a client and Postgres and notes what the client sends. */
export type StatementWatch = {
  url: string;
  /** The statements up to each Sync, for each connection; a simple query is one by itself. */
  groups(): string[][][];
  stop(): void;
};

/** Notes the texts of prepared statements by their names, and which of them run. */
function createReader(): { groups: string[][]; read(chunk: Buffer): void } {
  const texts = new Map<string, string>();
  const groups: string[][] = [];
  let open: string[] = [];
  let pending = Buffer.alloc(0);
  let isFirst = true;

  function take(kind: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('latin1').split('\0');
    if (kind === 'P') texts.set(first, second);
    else if (kind === 'B') open.push(texts.get(second) ?? second);
    else if (kind === 'Q') groups.push([first]);
    else if (kind === 'S') {
      if (open.length > 0) groups.push(open);
      open = [];
    }
  }

  function read(chunk: Buffer): void {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (pending.length < head + 4) return;
      const end = head + pending.readInt32BE(head);
      if (pending.length < end) return;
      if (!isFirst) take(String.fromCharCode(pending[0]!), pending.subarray(5, end));
      isFirst = false;
      pending = pending.subarray(end);
    }
  }
  return { groups, read };
}

export async function watchStatements(url: string): Promise<StatementWatch> {
  const target = new URL(url);
  const readers: { groups: string[][] }[] = [];
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname);
    const reader = createReader();
    readers.push(reader);
    client.on('data', (chunk) => {
      reader.read(chunk);
      upstream.write(chunk);
    });
    upstream.pipe(client);
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const watched = new URL(url);
  watched.hostname = '127.0.0.1';
  watched.port = String((server.address() as AddressInfo).port);
  return {
    url: watched.href,
    groups: () => readers.map(({ groups }) => groups),
    stop: () => void server.close(),
  };
}
