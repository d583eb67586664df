import { findFamily, signalProcess } from '../../test/lab/processes.ts';
import { runTmux } from '../../test/lab/run-tmux.ts';
import { waitUntil } from '../../test/support/wait-until.ts';

/** In the environment of every process of a place, also of those that left the tree. */
export const placeMark = 'SIGNALBOX_BENCH_PEER';

/** The server that a tool starts in such a folder: TMUX_TMPDIR is all that tells it from yours. */
export function socketIn(folder: string): string {
  return `${folder}/tmux-${process.getuid?.() ?? 0}/default`;
}

/** Ends the tool's tmux server, then whatever bears the mark of this place. */
export async function endPlace(what: string, socket: string, mark: string): Promise<void> {
  await runTmux(socket, ['kill-server'], {}).catch(() => undefined);
  const left = () => findFamily(undefined, `${placeMark}=${mark}`);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const found of left()) signalProcess(found, signal);
    const isOver = waitUntil(`the end of ${what}`, () => left().length === 0, 5000);
    if (await isOver.then(() => true).catch(() => false)) break;
  }
}
