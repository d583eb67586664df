import { listUnexercised } from './exercised.ts';
import { runWorld } from './run.ts';

/**
 * Storms until one breaks the promise: `node --import tsx test/simulation/hunt.ts 300`. Prints the seed and what it broke, or what so
 * many storms should have shown and did not. Exit 1 when there is anything to print.
 */
const most = Number(process.argv[2] ?? 300);
const causes = new Set<string>();

process.exitCode = 0;
for (let seed = 1; seed <= most && process.exitCode === 0; seed++) {
  const { broken, causes: shown } = await runWorld(seed);
  for (const cause of shown) causes.add(cause);
  const [first] = broken;
  if (first !== undefined) report(`seed ${seed}: ${first.split('\n')[0]}`);
}
const [missing] = listUnexercised(causes);
if (process.exitCode === 0 && missing !== undefined) report(`never in ${most} storms: ${missing}`);

function report(what: string): void {
  process.stdout.write(`${what}\n`);
  process.exitCode = 1;
}
