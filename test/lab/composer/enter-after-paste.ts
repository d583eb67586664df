import { parseArgs } from 'node:util';
import { cases } from '../cases/list.ts';
import { pause, settles } from '../delivery/cases-usual.ts';
import { createWord } from '../delivery/post.ts';
import { copyProgram } from '../life/box.ts';
import { Life } from '../life/life.ts';
import { inClosedNetwork } from '../network.ts';
import { runTmux } from '../run-tmux.ts';

/**
 * How long after Gemini CLI has shown a paste its Enter sends it: an earlier one is a new line of
 * the text. Nothing of signalbox types here.
 *
 *     node --import tsx test/lab/composer/enter-after-paste.ts [--after 0,40,80] [--tries 50]
 */
const { values } = parseArgs({
  options: {
    after: { type: 'string', default: '0,20,40,60,80,100,150,250' },
    tries: { type: 'string', default: '50' },
  },
});
/** By then it has been sent, or never will be. */
const sentMs = 2500;

process.exitCode = await inClosedNetwork(main);

interface Try {
  readonly shownMs: number;
  readonly enterMs: number;
  readonly isSent: boolean;
  readonly isExact: boolean;
}

async function main(): Promise<number> {
  const { program, remove } = copyProgram();
  const life = await Life.open(cases.gemini, program);
  try {
    await life.launch();
    await life.isReady(0);
    await life.ask('@@say hello');
    await settles(life);
    const { argv } = await life.box.ask<{ readonly argv: readonly string[] }>(['attach', 'lab']);
    const target = argv.at(argv.indexOf('-t') + 1) ?? '';
    const done = new Map<number, Try[]>();
    const steps = values.after.split(',').map(Number);
    for (let n = 0; n < Number(values.tries); n++) {
      for (const afterMs of steps) {
        const found = await take(life, target, afterMs);
        done.set(afterMs, [...(done.get(afterMs) ?? []), found]);
      }
    }
    for (const [afterMs, tries] of done) process.stdout.write(`${describe(afterMs, tries)}\n`);
  } finally {
    await life.close();
    remove();
  }
  return 0;
}

async function take(life: Life, target: string, afterMs: number): Promise<Try> {
  await settles(life);
  await pause(200);
  const tmux = (...args: readonly string[]): Promise<string> => runTmux(life.box.socket, args, {});
  const word = createWord();
  const text = `@@say ok\n${word}`;
  await tmux('set-buffer', '-b', 'try', '--', text);
  const pastedAt = Date.now();
  await tmux('paste-buffer', '-p', '-d', '-b', 'try', '-t', target);
  while (!(await tmux('capture-pane', '-p', '-t', target)).includes(word)) await pause(5);
  const shownAt = Date.now();
  await pause(afterMs);
  await tmux('send-keys', '-t', target, 'Enter');
  const enteredAt = Date.now();
  const isIt = ({ isSide, body }: { readonly isSide: boolean; readonly body: string }): boolean =>
    !isSide && body.includes(word);
  const request = await life.mock.waitFor(isIt, sentMs).catch(() => undefined);
  if (!request) {
    await tmux('send-keys', '-t', target, 'Enter');
    await life.mock.waitFor(isIt, 30_000);
  }
  const got = life.mock.requests.find(isIt)?.lastUserText.trim();
  return {
    ...{ shownMs: shownAt - pastedAt, enterMs: enteredAt - pastedAt },
    ...{ isSent: request !== undefined, isExact: got === text },
  };
}

function describe(afterMs: number, tries: readonly Try[]): string {
  const sent = tries.filter(({ isSent }) => isSent).length;
  const exact = tries.filter(({ isExact }) => isExact).length;
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const shown = median(tries.map(({ shownMs }) => shownMs));
  const entered = median(tries.map(({ enterMs }) => enterMs));
  return `${afterMs} ms after it was shown: sent ${sent} of ${tries.length}, exact ${exact}; shown after ${shown} ms, Enter after ${entered} ms (medians)`;
}
