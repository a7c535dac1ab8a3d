import { spawnSync } from 'node:child_process';
import { describeWith, findProgram } from '@parley/testing';
import { KINDS } from '../../support/fleet.ts';
import { metricsUrls } from '../../support/platform.ts';

/** Gauges that prom-client declares for every process of Node; their names are known to dashboards everywhere. */
const OF_NODE =
  /^nodejs_active_(?:handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

/** Complaints of promtool about the names, types and help of the metrics in a text. */
function complaintsOf(text: string): string[] {
  const { stdout, stderr } = spawnSync(findProgram('promtool')!, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '' && !OF_NODE.test(line));
}

describeWith('promtool', 'the metrics', () => {
  let urls: Record<string, string>;

  beforeAll(async () => {
    urls = await metricsUrls();
  }, 60_000);

  test.each(KINDS)('of %s are as Prometheus wants them', async (kind) => {
    const text = await (await fetch(urls[kind]!)).text();
    expect(text).toContain('process_cpu_seconds_total');
    expect(complaintsOf(text)).toEqual([]);
  });

  test('with a name that Prometheus does not want would be found', () => {
    expect(complaintsOf('# TYPE sent counter\nsent 1\n').join()).toContain('sent');
  });
});
