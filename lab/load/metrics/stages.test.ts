import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HistogramValue } from './exposition.ts';
import { measureStages, stageTable } from './stages.ts';

function observed(name: string, labels: Record<string, string>, seconds: number[]): HistogramValue {
  const sum = seconds.reduce((total, value) => total + value, 0);
  return { name, labels, sum, count: seconds.length, buckets: [{ bound: 1, count: seconds.length }] };
}

test('the table shows sizes and times, by process, and how busy each stage was', () => {
  const stages = [
    {
      process: 'messaging',
      observed: observed('run_seconds', { service: 'messaging', batcher: 'messages' }, [0.5, 0.5]),
    },
    { process: 'gateway', observed: observed('batch_items', { service: 'gateway' }, [3, 4]) },
    { process: 'export', observed: observed('run_seconds', { service: 'export' }, [0.001]) },
  ];
  expect(stageTable(stages, 4).split('\n')).toEqual([
    '| process | stage | observed | mean | p50 | p99 | busy |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| gateway | batch_items | 2 | 3.5 | 1 | 1 |  |',
    '| messaging | run_seconds messages | 2 | 500.00 ms | 500.00 ms | 990.00 ms | 25 % |',
  ]);
});

test('what the processes observe between two readings is measured', async () => {
  let count = 5;
  const server = createServer((_, res) => {
    const labels = 'service="gateway"';
    res.end(
      `# TYPE a_seconds histogram\na_seconds_bucket{le="+Inf",${labels}} ${count}\n` +
        `a_seconds_sum{${labels}} ${count}\na_seconds_count{${labels}} ${count}\n`,
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    const measure = await measureStages({ gateway: (server.address() as AddressInfo).port });
    count = 12;
    expect(await measure()).toEqual([
      { process: 'gateway', observed: expect.objectContaining({ name: 'a_seconds', sum: 7, count: 7 }) },
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
