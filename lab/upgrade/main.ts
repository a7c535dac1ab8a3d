import { readArguments } from './arguments.ts';
import { judge } from './judge.ts';
import { upgradeLarge, type Report } from './run.ts';
import { shorten } from './statements.ts';

// `npm run lab -- upgrade [--changes 10000000 --messages 2000000]`: fills an installation of the last release, upgrades it under load, and says how
// long each migration and each periodic statement took, beside the slowest send. Fails when one reads too much, or took too long.
const { seconds, ...amount } = readArguments(process.argv.slice(2));
const SHOWN = 25;

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

function show({ migrations, sends, slowestBefore, slowestAfter, periodic, besideSends }: Report): void {
  say(
    `sends: ${sends} during the upgrade; the slowest before it took ${slowestBefore} ms, after it ${slowestAfter} ms`,
  );
  say('migrations: milliseconds, the slowest send meanwhile, what');
  for (const { service, migration, partition, from, until, slowestSend } of migrations)
    say(
      `${pad(until - from)} ${pad(slowestSend)}  ${service} ${migration}${partition ? ` ${partition}` : ''}`,
    );
  for (const [title, statements] of [
    ['periodic statements of an idle platform', periodic],
    ['the same beside sends', besideSends],
  ] as const) {
    say(`${title}: mean and most milliseconds, blocks of a run, runs, what`);
    for (const one of statements.slice(0, SHOWN))
      say(
        `${pad(one.meanMs.toFixed(1))} ${pad(one.mostMs.toFixed(1))} ${pad(Math.round(one.blocks))} ${pad(one.runs)}  ` +
          `${one.database}: ${shorten(one.text)}`,
      );
  }
}

const pad = (value: number | string): string => String(value).padStart(8);

const report = await upgradeLarge({ ...amount, observeMs: seconds * 1000, say });
show(report);
const broken = judge(report, { isTimed: true });
for (const sentence of broken) say(sentence);
say(broken.length === 0 ? 'the upgrade kept its promises' : `${broken.length} promises are broken`);
process.exitCode = broken.length === 0 ? 0 : 1;
