// A process that emits ten events in ten transactions and is killed the third time it passes one of the outbox's test hooks. Arguments: the
// addresses of the database and of NATS, and the hook (beforePublish, beforeDelete). Every committed event is also in `emitted`.
import { connectBus } from '../../bus/index.ts';
import { systemClock } from '../../runtime/clock/index.ts';
import { createLogger } from '../../runtime/telemetry/log.ts';
import { createOutbox } from './index.ts';
import { createDatabase } from '../../postgres/index.ts';

const [databaseUrl = '', natsUrl = '', seam = ''] = process.argv.slice(2);
const log = createLogger({ service: 'crash', level: 'warn' });
const db = createDatabase({ url: databaseUrl, poolSize: 4, log, applicationName: 'crash' });
const bus = await connectBus({ url: natsUrl, name: 'crash', log });

let passages = 0;
function die(): void {
  if (++passages === 3) process.kill(process.pid, 'SIGKILL');
}

const outbox = createOutbox({
  db,
  bus,
  log,
  clock: systemClock,
  isLogged: () => true,
  faults: { [seam]: die },
});
outbox.start();
for (let i = 0; i < 10; i++) {
  await db.tx(async (tx) => {
    const [row] = outbox.rows([{ subject: 'event.a', payload: Buffer.from(`event ${i}`) }]);
    if (!row) return;
    await tx.execute({ text: 'insert into emitted (id) values ($1)', values: [row.id] });
    await outbox.insert(tx, [row]);
    tx.afterCommit(() => outbox.publish([row]), 'found');
  });
  // Each event is deleted in a separate statement.
  await new Promise((resolve) => setTimeout(resolve, 40));
}
