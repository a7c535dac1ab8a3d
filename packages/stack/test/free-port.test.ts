import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort, isPortFree } from '../src/free-port.ts';

const each = 100;

/** Ports that another process picks and does not listen on; they are its own until `end`. */
async function pickElsewhere() {
  const source = `
    import { freePort } from '${new URL('../src/free-port.ts', import.meta.url).href}';
    const ports = [];
    while (ports.length < ${each}) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source]);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const end = () => (child.stdin.end(), once(child, 'exit'));
  return { ports: JSON.parse(line) as number[], end };
}

test('processes that pick ports side by side never pick the same one, nor one that follows it', async () => {
  const picking = Promise.all([pickElsewhere(), pickElsewhere()]);
  const mine: number[] = [];
  while (mine.length < each) mine.push(await freePort());
  const others = await picking;
  const all = [...mine, ...others.flatMap(({ ports }) => ports)];
  await Promise.all(others.map(({ end }) => end()));
  expect(new Set(all).size).toBe(3 * each);
  expect(all.filter((port) => all.includes(port + 1))).toEqual([]);
});

test('a port that is given away is free, and so is the next one', async () => {
  const port = await freePort();
  expect(await isPortFree(port)).toBe(true);
  expect(await isPortFree(port + 1)).toBe(true);
});
