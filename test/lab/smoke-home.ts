import { LabTerminal } from './driver.ts';
import { type LabHome, openHome } from './homes/home.ts';
import { openMockLlm } from './mock-llm/server.ts';
import { inClosedNetwork, isNetworkClosed } from './network.ts';
import { waitUntilReady } from './ready.ts';
import { type CliName, cliNames, isCliName } from './versions.ts';

/** What runs right now: a person who gives up must not leave a CLI behind. */
const running = new Map<LabTerminal, LabHome>();

/**
 * Starts each CLI in its home, sends one prompt, and says how long that took: whether the ground
 * floor holds.
 */
process.exitCode = await inClosedNetwork(main);

async function main(): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      const ended = Promise.all(
        [...running].map(([terminal, home]) => terminal.end().then(home.remove)),
      );
      void ended.finally(() => process.exit(130));
    });
  }
  const args = process.argv.slice(2);
  if (!args.every(isCliName)) {
    process.stderr.write(`usage: smoke-home.ts [${cliNames.join('|')}]…\n`);
    return 2;
  }
  say(`network: ${isNetworkClosed() ? 'closed, loopback only' : 'open'}`);
  let failures = 0;
  for (const name of args.length > 0 ? args : cliNames) {
    try {
      say(await smoke(name));
    } catch (error) {
      failures++;
      say(`${name}: FAILED: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failures === 0 ? 0 : 1;
}

async function smoke(name: CliName): Promise<string> {
  const prompt = '@@say hello-lab';
  const mock = await openMockLlm();
  const home = openHome(name, { mockUrl: mock.url });
  try {
    const times: string[] = [];
    let startedAt = performance.now();
    const lap = (what: string): void => {
      times.push(`${what} ${Math.round(performance.now() - startedAt)} ms`);
      startedAt = performance.now();
    };
    const terminal = await LabTerminal.open({
      argv: [...home.cli.argv, ...home.args],
      env: home.env,
      cwd: home.cwd,
    });
    running.set(terminal, home);
    try {
      await waitUntilReady(terminal, name);
      lap('ready');
      await terminal.prompt(prompt);
      const request = await mock.waitFor((seen) => !seen.isSide, 60_000);
      lap('request');
      if (request.lastUserText !== prompt) {
        throw new Error(`the model was asked ${JSON.stringify(request.lastUserText)}`);
      }
      // The prompt stands on the screen as well: only a line of the answer has no directive before
      // it.
      await terminal.waitFor('the answer', ({ text }) => /^[^@\n]*hello-lab/m.test(text));
      lap('answer');
    } finally {
      running.delete(terminal);
      await terminal.end();
    }
    lap('end');
    return `${name} ${home.cli.version}: ${times.join(', ')}`;
  } finally {
    home.remove();
    await mock.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
